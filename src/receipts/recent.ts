/** Keys for calls that have none, so that a call that is repeated soon after is the same write. */
import type { Actor } from '../access/actor.ts'
import type { Operation } from '../operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipt.ts'

/** Failed writes of one input in one period that may be tried again. */
const mostTries = 5

/**
 * The key of the newest call with this input that was accepted less than `repeatsFor` ms ago and has not failed; else a key
 * that no such call has. Two calls at the same time get the same key. `hash`: of the input.
 */
export async function recentKey<Input>(
  { documents, clock }: { documents: Documents; clock: Clock },
  { actor, operation }: { actor: Actor; operation: Operation<Input> },
  hash: string,
  repeatsFor: number,
): Promise<string> {
  const now = clock.now()
  const period = Math.floor(now / repeatsFor)
  const keysOf = (of: number) => Array.from({ length: mostTries }, (_, at) => `same-${hash}-${of}-${at}`)
  const keys = [...keysOf(period), ...keysOf(period - 1)]
  const { workspace, user: owner } = actor
  const before = await documents.find(receipts, {
    where: { workspace, owner, operation: operation.name, idempotency_key: { in: keys } },
    limit: keys.length,
    fields: ['idempotency_key', 'accepted_at', 'state'],
  })
  const [newest] = before
    .filter(({ state }) => state !== 'failed' && state !== 'rejected')
    .filter(({ accepted_at }) => now - Date.parse(accepted_at) < repeatsFor)
    .sort((a, b) => (a.accepted_at < b.accepted_at ? 1 : -1))
  if (newest) return newest.idempotency_key
  const used = new Set(before.map(({ idempotency_key }) => idempotency_key))
  const own = keysOf(period)
  return own.find((key) => !used.has(key)) ?? (own.at(-1) as string)
}
