/** task.create: makes a task, or changes the one with the same external_id. */
import { requireScope, type WorkspaceType } from '../access/actor.ts'
import type { DecideContext } from '../deciding/context.ts'
import { newRow } from '../deciding/new-row.ts'
import { entityOf, type Outcome, outcomeAbout } from '../deciding/outcome.ts'
import type { Audience } from '../ids.ts'
import { type CheckContext, defineOperation } from '../operation.ts'
import { audienceFor, defaultVisibility } from '../records/audience.ts'
import { audiencesWithExternalId, ofKind } from '../records/read/visible.ts'
import { executionOf } from '../records/task.ts'
import {
  assertStartable,
  awaitsIn,
  type CopiedTask,
  chosenExecutor,
  type NewRun,
  newRun,
  wantedOf,
} from '../runs/deciding/new-run.ts'
import { textsIn } from '../secrets/texts.ts'
import { changeTask, placeOf } from './change.ts'
import { mutableOf, newContent } from './content.ts'
import { checkNamed, checkPlace } from './place.ts'
import { type CreateTaskInput, createTaskInput } from './write-schema.ts'

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

  async check(context) {
    const { input, actor } = context
    const audience = audienceFor(input.visibility, actor, actor.workspaceType)
    const content = newContent(input, actor.user)
    await checkNamed(content, audience, context.visible)
    if (content.execution.mode === 'none') return
    requireScope(actor, 'tasks:run')
    if (await isKnown(context, audience)) return
    assertStartable(content)
    chosenExecutor((await context.runRules()).executors, content.execution.executor, executorField)
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

const executorField = 'execution.executor'

async function makeTask(context: Context, audience: Audience): Promise<Outcome> {
  const { input, actor, state, visible } = context
  const content = newContent(input, actor.user)
  await checkNamed(content, audience, visible)
  if (content.parent_id !== null) await checkPlace(content.parent_id, undefined, actor.audiences, state)
  const task = { record_id: context.newId(), audience, title: content.name, text: content.description }
  const run = await runOf(context, { ...task, mutable: mutableOf(content) })
  const row = newRow(context, {
    ...task,
    kind: 'task',
    external_id: input.external_id ?? null,
    // nothing finds a task by its content, which changes
    content_hash: '',
    body: {},
    mutable: { ...mutableOf(content), ...run?.task },
  })
  const documents = content.parent_id === null ? {} : { task_parents: [placeOf(row, content)] }
  const made = outcomeAbout(row, { created: [row], documents })
  if (run === undefined) return made
  return {
    ...made,
    entity: { ...entityOf(row), ...awaitsIn(run) },
    created: [row, run.row],
    documents: { ...documents, ...run.documents },
  }
}

/** undefined: the task starts none. Throws if the policy denies it: then the task is not made either. */
async function runOf(context: Context, task: CopiedTask): Promise<NewRun | undefined> {
  const execution = executionOf(task.mutable)
  if (execution.mode === 'none') return undefined
  assertStartable(task.mutable)
  return newRun(context, task, wantedOf({}, execution), executorField)
}

/** Whether the caller sees a task with this external_id: posting it again changes it, and starts no run. */
async function isKnown(
  { input: { external_id }, actor, documents }: CheckContext<CreateTaskInput>,
  audience: Audience,
): Promise<boolean> {
  if (external_id === undefined) return false
  const known = await audiencesWithExternalId(documents, actor, 'task', external_id)
  return known.some((one) => one.audience === audience)
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
