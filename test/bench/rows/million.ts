/** Measures writes, searches and memory with 1,000,000 decisions. The baseline has 10,000. */
import { type Asked, importDecisions, memoryRequests, searchTimes, writeMemories } from '../calls.ts'
import type { Target } from '../client.ts'
import { residentMegabytes, withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'
import { queryOf } from '../texts.ts'

const few = 10_000
const many = 1_000_000
const writes = 5000
const callers = 50
const queries = 500
const warmUp = 500
const rounds = 3
/** Decisions whose texts are in memory at the same time. */
const piece = 20_000

export async function* million(): AsyncIterable<Row> {
  yield* await withService((small) =>
    withService(async (large) => {
      await importDecisions(small, 0, few)
      for (let first = 0; first < many; first += piece) {
        await importDecisions(large, first, piece)
        process.stderr.write(`  ${(first + piece).toLocaleString('en')} of ${many.toLocaleString('en')}\r`)
      }
      // alternately, and both after the import, because the speed of the machine may change during the import
      const [writeMany, writeFew] = await alternately(
        rounds,
        (round) => writeCost(large, round * writes),
        (round) => writeCost(small, round * writes),
      )
      const [searchMany, searchFew] = await alternately(
        rounds,
        () => searchCost(large, many),
        () => searchCost(small, few),
      )
      const memory = residentMegabytes(large.child)
      return [
        row('write_1m_against_10k', writeMany, 'ms', { at_most: 1.3 }, writeFew),
        row('search_1m_against_10k', searchMany, 'ms', { at_most: 3 }, searchFew),
        ...(memory === undefined ? [] : [row('memory_1m', memory, 'MB', { at_most: 400 })]),
      ]
    }),
  )
}

/** Mean milliseconds of a write, until all are applied. */
async function writeCost(target: Target, first: number): Promise<number> {
  return (await writeMemories(target, memoryRequests(target, first, writes), callers)) / writes
}

/** Mean milliseconds of a search. */
async function searchCost(target: Target, decisions: number): Promise<number> {
  const asked = Array.from({ length: warmUp + queries }, (_, n): Asked => ({ target, q: queryOf(n, 0, decisions) }))
  const times = await searchTimes(asked, warmUp)
  return times.reduce((sum, ms) => sum + ms, 0) / times.length
}
