/** What runs become in the store beside their rows: their states, leases and notices. */
import { defineProjection, projectionOf } from '../../records/projections/projection.ts'
import { runStateDocuments } from '../../records/run.ts'
import { leases } from './lease.ts'
import { notices } from './notice.ts'

/** Workers find queued runs by it, so leases and rows are written before. */
export const projectRunStates = projectionOf({
  name: 'run_states',
  collection: runStateDocuments,
  keeps: 'newest',
  lookups: { id: {}, place: {} },
  format: 2,
})

/** The lease of each new run. Only workers and maintain change it after that. */
export const projectLeases = defineProjection({
  writes: [leases],
  write(writes, { records: changes }) {
    const made = changes.flatMap((change) => {
      if (change.type !== 'new' || change.row.kind !== 'run') return []
      const { record_id: id, workspace } = change.row
      return [{ id, workspace, fence: 0, beat: 0, holder: null, open: 1 }]
    })
    if (made.length > 0) writes.insertMany(leases, made)
  },
})

export const projectNotices = projectionOf({ name: 'notices', collection: notices, keeps: 'once', format: 2 })
