/** Parses JSON from bytes, strictly as UTF-8. Errors name their place. */
import { invalid, Problem, problem } from '../../problem.ts'
import { jsonErrorAt } from './json-error.ts'
import { refuseRepeated } from './repeated-names.ts'

/** The position in the body of a part that is parsed by itself, so that errors name the position in the body. */
export interface Place {
  body: Buffer
  /** Converts an offset in the part to an offset in the body, in bytes. */
  inBody(at: number): number
}

/**
 * token-count.ts has limited the values and their depth. Throws malformed_json with the position. Throws
 * invalid_request if an object has a name twice, or a string half of a surrogate pair.
 */
export function parseJson(bytes: Buffer, place?: Place): unknown {
  const value = parseSyntax(bytes, place)
  refuseHalves(value)
  refuseRepeated(bytes, value)
  return value
}

/** Parses one line of NDJSON. `line`: its number in the body. */
export function parseJsonLine(bytes: Buffer, line: number): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') throw error
    // the parser has seen this line only: its own line number is always 1
    const { column } = error.details as { column?: number }
    const at = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
    const detail = `The body is not one JSON value in UTF-8 at ${at}. Send one JSON value a line.`
    throw problem('malformed_json', detail, { details: { line, ...(column === undefined ? {} : { column }) } })
  }
}

/** Parses without checking strings for lone surrogates. */
export function parseSyntax(bytes: Buffer, place: Place = { body: bytes, inBody: (at) => at }): unknown {
  const text = textOf(bytes, place)
  try {
    return JSON.parse(text)
  } catch {
    const at = jsonErrorAt(text)
    throw malformed(Buffer.byteLength(text.slice(0, at)), bytes.length, place)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer, { inBody }: Place): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const position = inBody(firstDifference(bytes, Buffer.from(bytes.toString('utf8'))))
    throw problem('malformed_json', `The body is not UTF-8 from byte ${position} on. Send it encoded in UTF-8.`, {
      details: { position },
    })
  }
}

/** Bytes that one native call compares, before single bytes are compared. */
const comparedAtOnce = 4_096

function firstDifference(one: Buffer, other: Buffer): number {
  let at = 0
  for (;;) {
    const to = at + comparedAtOnce
    if (to > one.length || !one.subarray(at, to).equals(other.subarray(at, to))) break
    at = to
  }
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

function malformed(at: number, length: number, { body, inBody }: Place) {
  const { position, line, column } = placeOf(body, inBody(at))
  const what = at >= length ? 'ends too early' : 'is not JSON'
  return problem('malformed_json', `The body ${what} at line ${line}, column ${column}. Send one JSON value.`, {
    details: { position, line, column },
  })
}

/**
 * The line, the column and the position of the byte `at` in valid UTF-8, in UTF-16 units as editors and parsers count
 * them.
 */
function placeOf(bytes: Buffer, at: number): { position: number; line: number; column: number } {
  let position = 0
  let line = 1
  let lineBegan = 0
  for (let here = 0; here < at; here += 1) {
    const byte = bytes[here] as number
    // continuation bytes don't count, and a character of four bytes has two units
    if ((byte & 0xc0) !== 0x80) position += byte >= 0xf0 ? 2 : 1
    if (byte !== 0x0a) continue
    line += 1
    lineBegan = position
  }
  return { position, line, column: position - lineBegan + 1 }
}

/**
 * Throws invalid_request if a string has a lone surrogate. UTF-8 cannot represent it, so no store could return it
 * unchanged.
 */
export function refuseHalves(value: unknown, path = ''): void {
  if (typeof value === 'string') refuseHalf(value, path)
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) refuseHalves(item, `${path}[${at}]`)
  else if (value !== null && typeof value === 'object') {
    for (const [name, field] of Object.entries(value)) {
      refuseHalf(name, path)
      refuseHalves(field, path === '' ? name : `${path}.${name}`)
    }
  }
}

function refuseHalf(text: string, path: string): void {
  if (/\p{Surrogate}/u.test(text)) throw invalid(path || 'body', 'has half of a surrogate pair: send whole characters')
}
