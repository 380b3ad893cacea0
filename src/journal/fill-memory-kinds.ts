/**
 * maintain: fills memory_kind of rows that were written before this field existed, in small batches, so that requests
 * don't wait. Until then a search by kind also reads the rows without one.
 */
import { bodyOf, memoryKindOf } from '../records/body.ts'
import { records } from '../records/record.ts'
import { checkpointPages } from './checkpoint-pages.ts'
import type { JournalPorts } from './ports.ts'

const workspacesAtOnce = 500
const rowsAtOnce = 200

export async function fillMemoryKinds({ documents }: JournalPorts, stopping: AbortSignal): Promise<void> {
  for await (const page of checkpointPages(documents, workspacesAtOnce, [])) {
    for (const { id: workspace } of page) {
      // each round leaves fewer of them; a workspace without any costs one look-up in the index
      for (let filled = rowsAtOnce; filled === rowsAtOnce && !stopping.aborted; ) {
        const where = { workspace, kind: 'memory', memory_kind: null }
        const rows = await documents.find(records, { where, limit: rowsAtOnce, fields: ['id', 'kind', 'body'] })
        const updates = rows.map((row) => {
          return { id: row.id, change: { set: { memory_kind: memoryKindOf(bodyOf(row, 'memory')) } } }
        })
        if (updates.length > 0) await documents.updateEach(records, updates)
        filled = rows.length
      }
    }
  }
}
