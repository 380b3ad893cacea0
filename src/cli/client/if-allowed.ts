/** Reads that may be refused: undefined takes the place of the refusal. */
import { Failure } from '../terminal/failure.ts'

/** undefined: the key lacks the scope. For example, it may only write. */
export function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  return unlessRefused(answer, 'insufficient_scope')
}

/** undefined: it does not exist, or the key may not see it. */
export function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  return unlessRefused(answer, 'not_found')
}

async function unlessRefused<T>(answer: Promise<T>, code: 'insufficient_scope' | 'not_found') {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === code) return undefined
    throw error
  }
}
