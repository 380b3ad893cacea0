/**
 * Polling of the apply and index workers (PROTOCOL 4). It makes the queue optional: the queue may be unavailable, or may
 * have lost its wake-ups.
 */
import { LRUCache } from 'lru-cache'
import type { Handler, Job, JobKind, Turn } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { checkpointOf } from './checkpoint.ts'
import { headOf } from './head.ts'
import { type Open, openLanes } from './open-lanes.ts'
import type { JournalPorts } from './ports.ts'

/** Workspaces of one look. The next look continues after them. */
const workspacesAtOnce = 500
/** Lanes whose progress is remembered. */
const mostRemembered = 10_000
/** ms after which the poller looks again, so that newly accepted receipts take part soon. */
const turnsLast = 1_000

/**
 * Looks once for lanes with work, and adds each to the queue, which gives a lane to one worker. If the queue refuses a
 * lane, or the lane has not moved since the last look, this poller runs it. It runs such lanes in turns and looks again
 * from time to time, until none is left.
 */
export function poller(ports: JournalPorts, kind: JobKind, run: Handler, stopping?: AbortSignal): () => Promise<void> {
  const { clock } = ports
  const find = finder(ports, kind)
  return async () => {
    const here = new Map<string, Job>()
    do {
      for (const job of await find()) here.set(keyOf(job), job)
      const until = clock.elapsed() + turnsLast
      // a lane that gives up its place is added again, at the end
      for (const [key, job] of here) {
        here.delete(key)
        const giveUp = async () => {
          if (here.size === 0 && clock.elapsed() < until && !stopping?.aborted) return false
          here.set(key, job)
          return true
        }
        if (!(await ran(ports, kind, run, job, { giveUp })) || stopping?.aborted) return
        if (clock.elapsed() >= until) break
      }
    } while (here.size > 0)
  }
}

/** Adds open lanes to the queue. Returns those that it refused or that are stuck. */
function finder(ports: JournalPorts, kind: JobKind): () => Promise<Job[]> {
  const progressBefore = new LRUCache<string, string>({ max: mostRemembered })
  let after = ''
  return async () => {
    const { found, last } = await openLanes(ports.documents, { after, limit: workspacesAtOnce })
    after = last ?? ''
    const left: Job[] = []
    for (const open of shuffled(found, ports)) {
      const { workspace, lane } = open
      const key = keyOf(open)
      const progress = await progressOf(ports, open)
      const isStuck = progressBefore.get(key) === progress
      progressBefore.set(key, progress)
      const taken = await ports.queue.add(kind, { workspace, lane }).then(
        () => true,
        () => false,
      )
      if (!taken || isStuck) left.push({ workspace, lane })
    }
    return left
  }
}

function keyOf({ workspace, lane }: Job): string {
  return `${workspace} ${lane}`
}

/** false: an engine is unavailable, so other jobs would fail too. */
async function ran(ports: JournalPorts, kind: JobKind, run: Handler, job: Job, turn: Turn): Promise<boolean> {
  try {
    await run(job, turn)
    return true
  } catch (error) {
    ports.log.warn({ err: error, kind, ...job }, 'polled job failed; it will be retried')
    return !(error instanceof EngineUnavailable)
  }
}

/** A string that changes whenever the lane makes progress. */
async function progressOf({ documents }: JournalPorts, { workspace, oldest }: Open): Promise<string> {
  const [head, checkpoint] = await Promise.all([headOf(documents, workspace), checkpointOf(documents, workspace)])
  return [oldest, head.number, checkpoint.projected, checkpoint.indexed].join(' ')
}

/** Random order, so that workers that poll at the same time don't race for the same lanes. */
function shuffled<T>(all: readonly T[], { clock }: JournalPorts): T[] {
  const rest = [...all]
  for (let at = rest.length - 1; at > 0; at--) {
    const other = Math.floor(clock.random() * (at + 1))
    ;[rest[at], rest[other]] = [rest[other] as T, rest[at] as T]
  }
  return rest
}
