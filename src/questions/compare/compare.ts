/**
 * Compares the records of an entry of the journal with the rows that a search for their words finds first (SEMANTICS 6).
 * It runs after indexing, so that no write waits for it. While the search engine is away, comparing waits and loses
 * nothing. What it finds is committed by operations that check it again at head (find.ts, name-failure.ts).
 */
import { serviceActor } from '../../access/actor.ts'
import type { WorkspaceId } from '../../ids.ts'
import { advanceCompared, checkpointOf, comparedOf } from '../../journal/checkpoint.ts'
import type { Entry } from '../../journal/entry.ts'
import { loadEntry } from '../../journal/head.ts'
import { instant } from '../../ports/clock.ts'
import { accept } from '../../receipts/accept.ts'
import { exactHash } from '../../records/content-hash.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import { audiencesBeside, candidatesOf, rowsOf } from './candidates.ts'
import { comparingClaims } from './claims.ts'
import type { PairFound } from './compare-tasks.ts'
import type { ComparePorts, Comparing } from './comparing.ts'
import { findQuestion } from './find.ts'
import { nameFailure } from './name-failure.ts'
import { comparingRepeats, proposalFirst } from './repeats.ts'

/** Findings of one row that are submitted for one audience. */
const mostFindings = 5

/**
 * Compares the next entry, if it is indexed. Returns whether more entries are left. It may be paused or stopped at each
 * yield, which tells how many pairs of rows were compared since the one before. If it is stopped, the next run starts with
 * this entry again. Several may run at the same time.
 */
export async function* compareNext(ports: ComparePorts, workspace: WorkspaceId): AsyncGenerator<number, boolean> {
  const { indexed } = await checkpointOf(ports.documents, workspace)
  const number = (await comparedOf(ports.documents, workspace)) + 1
  if (number > indexed) return false
  const entry = await loadEntry(ports.documents, workspace, number)
  if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
  if (!entry.emptied) for (const way of [comparingClaims, comparingRepeats]) yield* compareEntry(ports, entry, way)
  // false: another worker has compared this entry and continues
  return (await advanceCompared(ports.documents, workspace, number)) && number < indexed
}

async function* compareEntry(ports: ComparePorts, entry: Entry, way: Comparing): AsyncGenerator<number> {
  const { documents, clock } = ports
  const rows = await way.rows(documents, entry)
  const beside = await audiencesBeside(documents, entry.workspace, rows)
  for (const row of rows) {
    yield 0
    for (const near of await candidatesOf(ports, row, beside, way.filter(row, instant(clock)))) {
      const others = (await rowsOf(documents, near)).filter((other) => way.isOther(row, other.row))
      if (others.length === 0) continue
      const found = await way.find(ports, row, others)
      for (const one of found.slice(0, mostFindings)) {
        const other = others.find(({ id }) => id === one.other)?.row as PrecedentRecord
        await submit(ports, row, other, one)
      }
      yield others.length
    }
  }
}

async function submit(
  ports: ComparePorts,
  row: PrecedentRecord,
  other: PrecedentRecord,
  { rule, judged }: PairFound,
): Promise<void> {
  const { workspace } = row
  const actor = serviceActor('compare', workspace, await ports.workspaceType(workspace))
  const lane = 'import' as const
  if (rule === 'repeat') {
    const [proposal, failed] = proposalFirst(row, other)
    const input = { proposal: proposal.record_id, failed: failed.record_id }
    const outcome = failed.kind === 'decision' ? failed.mutable.outcome?.id : undefined
    // once for each proposal and outcome: a proposal that is judged and proposed again is another row
    const idempotencyKey = `repeat/${proposal.id}/${failed.id}/${outcome}`
    await accept(ports, { operation: nameFailure, actor, input, idempotencyKey, lane })
    return
  }
  const [a, b] = [row.record_id, other.record_id].sort()
  // a judge may find other sentences in another process
  const claims = judged ? `/${exactHash(JSON.stringify(Object.entries(judged).sort()))}` : ''
  const idempotencyKey = `find/${rule}/${[row.id, other.id].sort().join('/')}${claims}`
  const input = { rule, a, b, ...(judged ? { judged } : {}) }
  await accept(ports, { operation: findQuestion, actor, input, idempotencyKey, lane })
}
