/** The order of files: by their best chunks, and by what the query says of their kind and their name. */
import type { Candidate, Statistics } from '../../../ports/search.ts'
import { analyze } from '../../../text/analyzer.ts'
import { matching, pairsOf } from '../../../text/matching.ts'
import { isProse, type PathKind, pathKind } from '../../stored/path-kind.ts'
import { type CodeKind, chunkOf } from '../../stored/search-document.ts'
import type { ContentFile } from '../shown-contents.ts'

export interface Asked {
  /** Tokens of the query in its order. */
  tokens: readonly string[]
  /** Distinct. */
  terms: readonly string[]
  weights: readonly number[]
}

export interface RankedFile {
  file: ContentFile
  /** Indexes in `chunks` of the blob, best first. */
  chunks: number[]
  /** 0 to 1; 0.5 or more: most of the query is in it. */
  score: number
}

/** Of one file, and how much each counts after the one before. */
const chunksOfFile = 4
const nextChunk = 0.5
/** Added if the query has all words of the file's name, as a share of its best chunk. */
const nameShare = 0.4
const proseShare = 0.7
const otherShare = 0.5
/** The share of the attainable BM25 that scores 0.5. */
const halfScore = 0.35

/** Words by which a query asks for files that otherwise count less. */
const asking: readonly [Exclude<PathKind, 'source'>, readonly string[]][] = [
  ['test', ['test', 'tests', 'testing', 'tested', 'spec', 'specs', 'fixture', 'fixtures', 'mock']],
  ['example', ['example', 'examples', 'sample', 'samples', 'demo']],
  ['document', ['docs', 'documentation', 'readme', 'guide', 'documented', 'changelog', 'tutorial']],
]

/** `files`: those that fit, by their content. `words`: of the query, as it was written. */
export function rankFiles(
  candidates: readonly Candidate<CodeKind>[],
  statistics: Statistics,
  files: ReadonlyMap<string, ContentFile>,
  asked: Asked,
  words: string,
): RankedFile[] {
  const match = matching({ weights: asked.weights, pairs: pairsOf(asked.tokens, asked.terms) }, statistics)
  const byFile = new Map<string, { value: number; chunk: number }[]>()
  for (const candidate of candidates) {
    if (!files.has(candidate.record_id)) continue
    const chunk = { value: match.of(candidate), chunk: chunkOf(candidate.id) }
    byFile.set(candidate.record_id, [...(byFile.get(candidate.record_id) ?? []), chunk])
  }
  const share = shares(words)
  const asks = new Set(asked.terms)
  const half = match.attainable * halfScore
  return [...byFile].map(([content, found]) => {
    const file = files.get(content) as ContentFile
    found.sort((x, y) => y.value - x.value || x.chunk - y.chunk)
    const best = (found[0] as { value: number }).value
    const sum = found.slice(0, chunksOfFile).reduce((all, { value }, at) => all + value * nextChunk ** at, 0)
    const value = (sum + (isNamedBy(file.path, asks) ? nameShare * best : 0)) * share(file)
    return { file, chunks: found.map(({ chunk }) => chunk), score: value > 0 ? value / (value + half) : 0 }
  })
}

/** What the value of a file is multiplied by. */
function shares(words: string): (file: ContentFile) => number {
  const asked = new Set(words.toLowerCase().match(/\p{L}+/gu) ?? [])
  const wanted = new Set(asking.filter(([, some]) => some.some((word) => asked.has(word))).map(([kind]) => kind))
  return ({ path, language }) => {
    const kind = pathKind(path)
    if (kind !== 'source' && !wanted.has(kind)) return otherShare
    return isProse(language) && !wanted.has('document') ? proseShare : 1
  }
}

function isNamedBy(path: string, asks: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = analyze(name.replace(/\.[^.]*$/, ''))
  return stem.length > 0 && stem.every((token) => asks.has(token))
}

/** Best first; then by repository and path, so that the order of equals never changes. */
export function compareFiles(x: Placed, y: Placed): number {
  if (x.score !== y.score) return y.score - x.score
  if (x.file.repository !== y.file.repository) return x.file.repository < y.file.repository ? -1 : 1
  return x.file.path < y.file.path ? -1 : x.file.path > y.file.path ? 1 : 0
}

export interface Placed {
  file: Pick<ContentFile, 'repository' | 'path'>
  score: number
}
