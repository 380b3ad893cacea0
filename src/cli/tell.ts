/** What a write has made: read back for people, its id alone on standard output. */
import type { Client } from './client.ts'
import { Failure } from './failure.ts'
import type { ReceiptResponse } from './receipts.ts'
import { inLine, type Terminal } from './terminal.ts'

const paths: Readonly<Record<string, string>> = { memory: '/v1/context/memories/', decision: '/v1/decisions/' }

/** The record that the receipt names, as it is now; undefined where the key may write and not read. */
export async function readBack<T>({ entity }: ReceiptResponse, client: Client): Promise<T | undefined> {
  const path = entity && paths[entity.type]
  if (path === undefined) return undefined
  return known(client.call<T>({ method: 'GET', path: path + encodeURIComponent(entity?.id ?? '') }))
}

/** Undefined where it can't be read: the write is applied, and that is no failure of it. */
export async function known<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** ID=$(precedent remember …) */
export function madeLine({ entity }: ReceiptResponse, terminal: Terminal): void {
  if (!entity) return
  if (entity.label !== undefined) terminal.note(`${inLine(entity.type)} “${inLine(entity.label)}”`)
  terminal.print(inLine(entity.id))
}
