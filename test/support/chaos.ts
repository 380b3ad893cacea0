/**
 * A worker's view of the real store and index, with faults. The order of calls depends on a seed. The worker may die
 * before or after a call, lose an answer, or be suspended until it is resumed.
 */
import type { Documents, OrderedWrites } from '../../src/ports/documents.ts'
import { oneByOne } from '../../src/ports/in-order.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'

export type Fault = 'die before' | 'die after' | 'lose answer' | 'refuse' | 'freeze'

export interface Worker {
  documents: Documents
  search: SearchEngine
  /** Rejects when the worker dies. Nothing of it runs after that. */
  died: Promise<never>
  isDead(): boolean
  /** Resumes a suspended call. */
  thaw(): void
}

export class Died extends Error {}

/** A small, fast random generator with a seed (mulberry32): the same seed gives the same run. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const ticks = async (count: number): Promise<void> => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve))
}

/** `faults`: the number of the call → its fault. */
export function worker(
  engines: { documents: Documents; search: SearchEngine },
  random: () => number,
  faults: ReadonlyMap<number, Fault>,
): Worker {
  let calls = 0
  let dead = false
  let frozen: (() => void)[] = []
  let die: (error: Died) => void = () => {}
  const died = new Promise<never>((_, reject) => {
    die = reject
  })
  died.catch(() => {})
  const gone = () => {
    dead = true
    die(new Died('the worker died'))
    // the process is dead, so no caller waits for the answer
    return new Promise<never>(() => {})
  }

  function around<T extends object>(engine: T): T {
    const proxy: T = new Proxy(engine, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown
        if (typeof method !== 'function') return method
        // one write after another, each with its own faults, like an engine without such a step
        if (name === 'inOrder') return (ask: (writes: OrderedWrites) => undefined) => oneByOne(proxy as Documents, ask)
        return async (...args: unknown[]) => {
          if (dead) return gone()
          const fault = faults.get(calls++)
          await ticks(Math.floor(random() * 4))
          if (dead || fault === 'die before') return gone()
          if (fault === 'refuse') throw new EngineUnavailable('test', 'refused')
          if (fault === 'freeze') await new Promise<void>((resolve) => frozen.push(resolve))
          const answer = await (method as (...all: unknown[]) => Promise<unknown>).apply(target, args)
          if (dead || fault === 'die after') return gone()
          if (fault === 'lose answer') throw new EngineUnavailable('test', 'the answer was lost')
          await ticks(Math.floor(random() * 2))
          if (dead) return gone()
          return answer
        }
      },
    })
    return proxy
  }

  return {
    documents: around(engines.documents),
    search: around(engines.search),
    died,
    isDead: () => dead,
    thaw() {
      const waiting = frozen
      frozen = []
      for (const go of waiting) go()
    },
  }
}
