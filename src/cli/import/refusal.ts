import type { ReceiptResponse } from '../client/receipts.ts'
import { Failure } from '../terminal/failure.ts'

/** The place of an item in the source. */
export interface Place {
  /** Path relative to the root of the import. */
  file: string
  line: number
}

/** An item that was not imported. */
export interface Refusal extends Place {
  code: string
  message: string
}

/** HTTP statuses. */
const refusedStatuses: readonly unknown[] = [400, 404, 409, 413]

/** The error is about this one item, and not about the key or the service. */
export function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && refusedStatuses.includes(error.details.status)
}

/** Of a write whose receipt ended, and that was not applied. */
export function refusalOf(place: Place, { error, state }: Pick<ReceiptResponse, 'error' | 'state'>): Refusal {
  const { file, line } = place
  return {
    file,
    line,
    code: error?.code ?? state,
    message: inWordsOfImport(error?.message ?? `The write ended with the state ${state}.`),
  }
}

/** The message tells a caller of the API to send the rest again under a new key. */
function inWordsOfImport(message: string): string {
  return message.replace(
    /: remove it and send the rest again under a new key\.$/,
    '. Remove it from the file, or write a placeholder such as <password>, and import it again.',
  )
}
