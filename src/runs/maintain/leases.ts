/**
 * Looks at all open leases, for maintain (V2 4.4). It takes the lease of a session that is silent for 60 s, and closes
 * the lease of a run that has ended. A crash between two steps is found by a later look.
 */
import type { RecordId } from '../../ids.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { instant } from '../../ports/clock.ts'
import { pagesById } from '../../ports/pages.ts'
import { hasEnded, type RunStateDocument, runStateDocuments } from '../../records/run.ts'
import { submit } from '../steps/submit.ts'
import { closeLease, type Lease, leases, loseLease } from '../stored/lease.ts'
import { closeMilestones } from '../stored/milestone.ts'

/** ms. Longer than a session lives after its last renewal, and than its process takes to end (worker/keeper.ts). */
const lostAfter = 60_000
/** Leases of one query. */
const pageSize = 500

type State = Pick<RunStateDocument, 'id' | 'state' | 'audience'>
/** `at`: when the first look that found it so had read it. */
type Seen = Pick<Lease, 'fence' | 'beat' | 'holder'> & { at: number }

/** Returns one look. It remembers what it has seen in the looks before. */
export function leaseWatcher(ports: JournalPorts): () => Promise<void> {
  const { clock } = ports
  let seen = new Map<string, Seen>()
  return async () => {
    const now = new Map<string, Seen>()
    const failures: unknown[] = []
    for await (const { page, startedAt } of openLeases(ports)) {
      const readAt = clock.elapsed()
      const states = await statesOf(ports, page)
      for (const lease of page) {
        const before = seen.get(lease.id)
        const found = isSame(lease, before) ? before : { ...lease, at: readAt }
        now.set(lease.id, found)
        // from after the first look until before this one, because the store may take long to answer
        const isSilent = startedAt - found.at >= lostAfter
        // one run that fails must not hold up the others
        await handle(ports, lease, states.get(lease.id), isSilent).catch((error: unknown) => failures.push(error))
      }
    }
    seen = now
    if (failures.length > 0) throw failures[0]
  }
}

function isSame({ fence, beat, holder }: Lease, before: Seen | undefined): before is Seen {
  return before?.fence === fence && before.beat === beat && before.holder === holder
}

async function handle(ports: JournalPorts, lease: Lease, run: State | undefined, isSilent: boolean): Promise<void> {
  if (run === undefined) return
  const isActive = run.state === 'planning' || run.state === 'running'
  if (lease.holder === null && hasEnded(run.state)) await close(ports, lease, run)
  // also without a holder: its worker may have died between two steps
  else if (isSilent && (lease.holder !== null || isActive)) await lose(ports, lease)
}

async function close({ documents, clock }: JournalPorts, lease: Lease, { audience }: State): Promise<void> {
  const { id: run, workspace, fence } = lease
  await closeMilestones(documents, { workspace, audience, run }, { fence, at: instant(clock) })
  await closeLease(documents, lease)
}

async function lose(ports: JournalPorts, { id: run, workspace, fence, beat, holder }: Lease): Promise<void> {
  if (!(await loseLease(ports.documents, { id: run, fence, beat, holder }))) return
  ports.watch?.sessions?.lost()
  ports.log.warn({ run, fence, holder }, 'a session was silent for too long; its run goes on without it')
  const next = fence + 1
  await submit(ports, 'maintain', { operation: 'run.lost', workspace, run, of: next, input: { fence: next } })
}

/** `startedAt`: before the page was read. */
async function* openLeases({ documents, clock }: JournalPorts): AsyncGenerator<{ page: Lease[]; startedAt: number }> {
  let startedAt = clock.elapsed()
  for await (const page of pagesById(documents, leases, { where: { open: 1 }, limit: pageSize })) {
    yield { page, startedAt }
    startedAt = clock.elapsed()
  }
}

async function statesOf({ documents }: JournalPorts, page: readonly Lease[]): Promise<Map<RecordId, State>> {
  const found = await documents.find(runStateDocuments, {
    where: { id: { in: page.map(({ id }) => id) } },
    limit: page.length,
    fields: ['id', 'state', 'audience'],
  })
  return new Map(found.map((state) => [state.id, state]))
}
