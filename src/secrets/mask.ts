/**
 * Masks credentials in what programs of the operator print. Such texts are kept even if they hold a credential, unlike
 * the texts of callers.
 */
import { findingsIn, findSecret } from './find.ts'
import type { Finding } from './rules/rule.ts'

const mask = '[masked]'
/** Instead of a text that still holds a credential after masking, such as one hidden by escapes. */
export const withheld = '[withheld]'

/** The text from `from` on. What stands before is searched too: a credential may begin there. */
export async function masked(text: string, from = 0): Promise<string> {
  const ranges: Range[] = []
  for await (const finding of findingsIn(text)) {
    const range = rangeOf(finding, text)
    if (range === undefined) return withheld
    ranges.push(range)
  }
  const shown = withoutRanges(text, from, ranges)
  return (await findSecret([{ place: '', text: shown }])) ? withheld : shown
}

/** A JSON value with every text in it masked. */
export async function maskedJson(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return Promise.all(value.map(maskedJson))
  if (value === null || typeof value !== 'object') return value
  const fields: [string, unknown][] = []
  for (const [name, one] of Object.entries(value)) {
    const shown = await maskedJson(one)
    // some credentials are found only together with the name, such as `password`
    const isCredential = typeof shown === 'string' && (await findSecret([{ place: '', text: `${name}: "${shown}"` }]))
    fields.push([await masked(name), isCredential ? withheld : shown])
  }
  return Object.fromEntries(fields)
}

interface Range {
  from: number
  to: number
}

/** UTF-16 units. No credential but a private key is longer, with what stands before its value. */
const longestToken = 12_000
/** UTF-16 units. The longest private keys have some 13,000. */
export const longestKey = 20_000

function rangeOf(finding: Finding, text: string): Range | undefined {
  const { kind, at, value } = finding
  if (kind === 'privatekey') return { from: at, to: endOfKey(text, at) }
  // a rule may report the start of the prefix instead of the value
  const start = text.indexOf(value, at)
  return start < 0 || start - at > longestToken ? undefined : { from: at, to: start + value.length }
}

/** The finding holds only the beginning of a private key. A key without its end may still be printed. */
function endOfKey(text: string, at: number): number {
  const most = Math.min(text.length, at + longestKey)
  const end = /-{4,5}\s?END [^-\n]{0,60}-{4,5}/.exec(text.slice(at, most))
  return end ? at + end.index + end[0].length : most
}

function withoutRanges(text: string, from: number, ranges: Range[]): string {
  let shown = ''
  let here = from
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    if (range.to <= here) continue
    if (range.from > here) shown += text.slice(here, range.from)
    shown += mask
    here = range.to
  }
  return shown + text.slice(here)
}
