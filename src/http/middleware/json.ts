/** JSON from bytes, strictly: UTF-8 and nothing else, bounded nesting, and an error that says where. */
import { invalid, problem } from '../../problem.ts'
import { jsonErrorAt } from './json-error.ts'

/** Containers within containers: what no input of ours comes near, and no code of ours has to fear. */
const deepest = 64
/** Longer texts, which only imports can have, are not read again for the place of an error: that would hold others up. */
const longestSearched = 8 * 1024 * 1024

/** Throws malformed_json with line, column and position, or invalid_request. */
export function parseJson(bytes: Buffer): unknown {
  const value = parseSyntax(bytes)
  refuseHalves(value)
  return value
}

/** Without a look into strings: who calls this calls refuseHalves on each part. */
export function parseSyntax(bytes: Buffer): unknown {
  refuseDeep(bytes)
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch {
    if (text.length > longestSearched) throw problem('malformed_json', 'The body is not JSON. Send one JSON value.')
    throw malformed(text, jsonErrorAt(text))
  }
}

const [quote, backslash] = [0x22, 0x5c]

/** Before it is parsed: the parser takes seconds for a body that only opens. */
function refuseDeep(bytes: Buffer): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (inString) {
      if (byte === backslash) at += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    // [ and { differ in one bit, as do ] and }
    else if ((byte | 0x20) === 0x7b) {
      depth += 1
      if (depth > deepest) throw invalid('body', `is nested deeper than ${deepest} at byte ${at}: flatten it`)
    } else if ((byte | 0x20) === 0x7d) depth -= 1
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const lossy = Buffer.from(bytes.toString('utf8'))
    const position = lossy.findIndex((byte, at) => byte !== bytes[at])
    throw problem('malformed_json', `The body is not UTF-8 from byte ${position} on. Send it encoded in UTF-8.`, {
      details: { position },
    })
  }
}

function malformed(text: string, position: number) {
  const before = text.slice(0, position).split('\n')
  const line = before.length
  const column = (before.at(-1) ?? '').length + 1
  const what = position >= text.length ? 'ends too early' : 'is not JSON'
  return problem('malformed_json', `The body ${what} at line ${line}, column ${column}. Send one JSON value.`, {
    details: { position, line, column },
  })
}

/**
 * Throws invalid_request where a string holds half a character: it has no UTF-8, so that no store could give it back as
 * it came.
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
  if (/\p{Surrogate}/u.test(text))
    throw invalid(path || 'body', 'holds half of a surrogate pair: send whole characters')
}
