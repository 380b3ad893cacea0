/** How long a piece of work keeps the thread from others, in processor time: not disturbed by what else the machine does. */

export interface Held {
  /** ms of processor time between two turns of the event loop, at most. */
  longest: number
  /** ms of processor time of all of it. */
  total: number
}

/** The garbage collector's threads count too: what is asserted needs a margin. */
export async function heldBy(work: () => Promise<unknown>): Promise<Held> {
  const begin = process.cpuUsage()
  let longest = 0
  let last = begin
  let next = setImmediate(look)
  function look(): void {
    const now = process.cpuUsage()
    longest = Math.max(longest, msOf(now) - msOf(last))
    last = now
    next = setImmediate(look)
  }
  await work()
  clearImmediate(next)
  const end = process.cpuUsage()
  return { longest: Math.max(longest, msOf(end) - msOf(last)), total: msOf(end) - msOf(begin) }
}

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
