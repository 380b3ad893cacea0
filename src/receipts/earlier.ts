/** The receipts of earlier calls with the same idempotency key (PROTOCOL 6). */
import type { Actor } from '../access/actor.ts'
import type { Documents } from '../ports/documents.ts'
import { problem } from '../problem.ts'
import { type ReceiptSeen, receipts, seenFields } from '../receipt.ts'

/** `replayed`: an earlier call with the same key and input made it. */
export type Accepted = ReceiptSeen & { replayed?: true }

/** The part of a call that finds its receipt. */
interface KeyedCall {
  operation: { name: string }
  actor: Pick<Actor, 'workspace' | 'user'>
  idempotencyKey: string
}

/** The receipt of an earlier call, if there is one. Throws idempotency_conflict if its input was another. */
export async function receiptOf(documents: Documents, call: KeyedCall, hash: string): Promise<Accepted | undefined> {
  const before = (await receiptsOf(documents, [call])).get(call.idempotencyKey)
  return before && replayed(before, hash)
}

/** Like receiptOf(), for one call of many: returns the problem, so that the others go on. */
export async function receiptOrProblem(documents: Documents, call: KeyedCall, hash: string): Promise<Accepted | Error> {
  try {
    return (await receiptOf(documents, call, hash)) ?? problem('unavailable', 'Try this item again.')
  } catch (error) {
    return error as Error
  }
}

/** Receipts of earlier calls by idempotency key. The calls are of one actor and operation. */
export async function receiptsOf(documents: Documents, calls: readonly KeyedCall[]): Promise<Map<string, ReceiptSeen>> {
  const [first] = calls
  if (!first) return new Map()
  const found = await documents.find(receipts, {
    where: {
      workspace: first.actor.workspace,
      owner: first.actor.user,
      operation: first.operation.name,
      idempotency_key: { in: calls.map((call) => call.idempotencyKey) },
    },
    limit: calls.length,
    fields: seenFields,
  })
  return new Map(found.map((receipt) => [receipt.idempotency_key, receipt]))
}

/** The receipt as the answer to a later call. Throws idempotency_conflict if the later input is another. */
export function replayed(before: ReceiptSeen, hash: string): Accepted {
  if (before.input_hash === hash) return { ...before, replayed: true }
  throw problem(
    'idempotency_conflict',
    'This idempotency key was used before with other input. Use a new key for a new write.',
    {
      details: { receipt_id: before.id },
    },
  )
}
