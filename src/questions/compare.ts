/**
 * Comparing claims (SEMANTICS 6): entries that are indexed, one by one, each row with those that share a key with it.
 * Outside the way to applied: it begins behind the index, goes in turns, and gives way to writes that wait.
 */
import assert from 'node:assert/strict'
import { serviceActor } from '../access/actor.ts'
import { advanceCompared, comparedOf } from '../journal/compared.ts'
import type { Entry } from '../journal/entry.ts'
import { giveWay } from '../journal/give-way.ts'
import { checkpointOf } from '../journal/head.ts'
import { loadEntry } from '../journal/load-entry.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { inTurns } from '../ports/in-turns.ts'
import { accept } from '../receipts/accept.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { chunks } from '../records/read.ts'
import { changedRow, type PrecedentRecord, records } from '../records/record.ts'
import { claimsIn, withAllClaims } from '../records/superseded-claims.ts'
import { candidatesOf, rowsOf } from './candidates.ts'
import type { Examined, Held } from './examine.ts'
import type { Examiner } from './examiner.ts'
import { type Found, findQuestion } from './find.ts'
import { stands } from './stands.ts'
import { type SubjectKey, subjectKeys } from './subject-keys.ts'

/** Rows whose keys are written at once, and rows that are held against others at once; then it gives way. */
const keyedAtOnce = 50
const heldAtOnce = 20
/** Pairs of rows that are examined at once; then it gives way. */
const mostPairs = 240
/** Findings of one row, of those that one audience would be asked about. */
const mostFindings = 5

export type ComparePorts = JournalPorts & { examiner: Examiner }

/** Up to checkpoint.indexed as it stands when it begins. Many may run at once. */
export async function compareWorkspace(
  ports: ComparePorts,
  { workspace }: { workspace: WorkspaceId },
  stopping?: AbortSignal,
): Promise<void> {
  for await (const _ of compareInTurns(ports, workspace, stopping)) {
    // nobody else takes turns with it
  }
}

type Turns<T = void> = AsyncGenerator<void, T>

/**
 * Yields before each turn, so that other workspaces have theirs. Ends with 'some' if `leaves` says after an entry that
 * others wait, and entries are left.
 */
export async function* compareInTurns(
  ports: ComparePorts,
  workspace: WorkspaceId,
  stopping?: AbortSignal,
  leaves: () => boolean = () => false,
): Turns<'all' | 'some'> {
  const { indexed } = await checkpointOf(ports.documents, workspace)
  // for all entries: a turn of one is followed by a turn of the next
  const yielding = turnsOf(ports)
  for (let number = (await comparedOf(ports.documents, workspace)) + 1; number <= indexed; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    if (!entry.emptied && !(yield* compareEntry(ports, entry, yielding, stopping))) return 'some'
    // another worker was first, and goes on
    if (!(await advanceCompared(ports.documents, workspace, number))) return 'all'
    if (number < indexed && leaves()) return 'some'
  }
  return 'all'
}

/** Returns false if it was stopped: it begins again with this entry. */
async function* compareEntry(
  ports: ComparePorts,
  entry: Entry,
  turn: () => Turns,
  stopping: AbortSignal | undefined,
): Turns<boolean> {
  await dropWithdrawn(ports, entry)
  const rows = await claimingRows(ports, entry)
  const keyed: { row: PrecedentRecord; keys: readonly SubjectKey[] }[] = []
  for (const some of chunks(rows, keyedAtOnce)) {
    if (stopping?.aborted) return false
    yield* turn()
    const examined = await ports.examiner.examine('keys', some)
    const made = some.map((row, at) => ({ row, keys: foundOf(ports, row, examined[at]) }))
    const keys = made.flatMap((one) => one.keys)
    if (keys.length > 0) await ports.documents.insertMany(subjectKeys, keys)
    keyed.push(...made)
  }
  // all keys of the entry are there: of two of its rows each finds the other
  for (const some of chunks(keyed, heldAtOnce)) {
    if (stopping?.aborted) return false
    yield* turn()
    yield* compareRows(ports, some, turn)
  }
  return true
}

/** Gives way before each turn, for longer the longer the last one took. */
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

/** Of a row that a rule fails on nothing is found: what is wrong is the rule, and the other rows can't wait for it. */
function foundOf<T>({ log }: ComparePorts, { id, workspace }: PrecedentRecord, examined: Examined<T> | undefined): T[] {
  assert(examined)
  if ('found' in examined) return examined.found
  log.error({ workspace, row: id, err: examined.fault }, 'a rule of open questions failed on a record')
  return []
}

function faultOf(examined: Examined<unknown> | undefined): string | undefined {
  return examined && 'fault' in examined ? examined.fault : undefined
}

/** New rows that hold or may hold later, and proposals that were accepted; each as it is now. */
async function claimingRows({ documents }: ComparePorts, entry: Entry): Promise<PrecedentRecord[]> {
  const made = entry.records.flatMap((change) => (change.type === 'new' && isClaim(change.row) ? [change.row] : []))
  const taken = entry.records.flatMap((change) =>
    change.type === 'changed' && change.set.status === 'accepted' ? [change.id] : [],
  )
  if (taken.length === 0) return made
  const rows = await documents.find(records, { where: { id: { in: taken } }, limit: taken.length })
  return [...made, ...rows.filter(isClaim)]
}

/** Of rows that a claim was withdrawn from: they are found by that one no more, and keep no other from being found. */
async function dropWithdrawn(ports: ComparePorts, entry: Entry): Promise<void> {
  const ids = entry.records.flatMap((change) =>
    change.type === 'changed' && change.set.kind !== 'question' && claimsIn(change.set.body ?? {}).length > 0
      ? [change.id]
      : [],
  )
  for (const some of chunks([...new Set(ids)], keyedAtOnce)) {
    const rows = await ports.documents.find(records, { where: { id: { in: some } }, limit: some.length })
    const asMade = rows.map((row) => changedRow(row, { body: withAllClaims(row.body) }))
    const [left, before] = [await ports.examiner.examine('keys', rows), await ports.examiner.examine('keys', asMade)]
    const gone = rows.flatMap((row, at) => {
      // of a row that a rule fails on it is not known which keys are left
      if (faultOf(left[at]) !== undefined) return []
      const kept = new Set(foundOf(ports, row, left[at]).map(({ id }) => id))
      return foundOf(ports, row, before[at]).flatMap(({ id }) => (kept.has(id) ? [] : [id]))
    })
    if (gone.length > 0) await ports.documents.delete(subjectKeys, gone)
  }
}

function isClaim(row: PrecedentRecord): boolean {
  return (row.kind === 'memory' || row.kind === 'decision') && row.feed !== 'none' && stands(row, 'contradiction')
}

async function* compareRows(
  ports: ComparePorts,
  keyed: readonly { row: PrecedentRecord; keys: readonly SubjectKey[] }[],
  turn: () => Turns,
): Turns {
  let held: Held[] = []
  let pairs = 0
  const giveWay = inTurns()
  for (const { row, keys } of keyed) {
    await giveWay()
    for (const ids of await candidatesOf(ports.documents, row, keys)) {
      const others = (await rowsOf(ports.documents, ids)).filter(isClaim)
      if (others.length === 0) continue
      held.push({ row, others })
      pairs += others.length
      if (pairs < mostPairs) continue
      await findAmong(ports, held)
      held = []
      pairs = 0
      yield* turn()
    }
  }
  await findAmong(ports, held)
}

async function findAmong(ports: ComparePorts, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return
  const examined = await ports.examiner.examine('findings', held)
  for (const [at, { row, others }] of held.entries()) {
    const found = foundOf(ports, row, examined[at])
    // most have nothing; of an old entry the row may have been superseded since
    if (found.length === 0 || !(await stillClaims(ports, row))) continue
    for (const { rule, other: id } of found.slice(0, mostFindings)) {
      const other = others.find((one) => one.id === id) as PrecedentRecord
      await commit(ports, row.workspace, { rule, a: row.record_id, b: other.record_id }, [row.id, id])
    }
  }
}

async function stillClaims({ documents }: ComparePorts, { id }: PrecedentRecord): Promise<boolean> {
  const now = await documents.get(records, id)
  return now !== undefined && isClaim(now)
}

async function commit(
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
