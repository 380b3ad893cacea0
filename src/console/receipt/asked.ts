/** Which receipts a list shows. The address of the page tells it. */
import { pathOfReceipts, withQuery } from '../parts/addresses.ts'

export interface Asked {
  state: string
  operation: string
  /** The id of a batch of an import. */
  batch: string
}

const nothing: Asked = { state: '', operation: '', batch: '' }
const names = Object.keys(nothing) as (keyof Asked)[]

export function askedIn(query: Readonly<Record<string, string>>): Asked {
  const given = names.map((name) => [name, query[name]?.trim() ?? ''])
  return { ...nothing, ...Object.fromEntries(given) }
}

export const addressOf = (asked: Asked): string => withQuery(pathOfReceipts, asked)

export function listInputOf({ state, operation, batch }: Asked) {
  return { ...(state && { state }), ...(operation && { operation }), ...(batch && { batch_id: batch }) }
}
