/** Keeps log lines short and free of control characters, whatever callers or engines put into them. */

/** Bytes, with the line break. Many tools cut or split longer lines. */
export const longestLine = 2048
/** The most UTF-8 bytes for one UTF-16 unit. */
const bytesOfUnit = 3
/** Limits for the length of texts and lists, tried in this order. */
const lengths = [500, 150, 50, 15]

/**
 * Characters that JSON does not escape, but terminals or log readers interpret: DEL, C1, line and paragraph separators.
 */
const acting = /[\u007f-\u009f\u2028\u2029]/g

/** `line` is a JSON object and a line break. */
export function shortLine(line: string): string {
  const harmless = line.replace(acting, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (fits(harmless)) return harmless
  const fields = JSON.parse(harmless) as Record<string, unknown>
  for (const most of lengths) {
    const cut = `${JSON.stringify(shortened(fields, most))}\n`.replace(acting, ' ')
    if (fits(cut)) return cut
  }
  const { level, time, request, msg } = fields
  return `${JSON.stringify(shortened({ level, time, request, msg }, lengths[0] as number))}\n`.replace(acting, ' ')
}

function fits(line: string): boolean {
  return line.length * bytesOfUnit <= longestLine || Buffer.byteLength(line) <= longestLine
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length <= most ? value : `${value.slice(0, most)}… (${value.length})`
  if (Array.isArray(value)) {
    const kept = value.slice(0, Math.ceil(most / 25)).map((one) => shortened(one, most))
    return kept.length === value.length ? kept : [...kept, `… (${value.length})`]
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field, most)]))
}
