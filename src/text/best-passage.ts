/**
 * Which passage of a text a hit shows. The words of scripts without spaces cost a hundred times what others do to find:
 * there passages are ranked first by what they could hold at most, and only those that may be the best are cut into words.
 */
import { inTurns } from '../ports/in-turns.ts'
import { analyze, unspacedScripts } from './analyzer.ts'
import { fold } from './fold.ts'
import { passages } from './passages.ts'

/**
 * Of the texts of one answer so much is looked at, in UTF-16 units, and so many passages are cut into words. Texts share
 * it alike, and what the shorter ones leave goes to the longer ones. 50 texts of 20,000 characters are within it.
 */
const mostLooked = 2_000_000
const mostSegmented = 100

/**
 * Of each text the passage that holds most of the terms (tokens of the analyzer); of equals the one that holds them most
 * often, then the first. Never empty where the text is not blank; '' where it is.
 */
export async function bestPassages(texts: readonly string[], terms: readonly string[]): Promise<string[]> {
  const turn = inTurns()
  const wanted = wantedIn(terms)
  const found = texts.map(() => '')
  let [units, segmented] = [mostLooked, mostSegmented]
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
  all: ReadonlySet<string>
  /** Those of scripts without spaces: each is a piece of the folded text that holds it. */
  unspaced: readonly string[]
}

function wantedIn(terms: readonly string[]): Wanted {
  const all = new Set(terms)
  return { all, unspaced: [...all].filter((term) => unspacedScripts.test(term)) }
}

/** A passage that may hold so much at most; it holds it if `isExact`. */
interface Candidate {
  piece: string
  at: number
  worth: number
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
  candidates.sort(byWorth)
  let best: Candidate | undefined
  let segmented = 0
  for (const candidate of candidates) {
    // nothing behind it can be better
    if (candidate.worth === 0 || (best && byWorth(best, candidate) < 0)) break
    const isKnown = candidate.isExact || segmented === mostSegmented
    const worth = isKnown ? candidate.worth : worthOf(analyze(candidate.piece), wanted)
    if (!isKnown) segmented++
    if (worth > 0 && (!best || byWorth({ ...candidate, worth }, best) < 0)) best = { ...candidate, worth }
    if (isKnown) break
    await turn()
  }
  return { piece: best?.piece ?? first, segmented }
}

function byWorth(a: Pick<Candidate, 'worth' | 'at'>, b: Pick<Candidate, 'worth' | 'at'>): number {
  return b.worth - a.worth || a.at - b.at
}

function atMost(piece: string, wanted: Wanted): Pick<Candidate, 'worth' | 'isExact'> {
  if (!unspacedScripts.test(piece)) return { worth: worthOf(analyze(piece), wanted), isExact: true }
  const folded = fold(piece)
  const possible = wanted.unspaced.flatMap((term) => placesOf(term, folded))
  const words = analyze(folded.replace(unspacedRuns, ' '))
  return { worth: worthOf([...words, ...possible], wanted), isExact: possible.length === 0 }
}

const unspacedRuns = new RegExp(`${unspacedScripts.source}+`, 'gu')

/** The term, as often as it is there. */
function placesOf(term: string, folded: string): string[] {
  const found: string[] = []
  for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + 1)) found.push(term)
  return found
}

function worthOf(tokens: readonly string[], wanted: Wanted): number {
  const found = tokens.filter((token) => wanted.all.has(token))
  // how often decides between equals only
  return new Set(found).size + Math.min(found.length, 9999) / 10_000
}
