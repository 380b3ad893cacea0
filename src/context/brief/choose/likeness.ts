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
  /** Of the title, the topics and the sentences. */
  words: Words
}

export interface Sentence {
  text: string
  words: Words
}

/** Each word once. */
interface Words {
  said: readonly string[]
  /** The number of each word of `said`, among all statements that are read together. */
  numbers: readonly number[]
  /** Their weights together. */
  sum: number
}

/** Statements that are compared with each other. */
export interface ReadTogether {
  reads: Read[]
  /** By the number of a word. */
  weights: Float64Array
  /** By the number of a word: its share of the words of the query that any of the statements has. */
  asked: Float64Array
}

export interface Likeness {
  /** Share of the older sentence that the newer statement has. */
  covered: number
  /** The two sentences that are most alike. */
  older: Sentence
  newer: Sentence
}

export interface Text {
  /** The title and the topics. */
  heading: string
  text: string
}

/** `terms`: of the query. */
export function readAll(texts: readonly Text[], terms: readonly string[]): ReadTogether {
  const numberOf = new Map<string, number>()
  const having: number[] = []
  const numbered = (said: readonly string[]) =>
    said.map((word) => {
      const number = numberOf.get(word) ?? numberOf.size
      if (number === having.length) having.push(0)
      numberOf.set(word, number)
      return number
    })
  const split = texts.map(({ heading, text }) => {
    const sentences = sentencesIn(text.slice(0, mostRead))
    const said = [...new Set([headingWords(heading), ...sentences.map(({ said }) => said)].flat())]
    const numbers = numbered(said)
    for (const number of numbers) having[number] = (having[number] as number) + 1
    return { sentences, said, numbers }
  })
  const weights = weightsOf(having, texts.length)
  const weighted = (said: readonly string[], numbers: readonly number[]): Words => {
    return { said, numbers, sum: numbers.reduce((sum, number) => sum + (weights[number] as number), 0) }
  }
  const reads = split.map(({ sentences, said, numbers }) => ({
    sentences: sentences.map(({ text, said }) => ({ text, words: weighted(said, numbered(said)) })),
    words: weighted(said, numbers),
  }))
  return { reads, weights, asked: askedOf(terms, numberOf, weights) }
}

function askedOf(terms: readonly string[], numberOf: ReadonlyMap<string, number>, weights: Float64Array): Float64Array {
  const asked = new Float64Array(weights.length)
  const numbers = [...new Set(terms.map(meaningOf))].flatMap((word) => numberOf.get(word) ?? [])
  const sum = numbers.reduce((all, number) => all + (weights[number] as number), 0)
  for (const number of numbers) asked[number] = (weights[number] as number) / sum
  return asked
}

const known = new LRUCache<string, readonly { text: string; said: readonly string[] }[]>({ max: 1_000 })
const knownHeadings = new LRUCache<string, readonly string[]>({ max: 1_000 })

/** The same records are read for many briefs. */
function sentencesIn(text: string) {
  const found =
    known.get(text) ??
    sentencesOf(text)
      .slice(0, mostSentences)
      .map((sentence) => ({ text: sentence.text, said: wordsOf(sentence.text) }))
  known.set(text, found)
  return found
}

function headingWords(heading: string): readonly string[] {
  const found = knownHeadings.get(heading) ?? wordsOf(heading)
  knownHeadings.set(heading, found)
  return found
}

/** Those that tell the subject, not a value of it, each once. */
function wordsOf(text: string): string[] {
  const words = analyze(text)
    .filter((word) => !/^\d/.test(word))
    .map(meaningOf)
    .filter((word) => !generic.has(word))
  return [...new Set(words)]
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

function weightsOf(having: readonly number[], texts: number): Float64Array {
  const count = Math.max(leastTexts, texts)
  return Float64Array.from(having, (number) => Math.log(1 + count / (number + 0.5)))
}

export interface Comparing {
  /** Share of the shorter statement that both have, and what the newer one has of each older sentence. */
  shared(newer: Read): Shared | undefined
  /** undefined: no two sentences have enough in common. */
  likeness(newer: Read, shared: Shared): Likeness | undefined
}

interface Shared {
  /** Share of the shorter statement that both have. */
  share: number
  /** Share of the query that both have. */
  asked: number
  of: readonly Part[]
}

interface Part {
  words: number
  sum: number
}

/** Compares one statement with many newer ones. Each word of a newer one is looked up once for all older sentences. */
export function comparing(older: Read, { weights, asked }: Omit<ReadTogether, 'reads'>): Comparing {
  const { isOld, sentencesWith } = placesOf(older, weights.length)
  const partsOf = ({ numbers }: Words): Part[] => {
    const parts = older.sentences.map(() => ({ words: 0, sum: 0 }))
    for (const number of numbers) {
      for (let left = sentencesWith[number] as number, at = 0; left !== 0; left >>= 1, at++) {
        if ((left & 1) === 1) add(parts[at] as Part, weights[number] as number)
      }
    }
    return parts
  }
  return {
    shared(newer) {
      const both = { words: 0, sum: 0, asked: 0 }
      for (const number of newer.words.numbers) {
        if (isOld[number] !== 1) continue
        add(both, weights[number] as number)
        both.asked += asked[number] as number
      }
      if (both.words < leastShared) return undefined
      const share = both.sum / Math.min(older.words.sum, newer.words.sum)
      return { share, asked: both.asked, of: partsOf(newer.words) }
    },
    likeness(newer, shared) {
      return mostAlike(older, newer, shared, partsOf)
    },
  }
}

function add(part: Part, weight: number): void {
  part.words++
  part.sum += weight
}

/** For each word: whether the statement has it, and a bit for each of its sentences that has it. */
function placesOf({ words, sentences }: Read, count: number) {
  const isOld = new Uint8Array(count)
  const sentencesWith = new Uint16Array(count)
  for (const number of words.numbers) isOld[number] = 1
  for (const [at, { words }] of sentences.entries()) {
    for (const number of words.numbers) sentencesWith[number] = (sentencesWith[number] as number) | (1 << at)
  }
  return { isOld, sentencesWith }
}

/** Of two pairs that are equally alike, the one with the earlier older sentence. */
function mostAlike(older: Read, newer: Read, shared: Shared, partsOf: (words: Words) => Part[]): Likeness | undefined {
  let best: Likeness | undefined
  let most = 0
  let bestAt = 0
  for (const other of newer.sentences) {
    for (const [at, inOne] of partsOf(other.words).entries()) {
      if (inOne.words < leastShared) continue
      const [one, inAll] = [older.sentences[at] as Sentence, shared.of[at] as Part]
      const common = Math.min(1, inOne.sum / enough)
      const alike = common * ((inOne.sum + inAll.sum) / one.words.sum + inOne.sum / other.words.sum)
      if (alike < most || (alike === most && (best === undefined || at >= bestAt))) continue
      ;[most, bestAt] = [alike, at]
      best = { covered: inAll.sum / one.words.sum, older: one, newer: other }
    }
  }
  return best
}
