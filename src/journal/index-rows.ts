/** Rows into a search index, each as its search document. */
import type { SearchDocument } from '../ports/search.ts'
import type { WorkspaceId } from '../records/ids.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'
import type { JournalPorts } from './ports.ts'

export type IndexPorts = Pick<JournalPorts, 'search' | 'log' | 'watch'>

/** One that the engine refuses never stands in the way of the others, so operators must hear of it: it is found by less, or not. */
export async function indexRows(
  { search, log, watch }: IndexPorts,
  workspace: WorkspaceId,
  index: string,
  rows: readonly PrecedentRecord[],
): Promise<void> {
  const { reduced } = await search.upsert(index, searchDocumentsOf(rows))
  if (reduced.length === 0) return
  watch?.reduced(reduced.length)
  for (const record of reduced) log.warn({ record, workspace, index }, 'indexed in a reduced form')
}

function* searchDocumentsOf(rows: readonly PrecedentRecord[]): Iterable<SearchDocument> {
  // questions are found through the records that they are about
  for (const row of rows) if (row.kind !== 'question') yield searchDocumentOf(row)
}
