/** Makes a row of any kind, with defaults for the fields that the caller leaves out. */
import type { DecideContext, NewRow } from '../operation.ts'
import { orderOfAcceptance } from '../receipts/receipt.ts'
import { rowIdOf } from './ids.ts'

type Said = 'record_id' | 'kind' | 'audience' | 'feed' | 'title' | 'text' | 'content_hash' | 'body'

export function newRow<Input>(
  { receipt, actor, at }: Pick<DecideContext<Input>, 'receipt' | 'actor' | 'at'>,
  { revision = 1, ...said }: Pick<NewRow, Said> & Partial<NewRow>,
): NewRow {
  return {
    id: rowIdOf(said.record_id, revision),
    workspace: receipt.workspace,
    revision,
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
    confidence: null,
    external_id: null,
    created_at: receipt.accepted_at,
    created_by: actor.user,
    updated_at: at,
    accepted: orderOfAcceptance(receipt.id),
    ...said,
  }
}
