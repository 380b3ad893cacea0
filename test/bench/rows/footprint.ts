/** Measures the memory of an idle service, and the time from its start to its first answer. */
import { setTimeout } from 'node:timers/promises'
import { startService } from '../../support/service.ts'
import { memoryRequests, searchTimes, writeMemories } from '../calls.ts'
import { inFolder, residentMegabytes, withService } from '../processes.ts'
import { median, type Row, row } from '../row.ts'

const starts = 5

export async function* footprint(): AsyncIterable<Row> {
  const idle: number[] = []
  for (let n = 0; n < starts; n++) idle.push(await idleMegabytes())
  if (!idle.includes(Number.NaN)) yield row('memory_idle', median(idle), 'MB', { at_most: 120 })

  const boots: number[] = []
  for (let n = 0; n < starts; n++) boots.push(await bootMs())
  yield row('boot_to_first_answer', median(boots), 'ms', { at_most: 1000 })
}

/** After one write and one search. NaN: the system does not tell. */
export function idleMegabytes(env: Record<string, string> = {}): Promise<number> {
  return withService(
    async (service) => {
      await writeMemories(service, memoryRequests(service, 0, 1), 1)
      await searchTimes([{ target: service, q: 'what was written' }], 0)
      await setTimeout(2000)
      return residentMegabytes(service.child) ?? Number.NaN
    },
    { env },
  )
}

/** Milliseconds from the start of the process on an empty folder to the answer of a search. */
function bootMs(): Promise<number> {
  return inFolder(async (dataDir) => {
    const began = performance.now()
    const service = await startService({ dataDir })
    await searchTimes([{ target: service, q: 'anything' }], 0)
    const ms = performance.now() - began
    await service.stop()
    return ms
  })
}
