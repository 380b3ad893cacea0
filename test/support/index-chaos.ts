/** Workers that index and rebuild while they are killed, frozen and cut off from their engines. */
import type { JournalPorts } from '../../src/journal/ports.ts'
import { Died, type Fault, ticks, type Worker, worker } from './chaos.ts'

type Engines = Pick<JournalPorts, 'documents' | 'search'>

const kinds: Fault[] = ['die before', 'die after', 'lose answer', 'refuse', 'freeze']

/** `faultRate`: the share of calls of an engine that fail. */
export function chaoticWorkers(random: () => number, faultRate: number) {
  const living = new Set<Worker>()
  let working = true
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

  async function loop(work: () => Promise<unknown>, most: number): Promise<void> {
    while (working) {
      await work()
      await ticks(1 + Math.floor(random() * most))
    }
  }

  return {
    pick,
    /** Repeats the work, up to `most` ticks apart, until `end` is called. */
    loop,
    /** Resumes frozen workers now and then. */
    thawing: () =>
      loop(async () => {
        await ticks(Math.floor(random() * 300))
        for (const one of living) if (random() < 0.4) one.thaw()
      }, 1),
    /** Throws what no fault explains. */
    async inWorker(engines: Engines, work: (engines: Engines) => Promise<unknown>): Promise<void> {
      const faults = new Map<number, Fault>()
      for (let call = 0; call < 100; call++) if (random() < faultRate) faults.set(call, pick(kinds))
      // often in the middle of a rebuild
      if (random() < 0.3) faults.set(Math.floor(random() * 20), 'freeze')
      const one = worker(engines, random, faults)
      living.add(one)
      try {
        await Promise.race([work({ documents: one.documents, search: one.search }), one.died])
      } catch (error) {
        const { name, message } = error as Error
        const isExpected = error instanceof Died || name === 'EngineUnavailable'
        if (!isExpected && !/was abandoned|was lost while it was filled/.test(message)) throw error
      } finally {
        living.delete(one)
      }
    },
    /** Ends the loops, and waits for them: `running` is all of them. */
    async end(running: Promise<unknown>): Promise<void> {
      working = false
      const resuming = setInterval(() => {
        for (const one of living) one.thaw()
      }, 1)
      await running.finally(() => clearInterval(resuming))
    },
  }
}
