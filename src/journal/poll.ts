/**
 * Apply and index workers look for their work themselves (PROTOCOL 4), so that nothing rests on the queue: it may be
 * away, have lost its wake-ups, or not be there at all.
 */
import type { Handler, Job, JobKind, Turn } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { checkpointOf, headOf } from './head.ts'
import { type Open, openLanes } from './open-lanes.ts'
import type { JournalPorts } from './ports.ts'

/** Workspaces of one look: those after them come with the next one. */
const workspacesAtOnce = 500
/** Marks of the look before that are kept. */
const mostRemembered = 10_000
/** ms of turns between two looks: what is accepted meanwhile takes part in them soon. */
const turnsLast = 1_000

/**
 * One look. Where receipts are open the queue is told, which gives each lane to one worker. What it does not take, or
 * has not moved since the look before, is done here: lane by lane in turns, with another look now and then, until no
 * lane is left.
 */
export function poller(ports: JournalPorts, kind: JobKind, run: Handler, stopping?: AbortSignal): () => Promise<void> {
  const { clock } = ports
  const find = finder(ports, kind)
  return async () => {
    const here = new Map<string, Job>()
    do {
      for (const job of await find()) here.set(keyOf(job), job)
      const until = clock.elapsed() + turnsLast
      // a lane that gives up its place comes again at the end
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

/** Tells the queue of what is open. Returns the lanes that it does not take or has not moved. */
function finder(ports: JournalPorts, kind: JobKind): () => Promise<Job[]> {
  const progressBefore = new Map<string, string>()
  let after = ''
  return async () => {
    const { found, last } = await openLanes(ports.documents, { after, limit: workspacesAtOnce })
    after = last ?? ''
    if (progressBefore.size > mostRemembered) progressBefore.clear()
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

/** false: an engine is away, and nothing else would succeed now. */
async function ran(ports: JournalPorts, kind: JobKind, run: Handler, job: Job, turn: Turn): Promise<boolean> {
  try {
    await run(job, turn)
    return true
  } catch (error) {
    ports.log.warn({ err: error, kind, ...job }, 'what was found by looking for it failed; it is tried again')
    return !(error instanceof EngineUnavailable)
  }
}

/** Another one where anything has moved. */
async function progressOf({ documents }: JournalPorts, { workspace, oldest }: Open): Promise<string> {
  const [head, checkpoint] = await Promise.all([headOf(documents, workspace), checkpointOf(documents, workspace)])
  return [oldest, head.number, checkpoint.projected, checkpoint.indexed].join(' ')
}

/** Workers that look at the same time begin at different places, so that they do not race each other for each. */
function shuffled<T>(all: readonly T[], { clock }: JournalPorts): T[] {
  const rest = [...all]
  for (let at = rest.length - 1; at > 0; at--) {
    const other = Math.floor(clock.random() * (at + 1))
    ;[rest[at], rest[other]] = [rest[other] as T, rest[at] as T]
  }
  return rest
}
