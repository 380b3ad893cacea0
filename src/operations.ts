/** All operations of the service. drain looks them up here by name. */
import { importDecisions } from './decisions/import.ts'
import { recordOutcome } from './decisions/outcome.ts'
import { recordDecision } from './decisions/record.ts'
import { supersedeDecision } from './decisions/supersede.ts'
import { takeEffect } from './journal/maintenance/take-effect.ts'
import { remember } from './memories/remember.ts'
import type { Operation } from './operation.ts'
import { resolve } from './questions/answer/resolve.ts'
import { findQuestion } from './questions/compare/find.ts'
import { gatherProposals } from './questions/old-proposals/gather.ts'
import { approveRun } from './runs/approve.ts'
import { cancelRun } from './runs/cancel.ts'
import { startRun } from './runs/start.ts'
import { beginRun } from './runs/steps/begin.ts'
import { runEnded } from './runs/steps/ended.ts'
import { expireRun } from './runs/steps/expire.ts'
import { runLost } from './runs/steps/lost.ts'
import { runPlanned } from './runs/steps/planned.ts'
import { restoreRun } from './runs/steps/restored.ts'
import { commentOnTask } from './tasks/comment.ts'
import { createTask } from './tasks/create.ts'
import { updateTask } from './tasks/update.ts'

export const operations = [
  remember,
  recordDecision,
  importDecisions,
  supersedeDecision,
  recordOutcome,
  resolve,
  takeEffect,
  findQuestion,
  gatherProposals,
  createTask,
  updateTask,
  commentOnTask,
  startRun,
  approveRun,
  cancelRun,
  beginRun,
  runPlanned,
  runEnded,
  runLost,
  expireRun,
  restoreRun,
] as unknown as Operation<never>[]

export const operationsByName: ReadonlyMap<string, Operation<never>> = new Map(
  operations.map((operation) => [operation.name, operation]),
)
