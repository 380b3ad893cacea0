/** Writes rows into a search index. */
import type { SearchDocument } from '../ports/search.ts'
import type { WorkspaceId } from '../records/ids.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'
import type { JournalPorts } from './ports.ts'

export type IndexPorts = Pick<JournalPorts, 'search' | 'log' | 'watch'>

/**
 * A document that the engine refuses does not stop the others. It is stored in a reduced form or not at all, so
 * operators need the warning.
 */
export async function indexRows(
  { search, log, watch }: IndexPorts,
  workspace: WorkspaceId,
  index: string,
  rows: readonly PrecedentRecord[],
): Promise<void> {
  const { reduced } = await search.upsert(index, searchDocumentsOf(rows))
  if (reduced.length === 0) return
  watch?.reduced(reduced.length)
  for (const record of reduced)
    log.warn({ record, workspace, index }, 'indexed in a reduced form: the search engine refused the document')
}

function* searchDocumentsOf(rows: readonly PrecedentRecord[]): Iterable<SearchDocument> {
  // questions are not indexed: search finds them through the records that they are about
  for (const row of rows) if (row.kind !== 'question') yield searchDocumentOf(row)
}
