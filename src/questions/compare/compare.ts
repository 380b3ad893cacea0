/**
 * Compares claims (SEMANTICS 6): entry by entry in the order of the journal, each row with the rows that share a subject
 * key. It runs after indexing, so that no write waits for it, in short turns, and pauses while writes wait.
 */

import { serviceActor } from '../../access/actor.ts'
import type { WorkspaceId } from '../../ids.ts'
import { advanceCompared, checkpointOf, comparedOf } from '../../journal/checkpoint.ts'
import type { Entry } from '../../journal/entry.ts'
import { loadEntry } from '../../journal/head.ts'
import { giveWay } from '../../journal/turns.ts'
import { chunks } from '../../ports/chunks.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { accept } from '../../receipts/accept.ts'
import { kinds } from '../../records/kinds.ts'
import { changedRow, type PrecedentRecord, records } from '../../records/record.ts'
import { claimsIn, withAllClaims } from '../../records/superseded-claims.ts'
import { isApplicable } from '../is-applicable.ts'
import { candidatesOf, rowsOf } from './candidates.ts'
import { type ComparePorts, foundOf, type Turns } from './compare-ports.ts'
import type { Comparison, RowResult } from './compare-tasks.ts'
import { type Found, findQuestion } from './find.ts'
import { findRepeats } from './repeats.ts'
import { type SubjectKey, subjectKeys } from './subject-keys.ts'

/** Rows per turn: those whose keys are written, and those compared with others. After each turn other work may run. */
const keyedAtOnce = 50
const comparedAtOnce = 20
/** Pairs of rows compared in one turn. */
const mostPairs = 240
/** Findings of one row that are submitted for one audience. */
const mostFindings = 5

/** Compares up to checkpoint.indexed, read at the start. Several may run at the same time. */
export async function compareWorkspace(
  ports: ComparePorts,
  { workspace }: { workspace: WorkspaceId },
  stopping?: AbortSignal,
): Promise<void> {
  for await (const _ of compareInTurns(ports, workspace, stopping)) {
    // runs every turn without pausing for other workspaces
  }
}

/**
 * Yields before each turn, so that other workspaces get a turn. After each entry it asks `leaves` whether other workspaces
 * wait: if so, it returns 'some' when entries are left.
 */
export async function* compareInTurns(
  ports: ComparePorts,
  workspace: WorkspaceId,
  stopping?: AbortSignal,
  leaves: () => boolean = () => false,
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
  await deleteRetractedKeys(ports, entry)
  const rows = await rowsToCompare(ports, entry)
  const keyed: { row: PrecedentRecord; keys: readonly SubjectKey[] }[] = []
  for (const some of chunks(rows, keyedAtOnce)) {
    if (stopping?.aborted) return false
    yield* turn()
    const results = await ports.compareWorker.run('keys', some)
    const made = some.map((row, at) => ({ row, keys: foundOf(ports, row, results[at]) }))
    const keys = made.flatMap((one) => one.keys)
    if (keys.length > 0) await ports.documents.insertMany(subjectKeys, keys)
    keyed.push(...made)
  }
  // only after all keys of the entry are stored, so that two of its rows find each other
  for (const some of chunks(keyed, comparedAtOnce)) {
    if (stopping?.aborted) return false
    yield* turn()
    yield* compareRows(ports, some, turn)
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

function isFault(result: RowResult<unknown> | undefined): boolean {
  return result !== undefined && 'fault' in result
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

/** Deletes the keys of retracted claims: they would take up places among the candidates of other rows. */
async function deleteRetractedKeys(ports: ComparePorts, entry: Entry): Promise<void> {
  const ids = entry.records.flatMap((change) =>
    change.type === 'changed' && change.set.kind !== 'question' && claimsIn(change.set.mutable ?? {}).length > 0
      ? [change.id]
      : [],
  )
  for (const some of chunks([...new Set(ids)], keyedAtOnce)) {
    const rows = await ports.documents.find(records, { where: { id: { in: some } }, limit: some.length })
    const original = rows.map((row) => changedRow(row, { mutable: withAllClaims(row.mutable) }))
    const [left, before] = [
      await ports.compareWorker.run('keys', rows),
      await ports.compareWorker.run('keys', original),
    ]
    const gone = rows.flatMap((row, at) => {
      // if a rule failed, it is unknown which keys are left
      if (isFault(left[at])) return []
      const kept = new Set(foundOf(ports, row, left[at]).map(({ id }) => id))
      return foundOf(ports, row, before[at]).flatMap(({ id }) => (kept.has(id) ? [] : [id]))
    })
    if (gone.length > 0) await ports.documents.delete(subjectKeys, gone)
  }
}

function isComparable(row: PrecedentRecord): boolean {
  return kinds[row.kind].isKnowledge && row.feed !== 'none' && isApplicable(row, 'contradiction')
}

async function* compareRows(
  ports: ComparePorts,
  keyed: readonly { row: PrecedentRecord; keys: readonly SubjectKey[] }[],
  turn: () => Turns,
): Turns {
  let comparisons: Comparison[] = []
  let pairs = 0
  const giveWay = inTurns()
  for (const { row, keys } of keyed) {
    await giveWay()
    for (const ids of await candidatesOf(ports.documents, row, keys)) {
      const others = (await rowsOf(ports.documents, ids)).filter(isComparable)
      if (others.length === 0) continue
      comparisons.push({ row, others })
      pairs += others.length
      if (pairs < mostPairs) continue
      await findAmong(ports, comparisons)
      comparisons = []
      pairs = 0
      yield* turn()
    }
  }
  await findAmong(ports, comparisons)
}

async function findAmong(ports: ComparePorts, comparisons: readonly Comparison[]): Promise<void> {
  if (comparisons.length === 0) return
  const results = await ports.compareWorker.run('findings', comparisons)
  for (const [at, { row, others }] of comparisons.entries()) {
    const found = foundOf(ports, row, results[at])
    // the row may have been superseded since its entry was written
    if (found.length === 0 || !(await isStillComparable(ports, row))) continue
    for (const { rule, other: id } of found.slice(0, mostFindings)) {
      const other = others.find((one) => one.id === id) as PrecedentRecord
      await submit(ports, row.workspace, { rule, a: row.record_id, b: other.record_id }, [row.id, id])
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
  const idempotencyKey = `find/${input.rule}/${[...rows].sort().join('/')}`
  const ids = [input.a, input.b].sort() as [string, string]
  await accept(ports, {
    operation: findQuestion,
    actor,
    input: { ...input, a: ids[0], b: ids[1] },
    idempotencyKey,
    lane: 'import',
  })
}
