/** Copies rows of a workspace into an index. */
import type { WorkspaceId } from '../ids.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { records } from '../records/record.ts'
import { type IndexPorts, indexRows } from './index-rows.ts'

const rowsAtOnce = 500

/**
 * Copies the rows whose sequence is above `position`. Returns the position reached. `copied` gets the number of rows of
 * each step, and the position reached by it.
 */
export async function copyAfter(
  ports: Pick<JournalPorts, 'documents'> & IndexPorts,
  workspace: WorkspaceId,
  index: string,
  position: number,
  copied: (rows: number, reached: number) => Promise<void>,
): Promise<number> {
  let reached = position
  for (;;) {
    const rows = await ports.documents.find(records, {
      where: { workspace, seq: { gt: reached } },
      sort: [['seq', 'asc']],
      limit: rowsAtOnce,
    })
    if (rows.length === 0) return reached
    await indexRows(ports, workspace, index, rows)
    reached = rows.at(-1)?.seq ?? reached
    await copied(rows.length, reached)
  }
}
