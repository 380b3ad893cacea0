/** JSON from bytes, strictly: UTF-8 and nothing else, bounded nesting, and an error that says where. */
import { invalid, problem } from '../../problem.ts'
import { jsonErrorAt } from './json-error.ts'

/** Containers within containers: what no input of ours comes near, and no code of ours has to fear. */
const deepest = 64

/** Throws malformed_json with line, column and position, or invalid_request. */
export function parseJson(bytes: Buffer): unknown {
  const value = parseSyntax(bytes)
  refuseUnfit(value)
  return value
}

/** Without the bounds: who calls this calls refuseUnfit on each part. */
export function parseSyntax(bytes: Buffer): unknown {
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(text, jsonErrorAt(text))
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

/** Throws invalid_request. Without recursion: this is what keeps others from recursing too deep. */
export function refuseUnfit(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next
    if (typeof value === 'string') refuseLoneSurrogate(value, path)
    if (value === null || typeof value !== 'object') continue
    if (depth > deepest) throw invalid(path.slice(0, 200), `is nested deeper than ${deepest}: flatten it`)
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) open.push({ value: item, path: `${path}[${at}]`, depth: depth + 1 })
      continue
    }
    for (const [name, field] of Object.entries(value)) {
      refuseLoneSurrogate(name, path)
      open.push({ value: field, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 })
    }
  }
}

/** Half a character has no UTF-8: no store could give it back as it came. */
function refuseLoneSurrogate(text: string, path: string): void {
  if (/\p{Surrogate}/u.test(text))
    throw invalid(path || 'body', 'holds half of a surrogate pair: send whole characters')
}
