/** Carries out the projections of entries (src/projections.ts). Safe to run twice and concurrently (PROTOCOL 2.3-2.5). */
import assert from 'node:assert/strict'
import type { WorkspaceId } from '../ids.ts'
import { instant } from '../ports/clock.ts'
import type { OrderedWrites } from '../ports/documents.ts'
import { alone } from '../ports/queue.ts'
import { newestFormat } from '../receipt.ts'
import { checkpointOf, checkpoints } from './checkpoint.ts'
import type { Entry } from './entry.ts'
import type { Head } from './head.ts'
import { loadEntry } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { type WorkerTurn, workerTurn } from './turns.ts'

/** The entry has a newer format than this worker supports. Newer workers will handle the workspace. */
export class NewerFormat extends Error {}

/**
 * Projects all entries after the checkpoint up to `head`. false: it stopped early, because another workspace takes the
 * place.
 */
export async function projectUpTo(
  ports: JournalPorts,
  workspace: WorkspaceId,
  head: Head,
  turn: Pick<WorkerTurn, 'isGivenUp'> = workerTurn(ports.clock, alone),
): Promise<boolean> {
  const checkpoint = await checkpointOf(ports.documents, workspace)
  for (let number = checkpoint.projected + 1; number <= head.number; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    assert(entry, `entry ${number} of ${workspace} is missing`)
    await project(ports, entry)
    if (number < head.number && (await turn.isGivenUp())) return false
  }
  return true
}

export async function project(ports: JournalPorts, entry: Entry): Promise<void> {
  if (entry.format > newestFormat) {
    const known = `this worker knows ${newestFormat}: upgrade it`
    ports.reportIssue('format', `a journal entry has format ${entry.format}, ${known}`)
    throw new NewerFormat(`entry ${entry.id} has format ${entry.format}`)
  }
  const asks = entry.emptied ? [] : await writesOf(ports, entry)
  await ports.documents.inOrder((writes) => {
    for (const ask of asks) ask(writes)
    // last: from here on no worker reads this entry again
    writes.update(
      checkpoints,
      entry.workspace,
      { set: { projected: entry.number, projected_seq: entry.last_seq } },
      { projected: { lt: entry.number } },
    )
  })
  const ended = entry.receipts.filter((decided) => decided.state !== 'applied').map((decided) => decided.receipt)
  if (ended.length > 0) ports.ended(ended)
  const runs = entry.documents.run_states?.map(({ id }) => id) ?? []
  if (runs.length > 0) ports.runsChanged?.(runs)
}

/** Runs the reads of all projections before the first of their writes. */
async function writesOf(
  { documents, projections, clock }: JournalPorts,
  entry: Entry,
): Promise<((writes: OrderedWrites) => void)[]> {
  const now = instant(clock)
  const asks: ((writes: OrderedWrites) => void)[] = []
  for (const projection of projections) {
    const read = await projection.read?.(documents, entry)
    asks.push((writes) => projection.write(writes, entry, { read, now }))
  }
  return asks
}
