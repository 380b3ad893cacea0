/** The calls of runs, a row each. */
import { approveRun } from '../../runs/approve.ts'
import { cancelRun } from '../../runs/cancel.ts'
import { explainPolicy } from '../../runs/explain.ts'
import { getRun } from '../../runs/get.ts'
import type { RunShown } from '../../runs/shown.ts'
import { startRun } from '../../runs/start.ts'
import { streamRun, subscribeRun } from '../../runs/subscribe.ts'
import { type Route, read, stream, write } from '../base/route.ts'
import { examples } from './v2-run-examples.ts'

export const runRoutes: readonly Route[] = [
  write('POST', '/api/v2/tasks/:id/run', startRun, {
    keyIsOptional: true,
    bodyIsOptional: true,
    example: examples.startRun,
  }),
  read('GET', '/api/v2/tasks/:id/policy', explainPolicy, { example: examples.explainPolicy }),
  read('GET', '/api/v2/tasks/:id/run', getRun, {
    tagged: (output) => ({ hashed: withoutFleet(output as RunShown) }),
    example: examples.getRun,
  }),
  write('POST', '/api/v2/tasks/:id/run/approve', approveRun, { keyIsOptional: true, example: examples.approveRun }),
  write('POST', '/api/v2/tasks/:id/run/cancel', cancelRun, {
    keyIsOptional: true,
    bodyIsOptional: true,
    example: examples.cancelRun,
  }),
  read('GET', '/api/v2/tasks/:id/run/subscribe', subscribeRun, { waits: true, example: examples.subscribeRun }),
  stream('/api/v2/tasks/:id/run/subscribe', streamRun, { example: examples.streamRun }),
]

/** The fleet changes with the runs of others, and with every worker that comes or goes. */
export function withoutFleet({ fleet: _, ...run }: RunShown): Omit<RunShown, 'fleet'> {
  return run
}
