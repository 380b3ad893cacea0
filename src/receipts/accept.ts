/**
 * Accepts writes, in the steps of PROTOCOL 1. Once the receipt is durable, the write can't be lost. Before that,
 * nothing has happened.
 */
import type { Logger } from 'pino'
import { type Actor, requireScope } from '../access/actor.ts'
import type { ReceiptId, WorkspaceId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { type Clock, instant, madeAt } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { inTurns } from '../ports/in-turns.ts'
import { type Lane, type Queue, wakeWorker } from '../ports/queue.ts'
import { Problem, problem } from '../problem.ts'
import { firstFormat, type Receipt, type ReceiptError, receipts } from '../receipt.ts'
import { visibleTo } from '../records/read/visible.ts'
import type { RunRules } from '../records/run-rules.ts'
import { findSecret, type SecretFound } from '../secrets/find.ts'
import { validated } from '../validation/validated.ts'
import { type Accepted, receiptOf, receiptOrProblem, receiptsOf, replayed } from './earlier.ts'
import { type InputHash, inputHash } from './input-hash.ts'
import { recentKey } from './recent.ts'

export interface AcceptPorts {
  documents: Documents
  queue: Queue
  clock: Clock
  log: Logger
  runRules(): Promise<RunRules>
}

export interface Call<Input = unknown> {
  operation: Operation<Input>
  actor: Actor
  /** As received. It is validated here against operation.input. */
  input: unknown
  idempotencyKey: string
  /** ms. The caller has given no key: an earlier call with this input, accepted less than so long ago, is the same call. */
  repeatsFor?: number
  lane?: Lane
  batchId?: string
  externalId?: string
  /** W3C trace id of the request. */
  trace?: string
}

/** Returns the new receipt, or the existing one if the same call was made before with this key. Throws Problems. */
export async function accept<Input>(ports: AcceptPorts, given: Call<Input>): Promise<Accepted> {
  const prepared = prepare(given)
  const { repeatsFor } = given
  const call =
    repeatsFor === undefined
      ? given
      : { ...given, idempotencyKey: await recentKey(ports, given, prepared.hash, repeatsFor) }
  try {
    await check(ports, call, prepared.input)
  } catch (refusal) {
    // a known key returns its receipt, even if the check fails by now
    const before = refusal instanceof Problem ? await receiptOf(ports.documents, call, prepared.hash) : undefined
    if (before) return before
    throw refusal
  }
  const receipt = await receiptFor(ports, call, prepared)
  // the unique key detects known calls: most calls are new, so looking first would be a waste
  if (!(await ports.documents.insert(receipts, receipt))) {
    const before = await receiptOf(ports.documents, call, prepared.hash)
    if (before) return before
    throw problem('unavailable', 'A receipt with this idempotency key is being deleted. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  }
  if (receipt.open === 1) wake(ports, receipt.workspace, receipt.lane)
  return receipt
}

/**
 * Many calls of one actor, such as an import, in few writes. Each call is accepted or refused by itself. Their order is
 * kept.
 */
export async function acceptMany<Input>(
  ports: AcceptPorts,
  calls: readonly Call<Input>[],
): Promise<(Accepted | Error)[]> {
  const answers: (Accepted | Error | undefined)[] = calls.map(() => undefined)
  const fresh: { at: number; receipt: Receipt }[] = []
  const known = await receiptsOf(ports.documents, calls)
  const turn = inTurns()
  for (const [at, call] of calls.entries()) {
    await turn()
    try {
      const prepared = prepare(call)
      const before = known.get(call.idempotencyKey)
      if (before) answers[at] = replayed(before, prepared.hash)
      else {
        await check(ports, call, prepared.input)
        fresh.push({ at, receipt: await receiptFor(ports, call, prepared) })
      }
    } catch (error) {
      answers[at] = error as Error
    }
  }
  const duplicates = new Set(
    await ports.documents.insertMany(
      receipts,
      fresh.map(({ receipt }) => receipt),
    ),
  )
  for (const { at, receipt } of fresh) {
    if (!duplicates.has(receipt.id)) answers[at] = receipt
    else answers[at] = await receiptOrProblem(ports.documents, calls[at] as Call<Input>, receipt.input_hash)
  }
  for (const lane of new Set(fresh.filter(({ receipt }) => receipt.open === 1).map(({ receipt }) => receipt.lane))) {
    wake(ports, (calls[0] as Call<Input>).actor.workspace, lane)
  }
  return answers as (Accepted | Error)[]
}

async function check<Input>(
  { documents, runRules }: Pick<AcceptPorts, 'documents' | 'runRules'>,
  { operation, actor }: Call<Input>,
  input: Input,
): Promise<void> {
  await operation.check?.({ input, actor, documents, visible: visibleTo(documents, actor), runRules })
}

interface Prepared<Input> extends InputHash {
  input: Input
}

function prepare<Input>({ operation, actor, input }: Call<Input>): Prepared<Input> {
  requireScope(actor, operation.scope)
  const valid = validated(operation.input, input)
  return { input: valid, ...inputHash(operation, valid, actor.workspaceType) }
}

/** Makes all later ids of this process greater than those of existing receipts. */
export async function followNewest({ documents, clock }: Pick<AcceptPorts, 'documents' | 'clock'>): Promise<void> {
  const newest = { where: { id: { gt: '' } }, sort: [['id', 'desc']], limit: 1, fields: ['id'] } as const
  const [receipt] = await documents.find(receipts, newest)
  if (receipt) clock.idsFollow(receipt.id)
}

/**
 * Ids give the order of acceptance. After the system clock was set back, ids run ahead of it, and those of other
 * processes may be further ahead. So the clock follows the newest receipt.
 */
async function nextId(ports: Pick<AcceptPorts, 'documents' | 'clock'>): Promise<ReceiptId> {
  const id = ports.clock.id()
  if (madeAt(id) <= ports.clock.now()) return id as ReceiptId
  await followNewest(ports)
  return ports.clock.id() as ReceiptId
}

async function receiptFor<Input>(
  ports: Pick<AcceptPorts, 'documents' | 'clock'>,
  call: Call<Input>,
  { input, hash, bytes }: Prepared<Input>,
): Promise<Receipt> {
  // before the id is made: the search for secrets yields to other requests, and ids give the order of acceptance
  const secret = await findSecret(call.operation.texts(input))
  const id = await nextId(ports)
  const now = instant(ports.clock)
  const { actor } = call
  return {
    id,
    workspace: actor.workspace,
    owner: actor.user,
    operation: call.operation.name,
    idempotency_key: call.idempotencyKey,
    input_hash: hash,
    lane: call.lane ?? 'interactive',
    actor: { credential: actor.credential, user: actor.user, teams: [...actor.teams] },
    accepted_at: now,
    updated_at: now,
    open: secret ? 0 : 1,
    state: secret ? 'rejected' : 'accepted',
    undecided: secret ? 0 : 1,
    number: null,
    attempts: 0,
    errors: 0,
    format: call.operation.format ?? firstFormat,
    batch_id: call.batchId ?? null,
    external_id: secret ? null : (call.externalId ?? null),
    entity: null,
    correctable: false,
    error: secret ? secretDetected(secret) : null,
    ended_at: secret ? now : null,
    input_bytes: secret ? 0 : bytes,
    trace: call.trace ?? null,
    // content with a credential is never stored
    input: secret ? null : input,
  }
}

function secretDetected({ kind, place, line }: SecretFound): ReceiptError {
  return {
    code: 'secret_detected',
    message: `Line ${line} of ${place} holds a credential (${kind}). Nothing was stored: remove it and send the rest again under a new key.`,
    retryable: false,
    details: { kind, place, line },
  }
}

/** Callers do not wait for it. */
function wake(ports: AcceptPorts, workspace: WorkspaceId, lane: Lane): void {
  void wakeWorker(ports, 'apply', { workspace, lane })
}
