/** The rows of records. */
import { type ChangedFields, records, storedRecord } from '../record.ts'
import { defineProjection } from './projection.ts'

/**
 * Duplicates are rows that another worker wrote for this entry, or newer versions of them. Skipping them loses nothing.
 */
export const projectNewRows = defineProjection({
  writes: [records],
  write(writes, entry) {
    const rows = entry.records.flatMap((change) => (change.type === 'new' ? [storedRecord(change.row)] : []))
    if (rows.length > 0) writes.insertMany(records, rows)
  },
})

export const projectChangedRows = defineProjection({
  writes: [records],
  write(writes, entry) {
    // updates run in any order: without merging, the first of two changes of a row could be skipped as older
    const merged = new Map<string, ChangedFields & { seq: number }>()
    for (const change of entry.records) {
      if (change.type === 'changed') {
        merged.set(change.id, Object.assign({}, merged.get(change.id), change.set, { seq: change.seq }))
      }
    }
    if (merged.size === 0) return
    writes.updateEach(
      records,
      [...merged].map(([id, set]) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
    )
  },
})
