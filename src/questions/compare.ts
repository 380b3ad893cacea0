/**
 * Comparing claims (SEMANTICS 6): entries that are indexed, one by one, each row with those that share a key with it.
 * Outside the way to applied: it begins behind the index, goes in turns, and gives way to writes that wait.
 */
import assert from 'node:assert/strict'
import { serviceActor } from '../access/actor.ts'
import { checkpointPages } from '../journal/checkpoint-pages.ts'
import { advanceCompared, comparedOf, comparisons } from '../journal/compared.ts'
import type { Checkpoint, Entry } from '../journal/entry.ts'
import { giveWay } from '../journal/give-way.ts'
import { checkpointOf } from '../journal/head.ts'
import { loadEntry } from '../journal/load.ts'
import type { JournalPorts } from '../journal/ports.ts'
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
const workspacesAtOnce = 500
/** Workspaces that are remembered as woken; the others are found by looking, every so many ms. */
const mostWoken = 10_000
const lookEvery = 5_000

type Ports = JournalPorts & { examiner: Examiner }

export interface Comparer {
  /** After indexing: this workspace has entries to compare. */
  wake(workspace: WorkspaceId): void
  /** Compares what was woken, and every 5 s whatever else is behind: nothing depends on being woken. */
  look(): Promise<void>
}

export function comparer(ports: Ports, stopping?: AbortSignal): Comparer {
  const woken = new Set<WorkspaceId>()
  let looked = Number.NEGATIVE_INFINITY
  const all = async (workspaces: Iterable<WorkspaceId>, failures: unknown[]) => {
    for (const workspace of workspaces) {
      if (stopping?.aborted) return
      woken.delete(workspace)
      // one that fails keeps no other from being compared
      await compareWorkspace(ports, { workspace }, stopping).catch((error: unknown) => failures.push(error))
    }
  }
  return {
    wake: (workspace) => void (woken.size < mostWoken && woken.add(workspace)),
    async look() {
      const failures: unknown[] = []
      await all([...woken], failures)
      if (ports.clock.elapsed() - looked >= lookEvery) {
        looked = ports.clock.elapsed()
        for await (const page of stranded(ports)) await all(page, failures)
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function* stranded(ports: Ports): AsyncGenerator<WorkspaceId[]> {
  for await (const page of checkpointPages(ports.documents, workspacesAtOnce, ['indexed'])) {
    yield await behind(ports, page)
  }
}

async function behind({ documents }: Ports, page: readonly Pick<Checkpoint, 'id' | 'indexed'>[]) {
  const ids = page.map(({ id }) => id)
  const done = await documents.find(comparisons, { where: { id: { in: ids } }, limit: ids.length })
  const compared = new Map(done.map((one) => [one.id, one.compared]))
  return page.filter(({ id, indexed }) => (compared.get(id) ?? 0) < indexed).map(({ id }) => id)
}

/** Up to checkpoint.indexed as it stands when it begins. Many may run at once. */
export async function compareWorkspace(
  ports: Ports,
  { workspace }: { workspace: WorkspaceId },
  stopping?: AbortSignal,
): Promise<void> {
  const { indexed } = await checkpointOf(ports.documents, workspace)
  // for all entries: a turn of one is followed by a turn of the next
  const turn = turns(ports)
  for (let number = (await comparedOf(ports.documents, workspace)) + 1; number <= indexed; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    if (!entry.emptied && !(await compareEntry(ports, entry, turn, stopping))) return
    if (!(await advanceCompared(ports.documents, workspace, number))) return
  }
}

/** false: it was stopped, and begins again with this entry. */
async function compareEntry(
  ports: Ports,
  entry: Entry,
  turn: () => Promise<void>,
  stopping: AbortSignal | undefined,
): Promise<boolean> {
  await dropWithdrawn(ports, entry)
  const rows = await claimingRows(ports, entry)
  const keyed: { row: PrecedentRecord; keys: readonly SubjectKey[] }[] = []
  for (const some of chunks(rows, keyedAtOnce)) {
    if (stopping?.aborted) return false
    await turn()
    const examined = await ports.examiner.examine('keys', some)
    const made = some.map((row, at) => ({ row, keys: foundOf(ports, row, examined[at]) }))
    const keys = made.flatMap((one) => one.keys)
    if (keys.length > 0) await ports.documents.insertMany(subjectKeys, keys)
    keyed.push(...made)
  }
  // all keys of the entry are there: of two of its rows each finds the other
  for (const some of chunks(keyed, heldAtOnce)) {
    if (stopping?.aborted) return false
    await turn()
    await compareRows(ports, some, turn)
  }
  return true
}

/** Gives way before each turn, for longer the longer the last one took. */
function turns(ports: Ports): () => Promise<void> {
  let began: number | undefined
  return async () => {
    await giveWay(ports, began === undefined ? 0 : performance.now() - began)
    began = performance.now()
  }
}

/** Of a row that a rule fails on nothing is found: what is wrong is the rule, and the other rows can't wait for it. */
function foundOf<T>({ log }: Ports, { id, workspace }: PrecedentRecord, examined: Examined<T> | undefined): T[] {
  assert(examined)
  if ('found' in examined) return examined.found
  log.error({ workspace, row: id, err: examined.fault }, 'a rule of open questions failed on a record')
  return []
}

function faultOf(examined: Examined<unknown> | undefined): string | undefined {
  return examined && 'fault' in examined ? examined.fault : undefined
}

/** New rows that hold or may hold later, and proposals that were accepted; each as it is now. */
async function claimingRows({ documents }: Ports, entry: Entry): Promise<PrecedentRecord[]> {
  const made = entry.records.flatMap((change) => (change.type === 'new' && isClaim(change.row) ? [change.row] : []))
  const taken = entry.records.flatMap((change) =>
    change.type === 'changed' && change.set.status === 'accepted' ? [change.id] : [],
  )
  if (taken.length === 0) return made
  const rows = await documents.find(records, { where: { id: { in: taken } }, limit: taken.length })
  return [...made, ...rows.filter(isClaim)]
}

/** Of rows that a claim was withdrawn from: they are found by that one no more, and keep no other from being found. */
async function dropWithdrawn(ports: Ports, entry: Entry): Promise<void> {
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

async function compareRows(
  ports: Ports,
  keyed: readonly { row: PrecedentRecord; keys: readonly SubjectKey[] }[],
  turn: () => Promise<void>,
): Promise<void> {
  let held: Held[] = []
  let pairs = 0
  for (const { row, keys } of keyed) {
    for (const ids of await candidatesOf(ports.documents, row, keys)) {
      const others = (await rowsOf(ports.documents, ids)).filter(isClaim)
      if (others.length === 0) continue
      held.push({ row, others })
      pairs += others.length
      if (pairs < mostPairs) continue
      await findAmong(ports, held)
      held = []
      pairs = 0
      await turn()
    }
  }
  await findAmong(ports, held)
}

async function findAmong(ports: Ports, held: readonly Held[]): Promise<void> {
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

async function stillClaims({ documents }: Ports, { id }: PrecedentRecord): Promise<boolean> {
  const now = await documents.get(records, id)
  return now !== undefined && isClaim(now)
}

async function commit(ports: Ports, workspace: WorkspaceId, input: Found, rows: readonly string[]): Promise<void> {
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
