/**
 * Inputs and idempotency keys of the internal operations of runs. Run workers and maintain submit them as receipts of
 * serviceActor('run' | 'maintain'). The key of a step contains the run and its fence, or the instant since which the run
 * waits. So a step that is submitted again takes effect only once.
 */
import { z } from 'zod'
import type { RecordId } from '../../ids.ts'
import { runPhases } from '../../records/run.ts'
import { taskStatuses } from '../../records/task-values.ts'
import { atMost, characters, instant, mostTextCharacters, text, uuid } from '../../validation/schema.ts'

export const mostPlanCharacters = 50_000
export const mostSteps = 100
export const mostStepCharacters = 1_000
export const mostLinks = 50
export const mostLinkCharacters = 2_000
const mostMessageCharacters = 2_000

const ofSession = { run: uuid, fence: z.int().min(1) }

export const beginRunInput = z.strictObject({ ...ofSession, phase: z.enum(runPhases) })
export type BeginRunInput = z.output<typeof beginRunInput>

export const runPlannedInput = z.strictObject({
  ...ofSession,
  text: text(0, mostPlanCharacters),
  steps: atMost(mostSteps, z.array(text(0, mostStepCharacters))),
})
export type RunPlannedInput = z.output<typeof runPlannedInput>

/** `error`: the session failed. Otherwise it succeeded. Only a session that carries out can succeed. */
export const runEndedInput = z.strictObject({
  ...ofSession,
  result: z
    .strictObject({
      summary: text(0, mostTextCharacters),
      links: atMost(mostLinks, z.array(text(0, mostLinkCharacters))),
      task_status: z.enum(taskStatuses).exactOptional(),
    })
    .nullable(),
  error: z
    .strictObject({
      code: characters(1, 100),
      message: characters(1, mostMessageCharacters),
      details: z.record(z.string(), z.unknown()).exactOptional(),
    })
    .nullable(),
})
export type RunEndedInput = z.output<typeof runEndedInput>

/** `fence`: that of the lease after the loss. `uncounted`: its worker stopped in order, which is no attempt. */
export const runLostInput = z.strictObject({ ...ofSession, uncounted: z.boolean().exactOptional() })
export type RunLostInput = z.output<typeof runLostInput>

/** `since`: the instant since which it awaits approval. */
export const expireRunInput = z.strictObject({ run: uuid, since: instant })
export type ExpireRunInput = z.output<typeof expireRunInput>

/** The idempotency key of a step. `of`: the fence, or the instant since which a run waits. */
export function stepKey(
  operation: 'run.begin' | 'run.planned' | 'run.ended' | 'run.lost' | 'run.expire',
  run: RecordId,
  of: number | string,
): string {
  return `${operation}/${run}/${of}`
}
