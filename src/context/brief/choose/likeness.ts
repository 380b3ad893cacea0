/**
 * How much two statements are about the same subject. A word counts by how few of the compared statements have it, so no
 * list says which words matter.
 */
import { LRUCache } from 'lru-cache'
import { meaningOf, stemOf } from '../../../questions/compare/claims/vocabulary.ts'
import { analyze } from '../../../text/analyzer.ts'
import { sentencesOf } from '../../../text/sentences.ts'

/** UTF-16 units and sentences of a text that are compared. */
const mostRead = 2_000
const mostSentences = 12
/** In a small store each word would be frequent. */
const leastTexts = 200
/** Weight in common from which on two sentences are surely alike: about two rare words. */
const enough = 8
/** Words that two sentences must have in common. */
const leastShared = 2

export interface Read {
  sentences: readonly Sentence[]
  /** Of the title, the topics and the sentences, with their weights. */
  words: Weighted
}

export interface Sentence {
  text: string
  words: Weighted
}

interface Weighted {
  of: ReadonlyMap<string, number>
  sum: number
}

export interface Likeness {
  /** Share of the older sentence that the newer statement has. */
  covered: number
  /** Share of the shorter statement that both have. */
  shared: number
  /** How much the two sentences have in common: 0 to 1. */
  common: number
  /** The two sentences that are most alike. */
  older: Sentence
  newer: Sentence
}

export interface Text {
  /** The title and the topics. */
  heading: string
  text: string
}

export function readAll(texts: readonly Text[]): Read[] {
  const split = texts.map(({ heading, text }) => ({
    heading: wordsOf(heading),
    sentences: sentencesIn(text.slice(0, mostRead)),
  }))
  const all = split.map(({ heading, sentences }) => new Set([heading, ...sentences.map(({ words }) => words)].flat()))
  const weightOf = weightsIn(all)
  const weighted = (words: Iterable<string>): Weighted => {
    const of = new Map([...words].map((word) => [word, weightOf(word)]))
    return { of, sum: [...of.values()].reduce((sum, weight) => sum + weight, 0) }
  }
  return split.map(({ sentences }, at) => ({
    sentences: sentences.map(({ text, words }) => ({ text, words: weighted(words) })),
    words: weighted(all[at] ?? []),
  }))
}

const known = new LRUCache<string, readonly { text: string; words: readonly string[] }[]>({ max: 1_000 })

/** The same records are read for many briefs. */
function sentencesIn(text: string) {
  const found =
    known.get(text) ??
    sentencesOf(text)
      .slice(0, mostSentences)
      .map((sentence) => ({ text: sentence.text, words: wordsOf(sentence.text) }))
  known.set(text, found)
  return found
}

/** Those that tell the subject, not a value of it. */
function wordsOf(text: string): string[] {
  return analyze(text)
    .filter((word) => !/^\d/.test(word))
    .map(meaningOf)
    .filter((word) => !generic.has(word))
}

/** Words that statements about many subjects have, such as “the fee is” and “costs”. */
const generic: ReadonlySet<string> = new Set(
  `price cost fee charge expense amount value size length duration period window term level budget sum total quota capacity
  limit maximum minimum largest longest smallest highest lowest most least upper lower threshold rate time long date day due
  deadline place room space way case thing purpose basis people person someone following agree commit guarantee promise
  contract according plan policy rule arrangement setting setup configure define specify state put call name know consist
  count reach order handle done carry load belong stay remain exist live reside locate include provide allow happen follow
  enjoy expect enough entitle full available valid mandatory official formal current usual general possible right
  service system`
    .split(/\s+/)
    .map((word) => meaningOf(stemOf(word))),
)

function weightsIn(texts: readonly ReadonlySet<string>[]): (word: string) => number {
  const having = new Map<string, number>()
  for (const words of texts) for (const word of words) having.set(word, (having.get(word) ?? 0) + 1)
  const count = Math.max(leastTexts, texts.length)
  return (word) => Math.log(1 + count / ((having.get(word) ?? 0) + 0.5))
}

/** undefined: they have too little in common. */
export function likeness(older: Read, newer: Read): Likeness | undefined {
  const shared = sharedBy(older.words, newer.words)
  if (shared.words < leastShared) return undefined
  let best: Likeness | undefined
  let most = 0
  for (const one of older.sentences) {
    const inAll = sharedBy(one.words, newer.words)
    if (inAll.words < leastShared) continue
    for (const other of newer.sentences) {
      const inOne = sharedBy(one.words, other.words)
      if (inOne.words < leastShared) continue
      const common = Math.min(1, inOne.sum / enough)
      const alike = common * ((inOne.sum + inAll.sum) / one.words.sum + inOne.sum / other.words.sum)
      if (alike <= most) continue
      most = alike
      best = {
        covered: inAll.sum / one.words.sum,
        shared: shared.sum / Math.min(older.words.sum, newer.words.sum),
        common,
        ...{ older: one, newer: other },
      }
    }
  }
  return best
}

function sharedBy(some: Weighted, others: Weighted): { words: number; sum: number } {
  const [few, many] = some.of.size < others.of.size ? [some, others] : [others, some]
  const shared = { words: 0, sum: 0 }
  for (const [word, weight] of few.of) {
    if (!many.of.has(word)) continue
    shared.words++
    shared.sum += weight
  }
  return shared
}
