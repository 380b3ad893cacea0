/** A new memory as a row. */
import type { DecideContext, NewRow } from '../operation.ts'
import { orderOfAcceptance } from '../receipts/receipt.ts'
import type { Audience } from '../records/ids.ts'
import type { MemoryBody } from '../records/record.ts'
import { titleFrom } from '../records/title.ts'

export interface NewMemory extends Pick<NewRow, 'sources' | 'topics' | 'content_hash'> {
  text: string
  /** Left out: made of the text. */
  title?: string | undefined
  /** Left out: when it was accepted. */
  valid_from?: string | undefined
  audience: Audience
  body: MemoryBody
}

export function memoryRow<Input>(
  { receipt, actor, at, newId }: DecideContext<Input>,
  { text, title, valid_from, audience, sources, topics, content_hash, body }: NewMemory,
): NewRow {
  const id = newId()
  return {
    id,
    workspace: receipt.workspace,
    record_id: id,
    kind: 'memory',
    revision: 1,
    audience,
    feed: 'knowledge',
    title: title ?? titleFrom(text),
    text,
    status: 'accepted',
    invalidated_at: null,
    valid_from: valid_from ?? receipt.accepted_at,
    valid_to: null,
    superseded_by: null,
    successors: [],
    supersedes: [],
    sources,
    topics,
    category: null,
    significance: null,
    surface: null,
    entities: [],
    confidence: null,
    external_id: null,
    content_hash,
    created_at: receipt.accepted_at,
    created_by: actor.user,
    updated_at: at,
    accepted: orderOfAcceptance(receipt.id),
    body,
  }
}
