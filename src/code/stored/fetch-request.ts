/** Asks the worker `code`, which is perhaps another process, to ask the remote of a repository before its next poll. */
import { type Clock, instant } from '../../ports/clock.ts'
import type { Collection, Documents } from '../../ports/documents.ts'

export interface FetchRequest {
  /** ConnectedRepository.id: a thousand requests before the worker looks are one. */
  id: string
  asked_at: string
  /** Of the hook that asked last. It is in the log line of the worker too. null: an operator asked. */
  trace: string | null
}

export const fetchRequests: Collection<FetchRequest> = {
  name: 'code_fetch_requests',
  fields: { id: 'string', asked_at: 'instant', trace: 'string' },
  unique: [],
  indexes: [],
}

export async function requestFetch(
  repository: string,
  trace: string | null,
  { documents, clock }: { documents: Documents; clock: Clock },
): Promise<void> {
  await documents.upsertIfNewer(fetchRequests, [{ id: repository, asked_at: instant(clock), trace }], 'asked_at')
}
