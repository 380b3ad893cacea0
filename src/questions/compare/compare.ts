/**
 * Compares claims (SEMANTICS 6): entry by entry in the order of the journal, each row with the rows that a search for its
 * words finds first. While the search engine is away, comparing waits and loses nothing. It runs after indexing, so that
 * no write waits for it, in short turns, and pauses while writes wait.
 */

import { serviceActor, userOfService } from '../../access/actor.ts'
import type { Audience, WorkspaceId } from '../../ids.ts'
import { advanceCompared, checkpointOf, comparedOf } from '../../journal/checkpoint.ts'
import type { Entry } from '../../journal/entry.ts'
import { loadEntry } from '../../journal/head.ts'
import { giveWay } from '../../journal/turns.ts'
import { chunks } from '../../ports/chunks.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { accept } from '../../receipts/accept.ts'
import { exactHash } from '../../records/content-hash.ts'
import { kinds } from '../../records/kinds.ts'
import { type PrecedentRecord, records } from '../../records/record.ts'
import { isApplicable } from '../is-applicable.ts'
import { candidatesOf, rowsOf } from './candidates.ts'
import { type ComparePorts, foundOf, type Turns } from './compare-ports.ts'
import type { Comparison } from './compare-tasks.ts'
import { audiencesBeside } from './compared-audiences.ts'
import { type Found, findQuestion } from './find.ts'
import { judgedAmong } from './judged.ts'
import { findRepeats } from './repeats.ts'

/** Rows per turn. After each turn other work may run. */
const comparedAtOnce = 5
/** Pairs of rows compared in one turn. */
const mostPairs = 60
/** Findings of one row that are submitted for one audience. */
const mostFindings = 5

/**
 * Compares up to checkpoint.indexed, read at the start. Several may run at the same time. Yields before each turn, so that
 * other workspaces get a turn. After each entry it asks `leaves` whether other workspaces wait: if so, it returns 'some'
 * when entries are left.
 */
export async function* compareInTurns(
  ports: ComparePorts,
  workspace: WorkspaceId,
  stopping: AbortSignal | undefined,
  leaves: () => boolean,
): Turns<'all' | 'some'> {
  const { indexed } = await checkpointOf(ports.documents, workspace)
  // one counter for all entries, so that it also pauses between short entries
  const yielding = turnsOf(ports)
  for (let number = (await comparedOf(ports.documents, workspace)) + 1; number <= indexed; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    if (!entry.emptied && !(yield* compareEntry(ports, entry, yielding, stopping))) return 'some'
    // another worker has compared this entry and continues
    if (!(await advanceCompared(ports.documents, workspace, number))) return 'all'
    if (number < indexed && leaves()) return 'some'
  }
  return 'all'
}

/** Returns false if it was stopped before the end: the next run starts with this entry again. */
async function* compareEntry(
  ports: ComparePorts,
  entry: Entry,
  turn: () => Turns,
  stopping: AbortSignal | undefined,
): Turns<boolean> {
  const rows = await rowsToCompare(ports, entry)
  const beside = await audiencesBeside(ports.documents, entry.workspace, rows)
  for (const some of chunks(rows, comparedAtOnce)) {
    if (stopping?.aborted) return false
    yield* turn()
    yield* compareRows(ports, some, beside, turn)
  }
  return yield* findRepeats(ports, entry, turn, stopping)
}

/** Pauses before each turn. The longer the last turn took, the longer the pause. */
function turnsOf(ports: ComparePorts): () => Turns {
  let took = 0
  let began: number | undefined
  return async function* () {
    if (began !== undefined) took = performance.now() - began
    yield
    await giveWay(ports, took)
    began = performance.now()
  }
}

/** The new rows that may be in force now or later, and the current rows of proposals that were accepted. */
async function rowsToCompare({ documents }: ComparePorts, entry: Entry): Promise<PrecedentRecord[]> {
  const created = entry.records.flatMap((change) =>
    change.type === 'new' && isComparable(change.row) ? [change.row] : [],
  )
  const accepted = entry.records.flatMap((change) =>
    change.type === 'changed' && change.set.status === 'accepted' ? [change.id] : [],
  )
  if (accepted.length === 0) return created
  const rows = await documents.find(records, { where: { id: { in: accepted } }, limit: accepted.length })
  return [...created, ...rows.filter(isComparable)]
}

/** What an executor reports of its work raises no questions. */
const ofRuns = userOfService('run')

function isComparable(row: PrecedentRecord): boolean {
  const isComparedKind = kinds[row.kind].isKnowledge && row.created_by !== ofRuns
  return isComparedKind && row.feed !== 'none' && isApplicable(row, 'contradiction')
}

async function* compareRows(
  ports: ComparePorts,
  rows: readonly PrecedentRecord[],
  beside: readonly Audience[],
  turn: () => Turns,
): Turns {
  let comparisons: Comparison[] = []
  let pairs = 0
  const giveWay = inTurns()
  const now = new Date(ports.clock.now()).toISOString()
  for (const row of rows) {
    await giveWay()
    // a record that is not in force yet is compared with what is in force then
    const filter = { as_of: row.valid_from > now ? row.valid_from : now }
    for (const near of await candidatesOf(ports, row, { beside, filter })) {
      const ids = near.map(({ id }) => id)
      const others = (await rowsOf(ports.documents, ids)).filter(isComparable)
      if (others.length === 0) continue
      comparisons.push({ row, others, near })
      pairs += others.length
      if (pairs < mostPairs) continue
      yield* findAmong(ports, comparisons, turn)
      comparisons = []
      pairs = 0
      yield* turn()
    }
  }
  yield* findAmong(ports, comparisons, turn)
}

async function* findAmong(ports: ComparePorts, comparisons: readonly Comparison[], turn: () => Turns): Turns {
  if (comparisons.length === 0) return
  const results = await ports.compareWorker.run('findings', comparisons)
  for (const [at, { row, others }] of comparisons.entries()) {
    const byRules = foundOf(ports, row, results[at])
    const found = [...byRules, ...(await judgedAmong(ports, { row, others }, byRules))]
    // the judge may have taken long
    if (ports.askJudge) yield* turn()
    // the row may have been superseded since its entry was written
    if (found.length === 0 || !(await isStillComparable(ports, row))) continue
    for (const { rule, other: id, judged } of found.slice(0, mostFindings)) {
      const other = others.find((one) => one.id === id) as PrecedentRecord
      await submit(
        ports,
        row.workspace,
        { rule, a: row.record_id, b: other.record_id, ...(judged ? { judged } : {}) },
        [row.id, id],
      )
    }
  }
}

async function isStillComparable({ documents }: ComparePorts, { id }: PrecedentRecord): Promise<boolean> {
  const now = await documents.get(records, id)
  return now !== undefined && isComparable(now)
}

async function submit(
  ports: ComparePorts,
  workspace: WorkspaceId,
  input: Found,
  rows: readonly string[],
): Promise<void> {
  const actor = serviceActor('compare', workspace, await ports.workspaceType(workspace))
  // a judge may find other sentences in another process
  const claims = input.judged ? `/${exactHash(JSON.stringify(Object.entries(input.judged).sort()))}` : ''
  const idempotencyKey = `find/${input.rule}/${[...rows].sort().join('/')}${claims}`
  const ids = [input.a, input.b].sort() as [string, string]
  await accept(ports, {
    operation: findQuestion,
    actor,
    input: { ...input, a: ids[0], b: ids[1] },
    idempotencyKey,
    lane: 'import',
  })
}
