/**
 * Finds stranded work, for the maintain worker (PROTOCOL 4). Wakes each workspace that has open receipts, entries to
 * project, or entries to index. Commits links whose instant has come.
 */
import { serviceActor } from '../../access/actor.ts'
import { instant } from '../../ports/clock.ts'
import { type AcceptPorts, accept } from '../../receipts/accept.ts'
import { links } from '../../records/link.ts'
import { checkpointPages } from '../checkpoint.ts'
import { headOf } from '../head.ts'
import { openLanes } from '../open-lanes.ts'
import type { JournalPorts } from '../ports.ts'
import { takeEffect } from './take-effect.ts'

/** ms. Younger receipts are probably being processed. */
const strandedAfter = 5_000
/** Workspaces of one query. */
const workspacesAtOnce = 500
/** Dated links committed in one sweep. */
const linksAtOnce = 500

/** Tries all parts even if one fails, then throws the first error. */
export async function sweep(ports: JournalPorts & AcceptPorts): Promise<void> {
  const failures: unknown[] = []
  for (const part of [wakeStranded, wakeBehind, commitDue]) {
    // if the queue is unavailable, due links are still committed
    await part(ports).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function wakeStranded(ports: JournalPorts): Promise<void> {
  const acceptedBy = new Date(ports.clock.now() - strandedAfter).toISOString()
  let after: string | undefined = ''
  while (after !== undefined) {
    const { found, last } = await openLanes(ports.documents, { after, limit: workspacesAtOnce, acceptedBy })
    for (const { workspace, lane } of found) {
      await ports.queue.add('apply', { workspace, lane })
      await ports.queue.add('index', { workspace, lane })
    }
    after = last
  }
}

async function wakeBehind(ports: JournalPorts): Promise<void> {
  for await (const page of checkpointPages(ports.documents, workspacesAtOnce, ['projected', 'indexed'])) {
    for (const checkpoint of page) {
      const workspace = checkpoint.id
      const head = await headOf(ports.documents, workspace)
      if (head.number > checkpoint.projected) await ports.queue.add('apply', { workspace, lane: 'interactive' })
      if (checkpoint.projected > checkpoint.indexed) await ports.queue.add('index', { workspace, lane: 'interactive' })
    }
  }
}

async function commitDue(ports: JournalPorts & AcceptPorts): Promise<void> {
  const now = instant(ports.clock)
  const due = await ports.documents.find(links, {
    where: { state: 'dated', due: { lte: now } },
    sort: [['due', 'asc']],
    limit: linksAtOnce,
  })
  for (const link of due) {
    await accept(ports, {
      operation: takeEffect,
      actor: serviceActor('maintain', link.workspace, await ports.workspaceType(link.workspace)),
      input: { link: link.id, successor: link.successor, target: link.target },
      // with the instant in the key, a link that gets another date is committed again
      idempotencyKey: `take-effect/${link.id}/${link.due}`,
    })
  }
}
