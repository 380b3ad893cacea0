/**
 * Refuses JSON objects that contain a name twice. Our parser would use the last value, while a proxy in front of the
 * service may have checked the first one.
 */
import { invalid } from '../../problem.ts'
import { structureReader } from './token-count.ts'

const colon = 0x3a

/** `value`: what the bytes were parsed to. Throws invalid_request. */
export function refuseRepeated(bytes: Uint8Array, value: unknown): void {
  let names = 0
  structureReader((byte) => {
    if (byte === colon) names++
  })(bytes)
  if (names === namesIn(value)) return
  throw invalid(repeatedIn(Buffer.from(bytes).toString('utf8')), 'is given twice: send it once')
}

function namesIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  const inside = Object.values(value)
  return inside.reduce((sum: number, one) => sum + namesIn(one), Array.isArray(value) ? 0 : inside.length)
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

interface Open {
  /** Of an object: the names so far. */
  names: Set<string>
  /** The name of the field that is read, or the place in the list. */
  at: string | number
}

/** The path of the first field that its object has a second time, such as `visibility.scope`. */
function repeatedIn(text: string): string {
  const open: Open[] = []
  let last = ''
  for (const [found] of text.matchAll(token)) {
    const inner = open.at(-1)
    if (found === '{') open.push({ names: new Set(), at: '' })
    else if (found === '[') open.push({ names: new Set(), at: 0 })
    else if (found === '}' || found === ']') open.pop()
    else if (found === ',' && typeof inner?.at === 'number') inner.at++
    else if (found === ':' && inner) {
      inner.at = JSON.parse(last) as string
      if (inner.names.has(inner.at)) return pathOf(open)
      inner.names.add(inner.at)
    }
    last = found
  }
  return 'body'
}

function pathOf(open: readonly Open[]): string {
  return open.reduce((path, { at }) => {
    if (typeof at === 'number') return `${path}[${at}]`
    return path === '' ? at : `${path}.${at}`
  }, '')
}
