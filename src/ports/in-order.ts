/** Collects the writes that are requested inside inOrder(), and runs them one after another. */
import { types } from 'node:util'
import type { Documents, OrderedWrites } from './documents.ts'

/** The methods that carry out the writes of inOrder(). */
export type Writes = Pick<Documents, keyof OrderedWrites>

/**
 * Each write starts when the one before is durable. A failure stops the rest. Nothing is written if `ask` throws or is
 * asynchronous.
 */
export async function oneByOne(documents: Writes, ask: (writes: OrderedWrites) => undefined): Promise<void> {
  for (const write of requestedBy(ask)) await write(documents)
}

type Requested = (documents: Writes) => Promise<unknown>

function requestedBy(ask: (writes: OrderedWrites) => undefined): Requested[] {
  const requested: Requested[] = []
  let isOpen = true
  const request = (write: Requested) => {
    if (!isOpen) throw new Error('a write was requested after the callback of inOrder() had returned: it is not run')
    requested.push(write)
  }
  try {
    // the type allows no promise, but a cast can hide one
    refusePromise(
      ask({
        insertMany: (...args) => request((documents) => documents.insertMany(...args)),
        update: (...args) => request((documents) => documents.update(...args)),
        updateEach: (...args) => request((documents) => documents.updateEach(...args)),
        upsertIfNewer: (...args) => request((documents) => documents.upsertIfNewer(...args)),
      }),
    )
  } finally {
    isOpen = false
  }
  return requested
}

function refusePromise(returned: unknown): void {
  if (typeof (returned as PromiseLike<unknown> | null | undefined)?.then !== 'function') return
  // the caller gets the error below; an unhandled rejection of the callback would end the process
  if (types.isPromise(returned)) returned.catch(() => {})
  throw new TypeError('the callback of inOrder() returned a promise: it must request all writes before it returns')
}
