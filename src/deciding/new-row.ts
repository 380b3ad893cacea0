/** Makes the rows of new records, with defaults for the fields that the caller leaves out. */
import { type Audience, rowIdOf } from '../ids.ts'
import { orderOfAcceptance } from '../receipt.ts'
import type { MemoryBody } from '../records/body.ts'
import { kinds } from '../records/kinds.ts'
import { titleFrom } from '../records/title.ts'
import type { DecideContext } from './context.ts'
import type { NewRow } from './outcome.ts'

type Said = 'record_id' | 'kind' | 'audience' | 'title' | 'text' | 'content_hash' | 'body' | 'mutable'

export function newRow<Input>(
  { receipt, actor, at }: Pick<DecideContext<Input>, 'receipt' | 'actor' | 'at'>,
  { revision = 1, ...said }: Pick<NewRow, Said> & Partial<NewRow>,
): NewRow {
  return {
    id: rowIdOf(said.record_id, revision),
    workspace: receipt.workspace,
    revision,
    feed: kinds[said.kind].feed,
    status: 'accepted',
    invalidated_at: null,
    valid_from: receipt.accepted_at,
    valid_to: null,
    superseded_by: null,
    successors: [],
    supersedes: [],
    sources: [],
    topics: [],
    category: null,
    significance: null,
    surface: null,
    entities: [],
    outcome_status: said.kind === 'decision' ? 'none' : null,
    confidence: null,
    external_id: null,
    created_at: receipt.accepted_at,
    created_by: actor.user,
    updated_at: at,
    accepted: orderOfAcceptance(receipt.id),
    ...said,
  }
}

export interface NewMemory extends Pick<NewRow, 'sources' | 'topics' | 'content_hash'> {
  text: string
  /** Default: made from the text. */
  title?: string | undefined
  /** Default: the instant of acceptance. */
  valid_from?: string | undefined
  audience: Audience
  body: MemoryBody
}

export function memoryRow<Input>(
  context: DecideContext<Input>,
  { text, title, valid_from, audience, sources, topics, content_hash, body }: NewMemory,
): NewRow {
  return newRow(context, {
    record_id: context.newId(),
    kind: 'memory',
    audience,
    title: title ?? titleFrom(text),
    text,
    ...(valid_from === undefined ? {} : { valid_from }),
    sources,
    topics,
    content_hash,
    body,
    mutable: {},
  })
}
