/** Reads back the record that a write has made, and prints its id. */
import { isKind, pathOf } from '../../records/kinds.ts'
import { Failure } from '../terminal/failure.ts'
import { inLine, type Terminal } from '../terminal/terminal.ts'
import type { Client } from './client.ts'
import type { ReceiptResponse } from './receipts.ts'

/**
 * The record that the receipt names, as it is now. Undefined if it can't be read, for example because the key may only
 * write.
 */
export async function readBack<T>({ entity }: ReceiptResponse, client: Client): Promise<T | undefined> {
  // a newer service may name a kind that this version does not know
  const path = entity && isKind(entity.type) ? pathOf(entity.type, encodeURIComponent(entity.id)) : undefined
  if (path === undefined) return undefined
  return unlessFailed(client.call<T>({ method: 'GET', path }))
}

/** Undefined if the read fails: the write is applied, so a failed read must not make the command fail. */
export async function unlessFailed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Only the id goes to standard output, so that ID=$(precedent remember …) works. */
export function printRecord({ entity }: ReceiptResponse, terminal: Terminal): void {
  if (!entity) return
  if (entity.label !== undefined) terminal.note(`${inLine(entity.type)} “${inLine(entity.label)}”`)
  terminal.print(inLine(entity.id))
}
