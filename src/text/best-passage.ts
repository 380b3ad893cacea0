/**
 * Chooses the passage of a text that a hit shows. Segmenting scripts without spaces costs a hundred times as much as
 * others. There passages are ranked by an upper bound first, and only those that may be the best are segmented.
 */
import { inTurns } from '../ports/in-turns.ts'
import { analyze, unspacedScripts } from './analyzer.ts'
import { fold } from './fold.ts'
import { passages } from './passages.ts'

/**
 * UTF-16 units read of all texts of one answer; enough for 50 texts of 20,000 characters. Texts have equal shares, and
 * longer texts get what shorter ones leave.
 */
const mostRead = 2_000_000
/** Passages segmented for one answer, shared in the same way. */
const mostSegmented = 100

/** Tokens of the analyzer. A map says how much each counts; in a list all count the same. */
export type WantedTerms = readonly string[] | ReadonlyMap<string, number>

/**
 * For each text the passage whose different terms count most together; among equals the one with the most occurrences,
 * then the first. '' only for a blank text.
 */
export async function bestPassages(texts: readonly string[], terms: WantedTerms): Promise<string[]> {
  const turn = inTurns()
  const wanted = wantedIn(terms)
  const found = texts.map(() => '')
  let [units, segmented] = [mostRead, mostSegmented]
  const shortestFirst = [...texts.entries()].sort(([, a], [, b]) => a.length - b.length)
  for (const [nth, [at, text]] of shortestFirst.entries()) {
    const left = texts.length - nth
    const pieces = passages(text.slice(0, Math.floor(units / left)))
    units -= Math.min(text.length, Math.floor(units / left))
    const best = await bestOf(pieces, wanted, Math.floor(segmented / left), turn)
    segmented -= best.segmented
    found[at] = best.piece
  }
  return found
}

interface Wanted {
  all: ReadonlyMap<string, number>
  /** Terms of scripts without spaces. A text with such a term contains it as a substring, once folded. */
  unspaced: readonly string[]
}

function wantedIn(terms: WantedTerms): Wanted {
  const all = terms instanceof Map ? terms : new Map((terms as readonly string[]).map((term) => [term, 1]))
  return { all, unspaced: [...all.keys()].filter((term) => unspacedScripts.test(term)) }
}

/** A passage. `score` is its upper bound, or its exact value if `isExact`. */
interface Candidate {
  piece: string
  at: number
  score: number
  isExact: boolean
}

async function bestOf(
  pieces: readonly string[],
  wanted: Wanted,
  mostSegmented: number,
  turn: () => Promise<void>,
): Promise<{ piece: string; segmented: number }> {
  const [first = ''] = pieces
  if (pieces.length < 2 || wanted.all.size === 0) return { piece: first, segmented: 0 }
  const candidates: Candidate[] = []
  for (const [at, piece] of pieces.entries()) {
    candidates.push({ piece, at, ...atMost(piece, wanted) })
    await turn()
  }
  candidates.sort(byScore)
  let best: Candidate | undefined
  let segmented = 0
  for (const candidate of candidates) {
    // no later candidate can be better
    if (candidate.score === 0 || (best && byScore(best, candidate) < 0)) break
    const isKnown = candidate.isExact || segmented === mostSegmented
    const score = isKnown ? candidate.score : scoreOf(analyze(candidate.piece), wanted)
    if (!isKnown) segmented++
    if (score > 0 && (!best || byScore({ ...candidate, score }, best) < 0)) best = { ...candidate, score }
    if (isKnown) break
    await turn()
  }
  return { piece: best?.piece ?? first, segmented }
}

function byScore(a: Pick<Candidate, 'score' | 'at'>, b: Pick<Candidate, 'score' | 'at'>): number {
  return b.score - a.score || a.at - b.at
}

function atMost(piece: string, wanted: Wanted): Pick<Candidate, 'score' | 'isExact'> {
  if (!unspacedScripts.test(piece)) return { score: scoreOf(analyze(piece), wanted), isExact: true }
  const folded = fold(piece)
  const possible = wanted.unspaced.flatMap((term) => placesOf(term, folded))
  // not the folded text: it has lost the case, which divides names
  const words = analyze(piece.replace(unspacedRuns, ' '))
  return { score: scoreOf([...words, ...possible], wanted), isExact: possible.length === 0 }
}

const unspacedRuns = new RegExp(`${unspacedScripts.source}+`, 'gu')

/** The term, repeated once for each occurrence. */
function placesOf(term: string, folded: string): string[] {
  const found: string[] = []
  for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + 1)) found.push(term)
  return found
}

function scoreOf(tokens: readonly string[], wanted: Wanted): number {
  const found = tokens.filter((token) => wanted.all.has(token))
  let sum = 0
  for (const term of new Set(found)) sum += wanted.all.get(term) as number
  // occurrences only decide between equals
  return sum + Math.min(found.length, 9999) / 1_000_000
}
