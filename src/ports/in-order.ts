/** `inOrder` for engines without a step that holds several writes: one by one, each durable before the next begins. */
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

/** Who asks within `ask` learns nothing of the single writes: they happen later. */
export function neverAnswered(): Promise<never> {
  return new Promise<never>(() => {})
}
