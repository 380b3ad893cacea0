/**
 * Refuses a repeated header if proxies and servers may disagree on which value counts. Node itself refuses a
 * repeated Content-Length.
 */
import { invalid, problem } from '../../problem.ts'

/** More than any client sends. Each header costs time and memory. */
export const mostHeaders = 100

const single = [
  'Host',
  'Expect',
  'Content-Type',
  'Authorization',
  'Idempotency-Key',
  'Content-Encoding',
  'Transfer-Encoding',
]
const names = new Map(single.map((name) => [name.toLowerCase(), name]))
const lengths = new Set(single.map(({ length }) => length))

/** `raw`: names and values in turn. Throws invalid_request. */
export function refuseRepeated(raw: readonly string[]): void {
  if (raw.length > 2 * mostHeaders) throw problem('invalid_request', `Send ${mostHeaders} headers at most.`)
  const seen: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const given = raw[at] as string
    if (!lengths.has(given.length)) continue
    const name = names.get(given.toLowerCase())
    if (name === undefined) continue
    if (seen.includes(name)) throw invalid(name, 'is given twice: send it once')
    seen.push(name)
  }
}
