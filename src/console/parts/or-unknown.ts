import { Refusal } from '../service/http.ts'

/** What has the id of an address. `unknown`: nothing that the key may see. An id of another form is refused as invalid. */
export async function orUnknown<Value>(reading: Promise<Value>): Promise<Value | 'unknown'> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.code === 'invalid_request')) return 'unknown'
    throw error
  }
}
