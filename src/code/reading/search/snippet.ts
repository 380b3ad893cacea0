/** The lines of a chunk that a hit shows. */
import { inTurns } from '../../../ports/in-turns.ts'
import { analyze } from '../../../text/analyzer.ts'
import type { Lines } from '../schema.ts'

const mostLines = 20
const longestLine = 200
/** Lines of a chunk that are looked at for a text, and characters of them for the words of the query. */
const mostRead = 2_000
const charactersForWords = 20_000
const longestRead = 10_000

export interface Snippet {
  lines: Lines
  snippet: string
}

/**
 * The whole chunk if it is short; else its part with most of the query's texts and words. `chunk`: its lines. `first`:
 * the number of the first of them in the file, from 1.
 */
export async function snippetOf(
  chunk: readonly string[],
  first: number,
  terms: readonly string[],
  texts: readonly string[],
): Promise<Snippet> {
  const start = chunk.length <= mostLines ? 0 : await bestStart(chunk, terms, texts)
  let end = Math.min(chunk.length, start + mostLines)
  while (end > start + 1 && chunk[end - 1]?.trim() === '') end -= 1
  const shown = chunk.slice(start, end).map((line) => withoutHalf(line.slice(0, longestLine)))
  return { lines: { start: first + start, end: first + Math.max(start, end - 1) }, snippet: shown.join('\n') }
}

/** The index of the line at which the best part begins. Of parts that are equally good, the first. */
async function bestStart(
  chunk: readonly string[],
  terms: readonly string[],
  texts: readonly string[],
): Promise<number> {
  const turn = inTurns()
  const wanted = new Set(terms)
  const lowerTexts = texts.map((text) => (text.toLowerCase().split('\n')[0] ?? '').trim())
  const held: Set<string>[] = []
  let left = charactersForWords
  for (const line of chunk.slice(0, mostRead)) {
    const read = line.slice(0, Math.min(1_000, Math.max(0, left)))
    left -= read.length
    const lower = line.slice(0, longestRead).toLowerCase()
    const found = lowerTexts.filter((text) => lower.includes(text)).map((text) => `"${text}`)
    held.push(new Set([...analyze(read).filter((token) => wanted.has(token)), ...found]))
    await turn()
  }
  let best = { at: 0, value: -1 }
  const counts = new Map<string, number>()
  for (let at = 0; at < held.length; at++) {
    for (const one of held[at] as Set<string>) counts.set(one, (counts.get(one) ?? 0) + 1)
    for (const one of held[at - mostLines] ?? []) count(counts, one)
    const from = Math.max(0, at - mostLines + 1)
    const value = [...counts.keys()].reduce((sum, one) => sum + (one.startsWith('"') ? 100 : 1), 0)
    if (value > best.value && at >= Math.min(mostLines, held.length) - 1) best = { at: from, value }
  }
  return best.at
}

function count(counts: Map<string, number>, one: string): void {
  const left = (counts.get(one) ?? 0) - 1
  if (left > 0) counts.set(one, left)
  else counts.delete(one)
}

/** Without the first half of a character that was cut in two. */
function withoutHalf(line: string): string {
  return /[\ud800-\udbff]$/.test(line) ? line.slice(0, -1) : line
}
