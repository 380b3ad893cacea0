/** Keeps a line of the log short and harmless, whatever a caller or an engine put into it. */

/** Bytes of a line with its end. Many tools cut or split longer ones. */
export const longestLine = 2048
/** No character takes more bytes of UTF-8 than this for each unit of its length. */
const bytesOfUnit = 3
/** How much of each text and of each list is kept, from the most to the least. */
const lengths = [500, 150, 50, 15]

/** What JSON leaves as it is, though a terminal or a reader of lines acts on it: DEL, C1, line and paragraph separator. */
const acting = /[\u007f-\u009f\u2028\u2029]/g

/** `line`: a JSON object and a line break. */
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
