/** Internal operation: a session has ended, with a result or an error. */
import type { DecideContext } from '../../deciding/context.ts'
import { memoryRow } from '../../deciding/new-row.ts'
import type { NewRow } from '../../deciding/outcome.ts'
import { defineOperation } from '../../operation.ts'
import { normalisedHash } from '../../records/content-hash.ts'
import { cut } from '../../records/title.ts'
import { runAtHead } from '../deciding/newest.ts'
import { assertOfSession } from '../deciding/refused.ts'
import { moveRun, type Run } from '../deciding/transition.ts'
import { type RunEndedInput, runEndedInput } from './internal.ts'

type Context = DecideContext<RunEndedInput>

export const runEnded = defineOperation<RunEndedInput>({
  name: 'run.ended',
  scope: 'admin',
  summary: 'Ends a run as succeeded or failed. The summary of one that succeeded becomes a memory.',
  format: 2,
  raisesQuestions: false,
  input: runEndedInput,
  texts: () => [],

  async decide(context) {
    const { input, state } = context
    const run = await runAtHead(state, input.run)
    const { error, result } = input
    // a session that only plans ends with its plan, or fails: it has not carried anything out
    assertOfSession(run.mutable, error === null ? ['running'] : ['planning', 'running'], input)
    if (error !== null) {
      const stored = { ...error, details: error.details ?? null }
      return moveRun(context, run, { set: { state: 'failed', error: stored }, why: error.message })
    }
    const { summary = '', links = [], task_status } = result ?? {}
    const set = { state: 'succeeded' as const, result: { summary, links } }
    const outcome = await moveRun(context, run, { set, taskStatus: task_status })
    return summary.trim() === '' ? outcome : { ...outcome, created: [memoryOf(context, run, summary)] }
  },
})

/** Code points of the title of a memory. */
const longestTitle = 300

function memoryOf(context: Context, { audience, body, title: name }: Run, summary: string): NewRow {
  const title = cut(`Run ${body.number} of ${name}`, longestTitle)
  return memoryRow(context, {
    text: summary,
    title,
    audience,
    sources: [{ type: 'task', id: body.task, title: name, provenance: { class: 'external' } }],
    topics: [],
    content_hash: normalisedHash(['session_outcome', summary, title, '']),
    body: { memory_kind: 'session_outcome' },
  })
}
