/** Lets a few batches at a time be parsed and accepted. Workspaces take turns, and so do the credentials of each. */
import { problem } from '../../problem.ts'
import type { Shared } from '../limits.ts'
import { sharesOf, type Taker } from './shares.ts'

export interface Slots {
  /** Runs it when a slot is free. Throws unavailable when that takes too long, or too many wait already. */
  run<T>(by: Taker, work: () => Promise<T>): Promise<T>
}

/** ms. A caller that waits longer had better come again: its connection may be cut by then. */
const longestWait = 20_000

export function slots(atOnce: Shared, mostWaiting: Shared): Slots {
  const running = sharesOf(atOnce)
  const waiting = sharesOf(mostWaiting)
  const turns = queue()

  function turn(by: Taker): Promise<void> {
    if (running.take(by, 1)) return Promise.resolve()
    if (!waiting.take(by, 1)) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.give(by, 1)
      }
      const timer = setTimeout(() => {
        remove()
        leave()
        reject(busy())
      }, longestWait)
      const remove = turns.add(by, () => {
        leave()
        resolve()
      })
    })
  }

  function handOn(): void {
    for (;;) {
      const next = turns.next((by) => running.take(by, 1))
      if (next === undefined) return
      next()
    }
  }

  return {
    async run(by, work) {
      await turn(by)
      try {
        return await work()
      } finally {
        running.give(by, 1)
        handOn()
      }
    },
  }
}

type Begin = () => void

/** By workspace and then by credential, in the order of turns: each goes to the end when it had one. */
function queue() {
  const lines = new Map<string, Map<string, Begin[]>>()

  return {
    /** Returns what takes it out again. */
    add({ workspace, credential }: Taker, begin: Begin): () => void {
      const line = lines.get(workspace) ?? new Map<string, Begin[]>()
      const begins = line.get(credential) ?? []
      begins.push(begin)
      line.set(credential, begins)
      lines.set(workspace, line)
      return () => {
        begins.splice(begins.indexOf(begin), 1)
        if (begins.length === 0) line.delete(credential)
        if (line.size === 0) lines.delete(workspace)
      }
    },
    /** The first that `may` have a slot. */
    next(may: (by: Taker) => boolean): Begin | undefined {
      for (const [workspace, line] of lines) {
        for (const [credential, begins] of line) {
          if (!may({ workspace, credential })) continue
          const begin = begins.shift()
          line.delete(credential)
          if (begins.length > 0) line.set(credential, begins)
          lines.delete(workspace)
          if (line.size > 0) lines.set(workspace, line)
          return begin
        }
      }
      return undefined
    },
  }
}

function busy() {
  return problem('unavailable', 'Other imports are under way. Send it again with the same Idempotency-Key.', {
    headers: { 'Retry-After': '5' },
  })
}
