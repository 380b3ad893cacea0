import { Refusal } from '../service/http.ts'

/** `unknown`: the key may see nothing with this id, or it is no valid id. */
export async function orUnknown<Value>(reading: Promise<Value>): Promise<Value | 'unknown'> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.code === 'invalid_request')) return 'unknown'
    throw error
  }
}
