/**
 * Preserves one durable fact, constraint, commitment, correction or session outcome (specification 4,
 * context.remember).
 */

import type { DecideContext } from '../deciding/context.ts'
import { memoryRow } from '../deciding/new-row.ts'
import { type NewRow, type Outcome, outcomeAbout } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { covers, decidedAt, headOfChain, successorOf, superseded, takesEffect } from '../deciding/supersession.ts'
import type { Audience, RecordId } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { invalid, problem } from '../problem.ts'
import { audienceFor, defaultVisibility } from '../records/audience.ts'
import type { MemoryBody } from '../records/body.ts'
import { normalisedHash } from '../records/content-hash.ts'
import { inForce } from '../records/in-force.ts'
import { linkOf } from '../records/link.ts'
import type { Envelope } from '../records/record.ts'
import { textsIn } from '../secrets/texts.ts'
import { type RememberInput, rememberInput } from './input.ts'
import { reaffirmed } from './reaffirm.ts'

type Context = DecideContext<RememberInput>

export const remember = defineOperation<RememberInput>({
  name: 'context.remember',
  scope: 'context:write',
  summary: 'Preserves one durable fact, constraint, commitment, correction or session outcome.',
  raisesQuestions: true,
  input: rememberInput,

  texts: (input) => [
    { place: 'content', text: input.content },
    { place: 'title', text: input.title ?? '' },
    ...textsIn('sources', input.sources),
    ...textsIn('topics', input.topics),
  ],

  // a correction inherits the visibility of the corrected memory
  defaults: (input, workspaceType) =>
    input.kind === 'correction' ? {} : { visibility: defaultVisibility(workspaceType) },

  async check({ input, actor, visible }) {
    if (input.corrects_memory_id === undefined) {
      audienceFor(input.visibility, actor, actor.workspaceType)
      return
    }
    const target = await visible(input.corrects_memory_id, 'memory', 'corrects_memory_id')
    const audience = input.visibility ? audienceFor(input.visibility, actor, actor.workspaceType) : target.audience
    if (!covers(audience, target.audience)) {
      throw invalid('visibility', 'everyone who sees the corrected memory must see the correction: leave it out')
    }
  },

  lookups(input, actor, workspaceType) {
    if (!mayRepeat(input)) return {}
    try {
      const audience = audienceFor(input.visibility, actor, workspaceType)
      return { contents: [{ audience, contentHash: contentHashOf(input) }] }
    } catch {
      return {} // the actor isn't in this team: decide reports it
    }
  },

  async decide(context) {
    const { input, state } = context
    if (input.kind === 'correction') return correct(context)
    const audience = audienceFor(input.visibility, context.actor, context.workspaceType)
    if (mayRepeat(input)) {
      const now = decidedAt(context)
      const same = (await state.withContent(audience, contentHashOf(input))).find(
        (row) => row.kind === 'memory' && inForce(row, now),
      )
      if (same) return reaffirmed(context, same)
    }
    const row = rowOf(context, audience)
    return outcomeAbout(row, { created: [row] })
  },
})

async function correct(context: Context): Promise<Outcome> {
  const { input, actor, state } = context
  const target = await context.visible(input.corrects_memory_id as RecordId, 'memory', 'corrects_memory_id')
  if (target.superseded_by !== null) {
    const head = await wholeOf(state, await headOfChain(state, target, actor.audiences))
    throw problem('already_superseded', 'This memory was corrected before. Correct its newest version instead.', {
      details: { head: { type: 'memory', id: head.record_id, title: head.title } },
    })
  }
  const audience = input.visibility ? audienceFor(input.visibility, actor, context.workspaceType) : target.audience
  if (!covers(audience, target.audience)) {
    throw problem('superseded_invisible', 'Everyone who sees the corrected memory must see the correction.')
  }
  return supersede(context, rowOf(context, audience), target)
}

async function supersede(context: Context, row: NewRow, target: Envelope): Promise<Outcome> {
  const now = decidedAt(context)
  if (takesEffect(row, now).state === 'now') {
    return outcomeAbout(row, {
      created: [{ ...row, supersedes: [target.record_id] }],
      changed: await superseded(context.state, target, successorOf(row), context.at),
    })
  }
  const link = linkOf({
    successor: row.record_id,
    target: target.record_id,
    target_kind: 'memory',
    due: row.valid_from,
    state: 'dated',
    audiences: [...context.actor.audiences],
    reason: null,
  })
  return outcomeAbout(row, { created: [row], documents: { links: [link] } })
}

function rowOf(context: Context, audience: Audience): NewRow {
  const { input } = context
  const body: MemoryBody = {
    memory_kind: input.kind,
    ...(input.corrects_memory_id === undefined ? {} : { corrects: input.corrects_memory_id as RecordId }),
  }
  return memoryRow(context, {
    text: input.content,
    title: input.title,
    valid_from: input.occurred_at,
    audience,
    sources: input.sources,
    topics: input.topics,
    content_hash: contentHashOf(input),
    body,
  })
}

/** Corrections and session outcomes are never merged. */
function mayRepeat(input: RememberInput): boolean {
  return input.kind !== 'correction' && input.kind !== 'session_outcome'
}

/** Caches the hash of an input, which is needed for look-up, comparison and storage. */
const hashes = new WeakMap<RememberInput, string>()

function contentHashOf(input: RememberInput): string {
  const known = hashes.get(input)
  if (known !== undefined) return known
  const hash = normalisedHash([input.kind, input.content, input.title ?? '', input.occurred_at ?? ''])
  hashes.set(input, hash)
  return hash
}
