/** task.create: makes a task, or changes the one with the same external_id. */
import type { WorkspaceType } from '../access/actor.ts'
import type { DecideContext } from '../deciding/context.ts'
import { newRow } from '../deciding/new-row.ts'
import { outcomeAbout } from '../deciding/outcome.ts'
import type { Audience } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { audienceFor, defaultVisibility } from '../records/audience.ts'
import { ofKind } from '../records/read/visible.ts'
import { textsIn } from '../secrets/texts.ts'
import { changeTask, placeOf } from './change.ts'
import { mutableOf, newContent } from './content.ts'
import { checkNamed, checkPlace } from './place.ts'
import { type CreateTaskInput, createTaskInput } from './schema.ts'

type Context = DecideContext<CreateTaskInput>

export const createTask = defineOperation<CreateTaskInput>({
  name: 'task.create',
  scope: 'tasks:write',
  summary: 'Makes a task, or changes the one that has this external_id by the fields given.',
  format: 2,
  raisesQuestions: false,
  input: createTaskInput,

  texts: ({ idempotency_key: _, ...input }) => textsOf(input),

  defaults: (_, workspaceType) => ({ visibility: defaultVisibility(workspaceType) }),

  async check({ input, actor, visible }) {
    const audience = audienceFor(input.visibility, actor, actor.workspaceType)
    await checkNamed(newContent(input, actor.user), audience, visible)
  },

  lookups(input, actor, workspaceType) {
    const audience = safeAudience(input, actor, workspaceType)
    if (input.external_id === undefined || audience === undefined) return {}
    return { externalIds: [{ kind: 'task', audiences: [audience], externalId: input.external_id }] }
  },

  async decide(context) {
    const { input, actor, state, workspaceType } = context
    const audience = audienceFor(input.visibility, actor, workspaceType)
    const [found] = input.external_id ? await state.withExternalId('task', [audience], input.external_id) : []
    const known = ofKind(found, 'task')
    return known ? changeTask(context, known, input) : makeTask(context, audience)
  },
})

async function makeTask(context: Context, audience: Audience) {
  const { input, actor, state, visible } = context
  const content = newContent(input, actor.user)
  await checkNamed(content, audience, visible)
  if (content.parent_id !== null) await checkPlace(content.parent_id, undefined, actor.audiences, state)
  const record_id = context.newId()
  const row = newRow(context, {
    record_id,
    kind: 'task',
    audience,
    title: content.name,
    text: content.description,
    external_id: input.external_id ?? null,
    // nothing finds a task by its content, which changes
    content_hash: '',
    body: {},
    mutable: mutableOf(content),
  })
  const documents = content.parent_id === null ? {} : { task_parents: [placeOf(row, content)] }
  return outcomeAbout(row, { created: [row], documents })
}

/** All strings of an input. */
export function textsOf(input: object) {
  return Object.entries(input).flatMap(([field, value]) => textsIn(field, value))
}

function safeAudience(
  { visibility }: CreateTaskInput,
  actor: Context['actor'],
  workspaceType: WorkspaceType,
): Audience | undefined {
  try {
    return audienceFor(visibility, actor, workspaceType)
  } catch {
    return undefined // the actor isn't in this team: decide reports it
  }
}
