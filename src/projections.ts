/**
 * What an entry of the journal becomes: its projections, in the order of their writes. The checkpoint follows the last
 * one (journal/project.ts), so a worker that dies in between leaves the whole entry to the next worker.
 */
import { projectOutcomes } from './receipts/outcomes.ts'
import { projectLinks } from './records/projections/links.ts'
import { projectOutcomeKeys } from './records/projections/outcomes.ts'
import type { Projection } from './records/projections/projection.ts'
import { projectQuestionLinks } from './records/projections/question-links.ts'
import { projectChangedRows, projectNewRows } from './records/projections/rows.ts'
import { projectSourceKeys } from './records/projections/source-keys.ts'
import { projectSuccessions } from './records/projections/successions.ts'
import { projectClaims } from './records/projections/superseded-claims.ts'
import { projectActivities, projectTaskKeys, projectTaskParents } from './records/projections/tasks.ts'
import { projectLeases, projectNotices, projectRunStates } from './runs/stored/projections.ts'

export const projections: readonly Projection[] = [
  // before the changed rows: a successor that a row drops must not be missing in between
  projectSuccessions,
  projectNewRows,
  // after the new rows: readers must never see superseded_by of a row that does not exist yet
  projectChangedRows,
  projectSourceKeys,
  projectQuestionLinks,
  projectClaims,
  projectOutcomeKeys,
  projectLinks,
  projectTaskParents,
  projectActivities,
  projectTaskKeys,
  projectLeases,
  projectNotices,
  // after the leases: workers find queued runs by their states
  projectRunStates,
  // last: a failed receipt has ended, so all writes of its entry are durable
  projectOutcomes,
]
