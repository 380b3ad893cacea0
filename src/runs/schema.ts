/** Inputs of the calls that start, approve and cancel a run. The `id` is that of the task. */
import { z } from 'zod'
import { runModes } from '../records/run.ts'
import { idempotencyKey, name, text, uuid } from '../validation/schema.ts'

export const mostInstructionsCharacters = 20_000
const mostNoteCharacters = 2_000

/** Whether a task is run, and how. Also a field of the task. */
export const executorName = () => name().describe('The executor, by its name in the file of the operator.')
export const instructions = () =>
  text(0, mostInstructionsCharacters).describe(
    'What the executor should know or do besides the description, in Markdown.',
  )

export const startRunInput = z.strictObject({
  id: uuid.describe('The task.'),
  mode: z
    .enum(runModes)
    .exactOptional()
    .describe(
      'plan: it makes a plan and waits for approval. auto: the policy decides. Left out: that of the task, or auto.',
    ),
  executor: executorName()
    .exactOptional()
    .describe('The executor, by its name. Left out: that of the task, or the only one.'),
  instructions: instructions()
    .exactOptional()
    .describe('What the executor should know or do besides the description. Left out: those of the task.'),
  idempotency_key: idempotencyKey.exactOptional(),
})
export type StartRunInput = z.output<typeof startRunInput>

export const approveRunInput = z.strictObject({
  id: uuid.describe('The task.'),
  plan_revision: z
    .int()
    .min(0)
    .describe('The revision of the plan that you have read; 0 if the run waits without a plan.'),
  note: text(0, mostNoteCharacters)
    .exactOptional()
    .describe('What the executor should heed. It gets it with the plan.'),
  idempotency_key: idempotencyKey.exactOptional(),
})
export type ApproveRunInput = z.output<typeof approveRunInput>

export const cancelRunInput = z.strictObject({
  id: uuid.describe('The task.'),
  reason: text(0, mostNoteCharacters).exactOptional().describe('Why. The activity of the task shows it.'),
  idempotency_key: idempotencyKey.exactOptional(),
})
export type CancelRunInput = z.output<typeof cancelRunInput>
