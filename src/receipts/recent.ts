/** Keys for calls that have none, so that a call that is repeated soon after is the same write. */
import type { Actor } from '../access/actor.ts'
import type { Operation } from '../operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipt.ts'

/** Digits of the number in a key, so that keys are in the order of their numbers. */
const digits = 8

/**
 * The key of the newest call with this input if it was accepted less than `repeatsFor` ms ago and has not failed, else the
 * key after it. Two calls at the same time find the same newest call, so they get the same key. `hash`: of the input.
 */
export async function recentKey<Input>(
  { documents, clock }: { documents: Documents; clock: Clock },
  { actor, operation }: { actor: Actor; operation: Operation<Input> },
  hash: string,
  repeatsFor: number,
): Promise<string> {
  const { workspace, user: owner } = actor
  const begin = `same-${hash}-`
  const keyOf = (number: number) => `${begin}${String(number).padStart(digits, '0')}`
  const [newest] = await documents.find(receipts, {
    where: { workspace, owner, operation: operation.name, idempotency_key: { gte: begin, lt: `${begin}:` } },
    sort: [['idempotency_key', 'desc']],
    limit: 1,
    fields: ['idempotency_key', 'accepted_at', 'state'],
  })
  if (newest === undefined) return keyOf(1)
  const { idempotency_key: key, accepted_at, state } = newest
  const isRecent = clock.now() - Date.parse(accepted_at) < repeatsFor
  if (isRecent && state !== 'failed' && state !== 'rejected') return key
  return keyOf(Number.parseInt(key.slice(begin.length), 10) + 1)
}
