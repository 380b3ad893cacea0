import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { RunWorkerPorts } from '../../src/runs/worker/ports.ts'
import { runWorker } from '../../src/runs/worker/worker.ts'

it('a run worker looks again if it is asked to just when a look ends', async () => {
  let looks = 0
  const reportIssue = () => {
    looks += 1
    if (looks === 1) queueMicrotask(() => void worker.look())
  }
  const worker = runWorker({ executors: [], reportIssue } as unknown as RunWorkerPorts)
  await worker.look()
  await setImmediate()
  expect(looks).toBe(2)
})
