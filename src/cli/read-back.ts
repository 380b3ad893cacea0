/** Reads back the record that a write has made, and prints its id. */
import type { Client } from './client.ts'
import { Failure } from './failure.ts'
import type { ReceiptShown } from './receipts.ts'
import { inLine, type Terminal } from './terminal.ts'

const paths: Readonly<Record<string, string>> = { memory: '/v1/context/memories/', decision: '/v1/decisions/' }

/**
 * The record that the receipt names, as it is now. Undefined if it can't be read, for example because the key may only
 * write.
 */
export async function readBack<T>({ entity }: ReceiptShown, client: Client): Promise<T | undefined> {
  const path = entity && paths[entity.type]
  if (path === undefined) return undefined
  return unlessFailed(client.call<T>({ method: 'GET', path: path + encodeURIComponent(entity?.id ?? '') }))
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
export function printRecord({ entity }: ReceiptShown, terminal: Terminal): void {
  if (!entity) return
  if (entity.label !== undefined) terminal.note(`${inLine(entity.type)} “${inLine(entity.label)}”`)
  terminal.print(inLine(entity.id))
}
