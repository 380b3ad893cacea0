/**
 * Finds proposals that repeat a decision that failed, whichever of the two was recorded first. Both are searched for
 * by their tags, so that other records take up no places among the candidates.
 */

import { serviceActor } from '../../access/actor.ts'
import type { Audience } from '../../ids.ts'
import type { Entry } from '../../journal/entry.ts'
import { chunks } from '../../ports/chunks.ts'
import { accept } from '../../receipts/accept.ts'
import type { PrecedentRecord, RecordOf } from '../../records/record.ts'
import { tagOf } from '../../records/search-document.ts'
import { candidatesOf, rowsOf } from './candidates.ts'
import { type ComparePorts, foundOf, type Turns } from './compare-ports.ts'
import type { Comparison } from './compare-tasks.ts'
import { audiencesBeside } from './compared-audiences.ts'
import { isNameable, nameFailure } from './name-failure.ts'

type Role = 'proposed' | 'failed'

/** Rows read by one query. */
const rowsAtOnce = 20
/** Findings of one row that are submitted for one audience. */
const mostFindings = 5

/** Returns false if it was stopped before the end. */
export async function* findRepeats(
  ports: ComparePorts,
  entry: Entry,
  turn: () => Turns,
  stopping: AbortSignal | undefined,
): Turns<boolean> {
  const found = await rowsToCompare(ports, entry)
  const beside = await audiencesBeside(ports.documents, entry.workspace, found)
  for (const row of found) {
    if (stopping?.aborted) return false
    yield* turn()
    await findAmong(ports, await comparisonsOf(ports, row, beside))
  }
  return true
}

/** New proposals, and decisions that this entry says have failed or that were revised after they failed. */
async function rowsToCompare({ documents }: ComparePorts, entry: Entry): Promise<PrecedentRecord[]> {
  const created = entry.records.flatMap((change) => (change.type === 'new' ? [change.row] : []))
  const failed = entry.records.flatMap((change) =>
    change.type === 'changed' && isFailure(change.set.mutable) ? [change.id] : [],
  )
  const rows: PrecedentRecord[] = []
  for (const ids of chunks([...new Set(failed)], rowsAtOnce)) rows.push(...(await rowsOf(documents, ids)))
  const all = new Map([...created, ...rows].map((row) => [row.id, row]))
  return [...all.values()].filter((row) => roleOf(row) !== undefined)
}

function roleOf(row: PrecedentRecord): Role | undefined {
  if (row.kind !== 'decision') return undefined
  if (row.status === 'proposed') return 'proposed'
  return isFailure(row.mutable) ? 'failed' : undefined
}

function isFailure(mutable: object | undefined): boolean {
  return (mutable as Partial<RecordOf<'decision'>['mutable']> | undefined)?.outcome?.status === 'failure'
}

/** An index that lacks the tag finds no row of the role, so that comparing waits for one that has it. */
const tagsOfRole: { readonly [role in Role]: readonly string[] } = {
  proposed: [tagOf('status', 'proposed')],
  failed: [tagOf('outcome', 'failure')],
}

async function comparisonsOf(
  ports: ComparePorts,
  row: PrecedentRecord,
  beside: readonly Audience[],
): Promise<Comparison[]> {
  const wanted = roleOf(row) === 'proposed' ? 'failed' : 'proposed'
  const found: Comparison[] = []
  const filter = { kinds: ['decision' as const], tags: [tagsOfRole[wanted]] }
  for (const near of await candidatesOf(ports, row, { beside, filter })) {
    const ids = near.map(({ id }) => id)
    const others = (await rowsOf(ports.documents, ids)).filter(
      (other) => roleOf(other) === wanted && isNameable(...inOrder(row, other)),
    )
    if (others.length > 0) found.push({ row, others })
  }
  return found
}

function inOrder(one: PrecedentRecord, other: PrecedentRecord): [proposal: PrecedentRecord, failed: PrecedentRecord] {
  return roleOf(one) === 'proposed' ? [one, other] : [other, one]
}

async function findAmong(ports: ComparePorts, comparisons: readonly Comparison[]): Promise<void> {
  if (comparisons.length === 0) return
  const results = await ports.compareWorker.run('repeats', comparisons)
  for (const [at, { row, others }] of comparisons.entries()) {
    const found = new Set(foundOf(ports, row, results[at]).slice(0, mostFindings))
    for (const other of others.filter(({ id }) => found.has(id))) await submit(ports, ...inOrder(row, other))
  }
}

/** Once for each proposal and outcome: a proposal that is judged and proposed again is another row. */
async function submit(ports: ComparePorts, proposal: PrecedentRecord, failed: PrecedentRecord): Promise<void> {
  const { workspace } = proposal
  const outcome = failed.kind === 'decision' ? failed.mutable.outcome?.id : undefined
  await accept(ports, {
    operation: nameFailure,
    actor: serviceActor('compare', workspace, await ports.workspaceType(workspace)),
    input: { proposal: proposal.record_id, failed: failed.record_id },
    idempotencyKey: `repeat/${proposal.id}/${failed.id}/${outcome}`,
    lane: 'import',
  })
}
