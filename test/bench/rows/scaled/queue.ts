/** Measures wake-ups by our queue on BullMQ. The baseline is BullMQ alone, on the same Redis with the same options. */
import { Queue as Bull, type Job, Worker } from 'bullmq'
import { pino } from 'pino'
import { bullmqQueue } from '../../../../src/adapters/bullmq/queue.ts'
import { systemClock } from '../../../../src/adapters/system-clock.ts'
import type { WorkspaceId } from '../../../../src/ids.ts'
import { alternately, type Row, row } from '../../row.ts'

const jobs = 3_000
const rounds = 3
const callers = 50
const concurrency = 4

export async function* queueRows(url: string): AsyncIterable<Row> {
  const added: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  const [ours, theirs] = await alternately(
    rounds,
    async (round) => {
      const measured = await addAndDrain(throughAdapter(url, round))
      added.ours.push(measured.added)
      return measured.drained
    },
    async (round) => {
      const measured = await addAndDrain(plain(url, round))
      added.theirs.push(measured.added)
      return measured.drained
    },
  )
  yield row('queue_add', middle(added.ours), 'jobs/s', null, middle(added.theirs))
  yield row('queue_drain', ours, 'jobs/s', null, theirs)
}

interface Measured {
  add(n: number): Promise<unknown>
  /** Starts the worker. It calls back for each job. */
  begin(done: () => void): void
  close(): Promise<unknown>
}

async function addAndDrain(queue: Measured): Promise<{ added: number; drained: number }> {
  await queue.add(-1)
  const began = performance.now()
  let next = 0
  const one = async () => {
    while (next < jobs) await queue.add(next++)
  }
  await Promise.all(Array.from({ length: callers }, one))
  const added = (jobs / (performance.now() - began)) * 1000
  const working = performance.now()
  await new Promise<void>((resolve) => {
    let done = 0
    queue.begin(() => {
      done += 1
      if (done === jobs + 1) resolve()
    })
  })
  const drained = (jobs / (performance.now() - working)) * 1000
  await queue.close()
  return { added, drained }
}

function throughAdapter(url: string, round: number): Measured {
  const queue = bullmqQueue({ url, prefix: `ours-${round}` }, systemClock, pino({ level: 'silent' }))
  return {
    // a new workspace for each, because wake-ups of one workspace are merged
    add: (n) => queue.add('apply', { workspace: `workspace-${n}` as WorkspaceId, lane: 'interactive' }),
    begin: (done) => queue.process('apply', concurrency, async () => done()),
    close: () => queue.close(5_000),
  }
}

function plain(url: string, round: number): Measured {
  const { hostname, port } = new URL(url)
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null }
  const queue = new Bull('apply', { connection, prefix: `theirs-${round}` })
  let worker: Worker | undefined
  return {
    add: (n) =>
      queue.add(
        'apply',
        { workspace: `workspace-${n}` },
        {
          removeOnComplete: true,
          removeOnFail: true,
          deduplication: { id: `workspace-${n}`, keepLastIfActive: true },
        },
      ),
    begin(done) {
      worker = new Worker('apply', async (_: Job) => done(), { connection, prefix: `theirs-${round}`, concurrency })
    },
    async close() {
      await worker?.close()
      await queue.close()
    },
  }
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
