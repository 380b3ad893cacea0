import type { ReceiptResponse } from '../client/receipts.ts'

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

/** Of a write whose receipt ended, and that was not applied. */
export function refusalOf(place: Place, { error, state }: Pick<ReceiptResponse, 'error' | 'state'>): Refusal {
  const { file, line } = place
  return {
    file,
    line,
    code: error?.code ?? state,
    message: error?.message ?? `The write ended with the state ${state}.`,
  }
}
