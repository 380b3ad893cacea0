/**
 * maintain: memories that were written before their row had its kind get it from their body, a few at a time, so that
 * what is asked meanwhile does not wait. Until then who looks for a kind looks among them as well.
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
      // each round leaves fewer of them, and a workspace without any costs a look into the index
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
