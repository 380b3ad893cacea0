/** Decides a batch of receipts in order, on the state at head, and builds the entry (PROTOCOL 2). */
import assert from 'node:assert/strict'
import { audiencesOf, type WorkspaceType } from '../access/actor.ts'
import type { DecideContext } from '../deciding/context.ts'
import { documentsIn, type Outcome } from '../deciding/outcome.ts'
import type { Lookups } from '../deciding/state-at-head.ts'
import { visibleAtHead } from '../deciding/visible.ts'
import type { RecordId, WorkspaceId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { instant } from '../ports/clock.ts'
import { inTurns } from '../ports/in-turns.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { Problem, problem, problems } from '../problem.ts'
import { type Decided, firstFormat, type Pending, type ReceiptError } from '../receipt.ts'
import type { DocumentsByName } from '../records/entry-documents.ts'
import { kinds } from '../records/kinds.ts'
import type { PrecedentRecord, RowChange } from '../records/record.ts'
import { type Collections, carriedDocuments, collectionsOf } from './carried.ts'
import type { Entry } from './entry.ts'
import { entryId } from './entry.ts'
import type { Head } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { type OverlaidState, stateAtHead } from './state.ts'

/** Bytes of UTF-8 before escaping. The encoded entry stays below 8 MiB, half of MongoDB's limit. */
const entryBytes = 4 * 1024 * 1024
/** ms. Time limit for a receipt that is decided alone. */
const aloneLimit = 30_000
/** If deciding throws this many times, the receipt fails. */
export const mostErrors = 3
/** After this many attempts a receipt is decided alone. */
export const attemptsTogether = 3
/** If this many workers die while they decide a receipt alone, it fails. */
const deathsAlone = 5

export interface DecidedBatch {
  entry: Entry
  /** Receipts whose operation threw. They stay undecided and are retried. */
  threw: { receipt: Pending; error: unknown }[]
}

/** Expects `batch` in the order of acceptance. The entry may hold fewer receipts, because its size is limited. */
export async function decideBatch(
  ports: JournalPorts,
  workspace: WorkspaceId,
  head: Head,
  batch: readonly Pending[],
): Promise<DecidedBatch> {
  const at = instant(ports.clock)
  const number = head.number + 1
  const collections = collectionsOf(ports.projections)
  const state = stateAtHead(ports.documents, workspace, collections)
  const workspaceType = await ports.workspaceType(workspace)
  const decided: Decided[] = []
  const changes: RowChange[] = []
  const carried = carriedDocuments(collections, { workspace, entry: number })
  const threw: DecidedBatch['threw'] = []
  let seq = head.last_seq
  let bytes = 0

  const turn = inTurns()
  const lookups: Lookups[] = []
  for (const receipt of batch) {
    await turn()
    const operation = ports.operations.get(receipt.operation)
    lookups.push(operation?.lookups?.(receipt.input as never, decidingActor(receipt), workspaceType) ?? {})
  }
  await state.prefetch(lookups)
  for (const receipt of batch) {
    await turn()
    const alone = batch.length === 1
    const outcome = await decideOne(ports, { receipt, state, collections, at, workspaceType, alone })
    if ('threw' in outcome) {
      threw.push({ receipt, error: outcome.threw })
      continue
    }
    if ('failed' in outcome) {
      decided.push({ receipt: receipt.id, state: 'failed', error: outcome.failed })
      continue
    }
    bytes += sizeOf(outcome)
    if (bytes > entryBytes && decided.length > 0) break
    const created = outcome.created.map((row): PrecedentRecord => ({ ...row, seq: ++seq }))
    const changed = outcome.changed.map(({ id, set }) => ({ id, set: { ...set, seq: ++seq } }))
    state.overlay({ created, changed })
    state.overlayDocuments(carried.add(documentsIn(outcome)))
    for (const row of created) changes.push({ type: 'new', row })
    for (const { id, set } of changed) changes.push({ type: 'changed', id, seq: set.seq, set })
    decided.push({ receipt: receipt.id, state: 'applied', entity: outcome.entity, correctable: outcome.correctable })
  }
  assert(seq - head.last_seq === changes.length, 'one sequence a change')
  const documents = carried.all()
  const entry: Entry = {
    id: entryId(workspace, number),
    workspace,
    number,
    first_seq: head.last_seq + 1,
    last_seq: seq,
    at,
    format: formatOf({ batch, decided, changes, documents, collections }),
    emptied: false,
    receipts: decided,
    records: changes,
    documents,
  }
  return { entry, threw }
}

interface Content {
  batch: readonly Pending[]
  decided: readonly Decided[]
  changes: readonly RowChange[]
  documents: DocumentsByName
  collections: Collections
}

/** The newest format of what an entry contains, so that a worker that can't handle all of it leaves the entry alone. */
function formatOf({ batch, decided, changes, documents, collections }: Content): number {
  const ids = new Set(decided.map(({ receipt }) => receipt))
  return Math.max(
    firstFormat,
    ...batch.map(({ id, format }) => (ids.has(id) ? format : firstFormat)),
    ...changes.map((change) => (change.type === 'new' ? kinds[change.row.kind].format : firstFormat)),
    ...Object.keys(documents).map((name) => collections.get(name)?.format ?? firstFormat),
  )
}

interface One {
  receipt: Pending
  state: OverlaidState
  collections: Collections
  at: string
  workspaceType: WorkspaceType
  alone: boolean
}

type OneDecided = Outcome | { failed: ReceiptError } | { threw: unknown }

async function decideOne(ports: JournalPorts, one: One): Promise<OneDecided> {
  const { receipt } = one
  if (receipt.attempts >= attemptsTogether + deathsAlone) {
    ports.log.error({ receipt: receipt.id }, 'receipt failed: workers died while deciding it')
    return { failed: ourFault() }
  }
  const operation = ports.operations.get(receipt.operation) as Operation<unknown> | undefined
  try {
    if (!operation) throw new Error(`no operation ${receipt.operation}`)
    const actor = decidingActor(receipt)
    const deciding = outcomeOf(ports, operation, {
      input: receipt.input,
      receipt,
      actor,
      workspaceType: one.workspaceType,
      state: one.state,
      visible: visibleAtHead(one.state, actor.audiences),
      runRules: ports.runRules,
      at: one.at,
      newId: () => ports.clock.id() as RecordId,
    })
    const outcome = await (one.alone ? within(aloneLimit, deciding) : deciding)
    for (const name of Object.keys(outcome.documents)) assert(one.collections.has(name), `no projection writes ${name}`)
    return outcome
  } catch (error) {
    if (error instanceof Problem) return { failed: receiptError(error) }
    // the store failed, not the operation: the queue retries the whole job
    if (error instanceof EngineUnavailable) throw error
    ports.log.error({ receipt: receipt.id, operation: receipt.operation, err: error }, 'deciding a receipt failed')
    if (receipt.errors + 1 < mostErrors) return { threw: error }
    return { failed: ourFault() }
  }
}

async function outcomeOf(ports: JournalPorts, operation: Operation<unknown>, context: DecideContext<unknown>) {
  const outcome = await operation.decide(context)
  return operation.raisesQuestions ? ports.raiseQuestions(context, outcome) : outcome
}

function ourFault(): ReceiptError {
  return receiptError(problem('internal_error', 'The service failed while it applied this write.'))
}

function decidingActor(receipt: Pending) {
  const { user, teams, credential } = receipt.actor
  return { user, teams, credential, audiences: audiencesOf({ user, teams }) }
}

export function receiptError(from: Problem): ReceiptError {
  return {
    code: from.code,
    message: from.message.slice(0, 2000),
    retryable: problems[from.code].retryable,
    details: from.details ?? null,
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`deciding timed out after ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Estimates the size of a change: the bytes of its texts, and a flat rate for the other fields. */
function sizeOf(outcome: Outcome): number {
  let bytes = 500
  for (const row of outcome.created) {
    bytes +=
      2000 +
      Buffer.byteLength(row.text) +
      Buffer.byteLength(JSON.stringify([row.body, row.mutable, row.sources, row.topics]))
  }
  for (const { set } of outcome.changed) bytes += 500 + Buffer.byteLength(JSON.stringify(set))
  for (const documents of Object.values(outcome.documents)) {
    for (const one of documents) bytes += 200 + Buffer.byteLength(JSON.stringify(one))
  }
  return bytes
}
