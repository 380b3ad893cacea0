/** What a write and a search cost at 1,000,000 decisions against 10,000, and the memory that it takes. */
import { type Asked, importDecisions, memoryRequests, searchTimes, writeMemories } from '../calls.ts'
import type { Target } from '../client.ts'
import { residentMegabytes, withService } from '../processes.ts'
import { type Row, row } from '../row.ts'
import { queryOf } from '../texts.ts'

const few = 10_000
const many = 1_000_000
const writes = 5000
const callers = 50
const queries = 500
const warmUp = 500
/** Decisions whose texts are held by this process at once. */
const piece = 20_000

export async function* million(): AsyncIterable<Row> {
  yield* await withService(async (service) => {
    await importDecisions(service, 0, few)
    await writeMemories(service, memoryRequests(service, 0, writes), callers)
    const atFew = { write: await writeCost(service, writes), search: await searchCost(service, few) }
    for (let first = few; first < many; first += piece) {
      await importDecisions(service, first, Math.min(piece, many - first))
      process.stderr.write(`  ${Math.min(first + piece, many).toLocaleString('en')} of ${many.toLocaleString('en')}\r`)
    }
    const atMany = { write: await writeCost(service, 2 * writes), search: await searchCost(service, many) }
    const memory = residentMegabytes(service.child)
    return [
      row('write_1m_against_10k', atMany.write, 'ms', { at_most: 1.3 }, atFew.write),
      row('search_1m_against_10k', atMany.search, 'ms', { at_most: 3 }, atFew.search),
      ...(memory === undefined ? [] : [row('memory_1m', memory, 'MB', { at_most: 400 })]),
    ]
  })
}

/** Milliseconds a write, until all are applied. */
async function writeCost(target: Target, first: number): Promise<number> {
  return (await writeMemories(target, memoryRequests(target, first, writes), callers)) / writes
}

/** Milliseconds a search, the mean. */
async function searchCost(target: Target, decisions: number): Promise<number> {
  const asked = Array.from({ length: warmUp + queries }, (_, n): Asked => ({ target, q: queryOf(n, 0, decisions) }))
  const times = await searchTimes(asked, warmUp)
  return times.reduce((sum, ms) => sum + ms, 0) / times.length
}
