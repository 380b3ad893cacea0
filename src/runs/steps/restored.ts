/**
 * Internal operation: the store was restored from a backup. What the sessions of a run did after the backup is not known,
 * so that a person must let it go on.
 */
import { z } from 'zod'
import { nothingChanged } from '../../deciding/outcome.ts'
import { defineOperation } from '../../operation.ts'
import { uuid } from '../../validation/schema.ts'
import { runAtHead } from '../deciding/newest.ts'
import { moveRun } from '../deciding/transition.ts'

const input = z.strictObject({ run: uuid })
type Input = z.output<typeof input>

export const restoredStates = ['queued', 'planning', 'running'] as const

export const restoreRun = defineOperation<Input>({
  name: 'run.restored',
  scope: 'admin',
  summary: 'Lets a run that had not ended await approval, because its store was restored.',
  format: 2,
  raisesQuestions: false,
  input,
  texts: () => [],

  async decide(context) {
    const run = await runAtHead(context.state, context.input.run)
    if (!(restoredStates as readonly string[]).includes(run.mutable.state)) return nothingChanged
    return moveRun(context, run, { set: { state: 'awaiting_approval' }, why: 'The store was restored from a backup.' })
  },
})
