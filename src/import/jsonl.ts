/** Reads JSON Lines: one decision or memory on each line. The file may have any length. */
import type { ImportedRow } from './files/reading.ts'
import { noteOf, type RowFile, rowsOfObject } from './row.ts'

/** A longer line is reported and skipped: no valid decision is that long. */
export const mostLineBytes = 4 * 1024 * 1024
const newline = 10

export async function* readJsonl(file: RowFile): AsyncGenerator<ImportedRow> {
  for await (const { number, bytes } of linesOf(file)) {
    if (bytes === undefined) {
      yield noteOf(
        file,
        number,
        `the line was not imported: it is longer than ${mostLineBytes / 1024 / 1024} MiB. Split it, or shorten its texts.`,
      )
      continue
    }
    const text = new TextDecoder().decode(bytes).trim()
    if (text === '') continue
    const object = parsed(text)
    if (object === undefined)
      yield noteOf(
        file,
        number,
        'the line was not imported: it is not a JSON object. Put one complete object on each line, such as {"title": …}.',
      )
    else yield* rowsOfObject(object, file, number)
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Lines with their numbers, from 1. undefined: the line is too long. It is never in memory as a whole. */
async function* linesOf(file: RowFile): AsyncGenerator<{ number: number; bytes: Uint8Array | undefined }> {
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const take = () => {
    const bytes = length > mostLineBytes ? undefined : joined(parts, length)
    parts = []
    length = 0
    return { number: number++, bytes }
  }
  for await (const chunk of file.chunks()) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    keep(chunk.subarray(from))
  }
  if (length > 0) yield take()

  function keep(part: Uint8Array): void {
    length += part.length
    if (length <= mostLineBytes) parts.push(part)
    else parts = []
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
