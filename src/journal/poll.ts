/**
 * Apply and index workers look for their work themselves (PROTOCOL 4), so that nothing rests on the queue: it may be
 * away, have lost its wake-ups, or not be there at all.
 */
import type { Job, JobKind } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { checkpointOf, headOf } from './head.ts'
import { type Open, openLanes } from './open.ts'
import type { JournalPorts } from './ports.ts'

/** Workspaces of one look: those after them come with the next one. */
const workspacesAtOnce = 500
/** Marks of the look before that are kept. */
const mostMarks = 10_000

/**
 * One look. Where receipts are open the queue is told, which gives each lane to one worker. What it does not take, or
 * has not moved since the look before, is done here.
 */
export function poller(ports: JournalPorts, kind: JobKind, run: (job: Job) => Promise<void>): () => Promise<void> {
  const marks = new Map<string, string>()
  let after = ''
  return async () => {
    const { found, last } = await openLanes(ports.documents, { after, limit: workspacesAtOnce })
    after = last ?? ''
    if (marks.size > mostMarks) marks.clear()
    for (const open of shuffled(found, ports)) {
      const { workspace, lane } = open
      const key = `${workspace} ${lane}`
      const mark = await markOf(ports, open)
      const stands = marks.get(key) === mark
      marks.set(key, mark)
      const taken = await ports.queue.add(kind, { workspace, lane }).then(
        () => true,
        () => false,
      )
      if (taken && !stands) continue
      if (!(await ran(ports, kind, run, { workspace, lane }))) return
    }
  }
}

/** false: an engine is away, and nothing else would succeed now. */
async function ran(ports: JournalPorts, kind: JobKind, run: (job: Job) => Promise<void>, job: Job): Promise<boolean> {
  try {
    await run(job)
    return true
  } catch (error) {
    ports.log.warn({ err: error, kind, ...job }, 'what was found by looking for it failed; it is tried again')
    return !(error instanceof EngineUnavailable)
  }
}

/** Another one where anything has moved. */
async function markOf({ documents }: JournalPorts, { workspace, oldest }: Open): Promise<string> {
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
