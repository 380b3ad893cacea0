/**
 * Comparing claims (SEMANTICS 6): entries that are indexed, one by one, each row with those that share a key with it.
 * Outside the way to applied: it begins behind the index, goes in turns, and gives way to writes that wait.
 */
import type { Actor } from '../access/actor.ts'
import { advanceCompared, comparedOf, comparisons } from '../journal/compared.ts'
import { type Checkpoint, checkpoints, type Entry } from '../journal/entry.ts'
import { giveWay } from '../journal/give-way.ts'
import { checkpointOf } from '../journal/head.ts'
import { loadEntry } from '../journal/load.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { accept } from '../receipts/accept.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { chunks } from '../records/read.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { type Claim, claimsOf } from './claim.ts'
import { type Found, findQuestion } from './find.ts'
import { mentionsOf } from './identity.ts'
import { claimedBy, findingsOfPair, type PairRule } from './pairs.ts'
import { stands } from './stands.ts'
import { keyOfMention, keysOfClaim, type SubjectKey, subjectKeys } from './subject-keys.ts'

/** Rows whose keys are written at once, and rows compared before it gives way. */
const keyedAtOnce = 10
const rowsAtOnce = 10
/** Others have their turn after so long, in ms: a pair of long records takes some, and readers wait for them. */
const longestTurn = 8
/** Keys of one row. */
const mostKeys = 16
/** Other rows of one key that are looked at, the newest: a key that more of them share tells little. */
const mostOfKey = 6
/** Other rows that one row is compared with: those that share the most keys. */
const mostCandidates = 12
/** Findings of one row. */
const mostFindings = 5
const workspacesAtOnce = 500
/** Workspaces that are remembered as woken; the others are found by looking, every so many ms. */
const mostWoken = 10_000
const lookEvery = 5_000

type Ports = JournalPorts

export interface Comparer {
  /** After indexing: this workspace has entries to compare. */
  wake(workspace: WorkspaceId): void
  /** Compares what was woken, and every 5 s whatever else is behind: nothing depends on being woken. */
  look(): Promise<void>
}

export function comparer(ports: Ports, stopping?: AbortSignal): Comparer {
  const woken = new Set<WorkspaceId>()
  let looked = Number.NEGATIVE_INFINITY
  const all = async (workspaces: Iterable<WorkspaceId>) => {
    for (const workspace of workspaces) {
      if (stopping?.aborted) return
      woken.delete(workspace)
      await compareWorkspace(ports, { workspace }, stopping)
    }
  }
  return {
    wake: (workspace) => void (woken.size < mostWoken && woken.add(workspace)),
    async look() {
      await all([...woken])
      if (ports.clock.now() - looked < lookEvery) return
      looked = ports.clock.now()
      for await (const page of stranded(ports)) await all(page)
    },
  }
}

async function* stranded(ports: Ports): AsyncGenerator<WorkspaceId[]> {
  let after = ''
  for (;;) {
    const page = await ports.documents.find(checkpoints, {
      where: { id: { gt: after } },
      sort: [['id', 'asc']],
      limit: workspacesAtOnce,
      fields: ['id', 'indexed'],
    })
    yield await behind(ports, page)
    after = page.at(-1)?.id ?? ''
    if (page.length < workspacesAtOnce) return
  }
}

async function behind({ documents }: Ports, page: readonly Pick<Checkpoint, 'id' | 'indexed'>[]) {
  if (page.length === 0) return []
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
  for (let number = (await comparedOf(ports.documents, workspace)) + 1; number <= indexed; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    if (!entry.emptied && !(await compareEntry(ports, entry, stopping))) return
    if (!(await advanceCompared(ports.documents, workspace, number))) return
  }
}

/** false: it was stopped, and begins again with this entry. */
async function compareEntry(ports: Ports, entry: Entry, stopping: AbortSignal | undefined): Promise<boolean> {
  const rows = await claimingRows(ports, entry)
  const keyed: { row: PrecedentRecord; keys: readonly SubjectKey[] }[] = []
  for (const some of chunks(rows, keyedAtOnce)) {
    await giveWay(ports)
    const made = some.map((row) => ({ row, keys: keysOf(row) }))
    const keys = made.flatMap((one) => one.keys)
    if (keys.length > 0) await ports.documents.insertMany(subjectKeys, keys)
    keyed.push(...made)
  }
  // all keys of the entry are there: of two of its rows each finds the other
  for (const some of chunks(keyed, rowsAtOnce)) {
    if (stopping?.aborted) return false
    await giveWay(ports)
    for (const { row, keys } of some) await compareRow(ports, row, keys)
  }
  return true
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

function isClaim(row: PrecedentRecord): boolean {
  return (row.kind === 'memory' || row.kind === 'decision') && row.feed !== 'none' && stands(row, 'contradiction')
}

function keysOf(row: PrecedentRecord): SubjectKey[] {
  // those that only a denial contradicts come last: most of them nobody denies
  const claims = [...claimsOf(row.title, claimedBy(row))].sort((a, b) => Number(saysMuch(b)) - Number(saysMuch(a)))
  const keys = [...claims.flatMap(keysOfClaim), ...mentionsOf(row).map(keyOfMention)]
  return [...new Set(keys)].slice(0, mostKeys).map((key) => {
    return { id: `${row.id}/${key}`, workspace: row.workspace, key, row: row.id, record_id: row.record_id }
  })
}

function saysMuch({ values, slots, definite, isNegated, isClosed }: Claim): boolean {
  return isNegated || isClosed || definite !== null || values.length + slots.length > 0
}

async function compareRow(ports: Ports, row: PrecedentRecord, keys: readonly SubjectKey[]): Promise<void> {
  if (keys.length === 0) return
  const others = await candidatesOf(ports, row, keys)
  const found: { reason: string; other: PrecedentRecord }[] = []
  let since = ports.clock.now()
  for (const other of others) {
    found.push(...findingsOfPair(row, other).map(({ reason }) => ({ reason, other })))
    if (ports.clock.now() - since < longestTurn) continue
    await ports.clock.sleep(0)
    since = ports.clock.now()
  }
  // most have nothing; of an old entry the row may have been superseded since
  if (found.length === 0 || !(await stillClaims(ports, row))) return
  for (const { reason, other } of found.slice(0, mostFindings)) {
    await commit(ports, row.workspace, { rule: reason as PairRule, a: row.record_id, b: other.record_id }, [
      row.id,
      other.id,
    ])
  }
}

async function stillClaims({ documents }: Ports, { id }: PrecedentRecord): Promise<boolean> {
  const now = await documents.get(records, id)
  return now !== undefined && isClaim(now)
}

async function candidatesOf(
  { documents }: Ports,
  row: PrecedentRecord,
  keys: readonly SubjectKey[],
): Promise<PrecedentRecord[]> {
  // a query for each key: so none of them sorts all that share it
  const sharing = await Promise.all(keys.map(({ key }) => newestOf(documents, row.workspace, key)))
  const times = new Map<string, number>()
  for (const { row: other, record_id } of sharing.flat()) {
    if (record_id !== row.record_id) times.set(other, (times.get(other) ?? 0) + 1)
  }
  const others = [...times].sort(([one, a], [other, b]) => b - a || (one < other ? 1 : -1))
  const ids = others.slice(0, mostCandidates).map(([id]) => id)
  if (ids.length === 0) return []
  const rows = await documents.find(records, { where: { id: { in: ids } }, limit: ids.length })
  return rows.filter(isClaim)
}

function newestOf(documents: Ports['documents'], workspace: WorkspaceId, key: string) {
  return documents.find(subjectKeys, {
    where: { workspace, key },
    // ids of rows begin with the time at which they were made
    sort: [['id', 'desc']],
    limit: mostOfKey,
    fields: ['row', 'record_id'],
  })
}

async function commit(ports: Ports, workspace: WorkspaceId, input: Found, rows: readonly string[]): Promise<void> {
  const actor: Actor = {
    workspace,
    workspaceType: await ports.workspaceType(workspace),
    credential: 'compare',
    user: 'precedent:compare',
    teams: [],
    scopes: ['admin'],
  }
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
