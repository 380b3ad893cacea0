/** Writes rows into a search index. */

import type { WorkspaceId } from '../ids.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { inTurns } from '../ports/in-turns.ts'
import type { SearchDocument } from '../ports/search.ts'
import { kinds } from '../records/kinds.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'

export type IndexPorts = Pick<JournalPorts, 'search' | 'log' | 'watch'>

/**
 * A document that the engine refuses does not stop the others. Only the beginning of its text is indexed, or
 * nothing, so operators need the warning.
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
    log.warn({ record, workspace, index }, 'document refused by the search engine; not all of its text is searchable')
}

async function* searchDocumentsOf(rows: readonly PrecedentRecord[]): AsyncIterable<SearchDocument> {
  const turn = inTurns()
  for (const row of rows) if (kinds[row.kind].isIndexed) yield await searchDocumentOf(row, turn)
}
