import { Failure } from '../terminal/failure.ts'

/** undefined: the key lacks the scope. For example, it may only write. */
export async function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'insufficient_scope') return undefined
    throw error
  }
}
