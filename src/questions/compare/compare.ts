/**
 * Compares the records of an entry of the journal with the rows that a search for their words finds first (SEMANTICS 6). It
 * runs after indexing, so that no write waits for it. While the search engine is away, comparing waits and loses nothing.
 * What it finds is committed by an operation that checks it again at head (find.ts).
 */
import { serviceActor, userOfService } from '../../access/actor.ts'
import type { Audience, WorkspaceId } from '../../ids.ts'
import { advanceCompared, checkpointOf, comparedOf } from '../../journal/checkpoint.ts'
import type { Entry } from '../../journal/entry.ts'
import { loadEntry } from '../../journal/head.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { accept } from '../../receipts/accept.ts'
import { exactHash } from '../../records/content-hash.ts'
import { kinds } from '../../records/kinds.ts'
import { type PrecedentRecord, records } from '../../records/record.ts'
import { isApplicable } from '../is-applicable.ts'
import type { AskJudge } from './ask-judge.ts'
import { foundByJudge } from './by-judge.ts'
import type { Comparison, PairFound } from './by-rules.ts'
import { audiencesBeside, candidatesOf, rowsOf } from './candidates.ts'
import type { CompareWorker } from './compare-worker.ts'
import { findQuestion } from './find.ts'

export type ComparePorts = JournalPorts & {
  compareWorker: CompareWorker
  /** Absent: no judge is configured, and claims are compared by rules only. */
  askJudge?: AskJudge
}

/** Findings of one row that are submitted for one audience. */
const mostFindings = 5
/** Rows read by one query. */
const rowsAtOnce = 20
/** Tries of the rules on one row. The thread may also have died of another reason. */
const mostTries = 3

/**
 * Compares the next entry, if it is indexed. Returns whether more entries are left. It may be paused or stopped at each
 * yield, which tells how many pairs of rows were compared since the one before. If it is stopped, the next run starts with
 * this entry again. Several may run at the same time.
 */
export async function* compareNext(ports: ComparePorts, workspace: WorkspaceId): AsyncGenerator<number, boolean> {
  const { documents } = ports
  const { indexed } = await checkpointOf(documents, workspace)
  const number = (await comparedOf(documents, workspace)) + 1
  if (number > indexed) return false
  const entry = await loadEntry(documents, workspace, number)
  if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
  const rows = entry.emptied ? [] : await comparableIn(documents, entry)
  const beside = await audiencesBeside(documents, workspace, rows)
  for (const row of rows) {
    yield 0
    yield* compare(ports, row, beside)
  }
  // false: another worker has compared this entry and continues
  return (await advanceCompared(documents, workspace, number)) && number < indexed
}

/** The new rows that may be in force now or later, as the entry created them, and proposals that it accepted. */
async function comparableIn(documents: Documents, entry: Entry): Promise<PrecedentRecord[]> {
  const rows = new Map<string, PrecedentRecord>()
  const accepted: string[] = []
  for (const change of entry.records) {
    if (change.type === 'new') rows.set(change.row.id, change.row)
    else if (change.type === 'changed' && change.set.status === 'accepted') accepted.push(change.id)
  }
  for (const some of chunks(accepted, rowsAtOnce)) {
    const found = await documents.find(records, { where: { id: { in: some } }, limit: some.length })
    for (const row of found) rows.set(row.id, row)
  }
  return [...rows.values()].filter(isComparable)
}

/** What an executor reports of its work raises no questions. */
const ofRuns = userOfService('run')

function isComparable(row: PrecedentRecord): boolean {
  const isComparedKind = kinds[row.kind].isKnowledge && row.created_by !== ofRuns
  return isComparedKind && row.feed !== 'none' && isApplicable(row, 'contradiction')
}

async function* compare(
  ports: ComparePorts,
  row: PrecedentRecord,
  beside: readonly Audience[],
): AsyncGenerator<number, void> {
  const { askJudge, documents } = ports
  for (const near of await candidatesOf(ports, row, beside)) {
    const others = (await rowsOf(documents, near)).filter((other) => isComparable(other.row))
    if (others.length === 0) continue
    const byRules = await foundOrSkipped(ports, { row, others })
    const byJudge = askJudge ? await foundByJudge(askJudge, row, others, byRules) : []
    for (const one of [...byRules, ...byJudge].slice(0, mostFindings)) {
      const other = others.find(({ id }) => id === one.other)?.row as PrecedentRecord
      await submit(ports, row, other, one)
    }
    yield others.length
  }
}

/**
 * Nothing if the rules fail each time, such as on a text that kills the thread: later entries must not wait for it. Other
 * failures, such as those of an engine that is away, are thrown, so that the entry is compared again.
 */
async function foundOrSkipped(
  { compareWorker, log, watch }: ComparePorts,
  comparison: Comparison,
): Promise<PairFound[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await compareWorker.run(comparison)
    } catch (error) {
      if (tries < mostTries) continue
      const { workspace, kind, record_id: record } = comparison.row
      const remedy = 'contradictions with it are not asked about: look for them yourself, and report this error'
      log.error({ workspace, kind, record, err: error }, `record not compared; ${remedy}`)
      watch?.uncompared()
      return []
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
  const [a, b] = [row.record_id, other.record_id].sort()
  // a judge may find other sentences in another process
  const claims = judged ? `/${exactHash(JSON.stringify(Object.entries(judged).sort()))}` : ''
  await accept(ports, {
    operation: findQuestion,
    actor: serviceActor('compare', workspace, await ports.workspaceType(workspace)),
    input: { rule, a, b, ...(judged ? { judged } : {}) },
    idempotencyKey: `find/${rule}/${[row.id, other.id].sort().join('/')}${claims}`,
    lane: 'import',
  })
}
