/** Compares the revision that a caller has read with the current one (header If-Match). */
import { problem } from '../problem.ts'
import type { Envelope } from '../records/record.ts'

/** Web calls it for a quick answer, and decide again: the revision may have changed in between. */
export function assertRevision({ kind, revision }: Pick<Envelope, 'kind' | 'revision'>, expected?: number): void {
  if (expected === undefined || expected === revision) return
  throw problem('revision_conflict', `The ${kind} has revision ${revision} by now, not ${expected}. Read it again.`)
}
