/** Measures single writes by 50 callers until all are applied: in force, and found by search. */
import { memoryRequests, writeMemories } from '../calls.ts'
import { sendAll } from '../client.ts'
import { inFolder, withKoa, withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'
import { slowDisk } from '../slow-disk.ts'

const callers = 50
const writes = 6000
const rounds = 3
/** Requests before the measurement, so that V8 has compiled the hot code. */
const warmUp = 10_000

/** Milliseconds of a flush on a disk without a power-safe cache. Few such disks are faster. */
const flush = 1

export async function* accept(): AsyncIterable<Row> {
  const [ours, theirs] = await rates({})
  yield row('accept_to_applied', ours, 'writes/s', { at_least: 1.3 }, theirs)
  yield* await inFolder(async (folder) => {
    const slow = slowDisk(folder, flush)
    if (typeof slow === 'string') {
      process.stderr.write(`  on a slower disk: skipped, ${slow}\n`)
      return []
    }
    const [behind, before] = await rates(slow)
    return [row(`accept_to_applied_flush_${flush}ms`, behind, 'writes/s', { at_least: 4 }, before)]
  })
}

function rates(env: Record<string, string>): Promise<[ours: number, theirs: number]> {
  return withService(
    (service) =>
      withKoa(async (koa) => {
        await writeMemories(service, memoryRequests(service, 0, warmUp), callers)
        await sendAll(koa, memoryRequests(koa, 0, warmUp), callers)
        const firstOf = (round: number) => warmUp + round * writes
        return alternately(
          rounds,
          async (round) => {
            const requests = memoryRequests(service, firstOf(round), writes)
            return (writes / (await writeMemories(service, requests, callers))) * 1000
          },
          async (round) => {
            const requests = memoryRequests(koa, firstOf(round), writes)
            const began = performance.now()
            await sendAll(koa, requests, callers)
            return (writes / (performance.now() - began)) * 1000
          },
        )
      }, env),
    { env },
  )
}
