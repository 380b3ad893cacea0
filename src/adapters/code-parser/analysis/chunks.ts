/** Divides a file into what search finds: symbols with their doc comments and bodies, and windows of the other lines. */
import type { Chunk, CodeSymbol } from '../../../ports/code-parser.ts'
import type { SourceLines } from './source-lines.ts'

/** Lines. A longer part is divided into windows. */
const longest = 60
/** Lines of a window, and lines that it shares with the one before, so that a passage is whole in one of them. */
const window = 40
const overlap = 5
/** Lines, with the doc comment. Smaller constants and fields stay in the windows around them. */
const leastValue = 4
const values = new Set<CodeSymbol['kind']>(['constant', 'variable', 'field'])
const containers = new Set<CodeSymbol['kind']>(['class', 'interface', 'enum', 'module'])

interface Part {
  start: number
  end: number
  symbol?: number
  /** Divided into those inside and the rest. A function is whole, unless it is long. */
  isDivided: boolean
  inside: Part[]
}

/** `symbols` are in the order of their first lines. Each line is in at least one chunk. */
export function chunksOf(symbols: readonly CodeSymbol[], lines: SourceLines): Chunk[] {
  if (lines.count === 0) return []
  return divided(partsOf(symbols, lines.count), lines).sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The file. Symbols that deserve a chunk stand within the one around them. Those beside each other share no line. */
function partsOf(symbols: readonly CodeSymbol[], last: number): Part {
  const file: Part = { start: 1, end: last, isDivided: true, inside: [] }
  const open = [file]
  for (const [symbol, one] of symbols.entries()) {
    if (!deservesChunk(one)) continue
    const start = one.docStart ?? one.start
    while (open.length > 1 && (open.at(-1) as Part).end < start) open.pop()
    const around = open.at(-1) as Part
    // two on one line: the line belongs to the one before
    const isApart = start > (around.inside.at(-1)?.end ?? 0) && (around === file || start > around.start)
    if (!isApart || one.end > around.end) continue
    const isDivided = containers.has(one.kind) || one.end - start + 1 > longest
    const part: Part = { start, end: one.end, symbol, isDivided, inside: [] }
    around.inside.push(part)
    open.push(part)
  }
  return file
}

function deservesChunk({ kind, container, docStart, start, end }: CodeSymbol): boolean {
  const length = end - (docStart ?? start) + 1
  return values.has(kind) ? length >= leastValue : length > 1 || container === undefined
}

function divided(part: Part, lines: SourceLines): Chunk[] {
  if (!part.isDivided || part.inside.length === 0) return windowsOf(part)
  const chunks: Chunk[] = []
  let next = part.start
  for (const inner of part.inside) {
    chunks.push(...rest(part, next, inner.start - 1, lines, chunks.at(-1)), ...divided(inner, lines))
    next = inner.end + 1
  }
  return [...chunks, ...rest(part, next, part.end, lines, chunks.at(-1))]
}

/** Lines between the parts inside. Empty lines and brackets alone are no chunk: they go to the one before. */
function rest({ symbol }: Part, start: number, end: number, lines: SourceLines, before: Chunk | undefined): Chunk[] {
  if (start > end) return []
  if (before === undefined || hasWords(start, end, lines))
    return windowsOf({ start, end, ...(symbol !== undefined && { symbol }) })
  before.end = end
  return []
}

function hasWords(start: number, end: number, lines: SourceLines): boolean {
  for (let line = start; line <= end; line += 1) {
    const words = lines.text(line).trim()
    if (words !== 'end' && /[\p{L}\p{N}]/u.test(words)) return true
  }
  return false
}

/** Windows of about the same size. */
function windowsOf({ start, end, symbol }: Pick<Part, 'start' | 'end' | 'symbol'>): Chunk[] {
  const length = end - start + 1
  const count = length <= longest ? 1 : Math.ceil((length - overlap) / (window - overlap))
  const step = (length - overlap) / count
  return Array.from({ length: count }, (_, at) => ({
    start: start + Math.floor(at * step),
    end: at === count - 1 ? end : start + Math.floor((at + 1) * step) + overlap - 1,
    ...(symbol !== undefined && { symbol }),
  }))
}
