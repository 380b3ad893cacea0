/**
 * `inOrder` for engines that can't combine several writes in one step: each write starts when the one before is
 * durable.
 */
import type { Documents, Writes } from './documents.ts'

export async function oneByOne(documents: Writes, ask: (writes: Writes) => void): Promise<void> {
  const asked: (() => Promise<unknown>)[] = []
  const later =
    <Arguments extends unknown[]>(write: (...all: Arguments) => Promise<unknown>) =>
    (...all: Arguments): Promise<never> => {
      asked.push(() => write(...all))
      return neverAnswered()
    }
  ask({
    insertMany: later(documents.insertMany as never),
    update: later(documents.update as never),
    updateEach: later(documents.updateEach as never),
    upsertIfNewer: later(documents.upsertIfNewer as never),
  } as Pick<Documents, keyof Writes>)
  for (const write of asked) await write()
}

/** The promise of a write that was requested inside `ask`: it runs later, so nobody can wait for it there. */
export function neverAnswered(): Promise<never> {
  return new Promise<never>(() => {})
}
