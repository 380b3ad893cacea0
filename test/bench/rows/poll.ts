/** Measures polls of ended receipts by 50 callers. The baseline reads a row by its id. */
import { memoriesPath, memoryRequests, writeMemories } from '../calls.ts'
import { type Answered, get, sendAll, type Target } from '../client.ts'
import { withKoa, withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'

const callers = 50
const stored = 2000
const polls = 15_000
const rounds = 5
const warmUp = 10_000

export async function* poll(): AsyncIterable<Row> {
  const [ours, theirs] = await withService((service) =>
    withKoa(async (koa) => {
      const requests = memoryRequests(service, 0, stored)
      const receipts = idsOf(await sendAll(service, requests, callers))
      // sends the same writes again, to get the same receipts and to be sure that all have ended
      await writeMemories(service, requests.slice(-callers), callers)
      const rows = idsOf(await sendAll(koa, memoryRequests(koa, 0, stored), callers))
      const ask = async (target: Target, path: string, ids: readonly string[], count: number) => {
        const gets = Array.from({ length: count }, (_, n) => get(target, `${path}/${ids[(n * 7919) % ids.length]}`))
        const began = performance.now()
        await sendAll(target, gets, callers)
        return (count / (performance.now() - began)) * 1000
      }
      await ask(service, '/v1/receipts', receipts, warmUp)
      await ask(koa, memoriesPath, rows, warmUp)
      return alternately(
        rounds,
        () => ask(service, '/v1/receipts', receipts, polls),
        () => ask(koa, memoriesPath, rows, polls),
      )
    }),
  )
  yield row('receipt_poll', ours, 'polls/s', { at_least: 0.55 }, theirs)
}

function idsOf(answers: readonly Answered[]): string[] {
  return answers.map(({ body }) => (JSON.parse(body) as { receipt_id: string }).receipt_id)
}
