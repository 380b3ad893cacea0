/**
 * How much the statements of a brief have in common. A word counts by how few of them have it, so no list says which
 * words matter.
 */
import { analyze } from '../../../text/analyzer.ts'
import { oncePerText } from '../../../text/once-per-text.ts'
import { sentencesOf } from '../../../text/sentences.ts'
import { meaning, tellsSubject } from '../text/subject-words.ts'

/** UTF-16 units of a text that are compared. */
const mostRead = 2_000
/** Sentences of a text that are compared one by one: all pairs of two lists of single words take seconds. */
const mostSentences = 24
/** In a small store each word would be frequent. */
const leastTexts = 200
/** Cosine that counts as near whatever else there is. */
const near = 0.2
/**
 * In a list of fewer statements than this, one common word does not show that two statements are about one subject. One
 * word adds less than `oneWord` to what two statements have in common.
 */
const fewStatements = 40
const oneWord = 5
/** Two sentences of common words only are hardly alike, even if they have the same words. As Likeness.common gives it. */
const shortSentence = 5
/** Among few statements the nearest one may still be far away. */
const nearAmong = (count: number) => Math.max(near, 12 / (20 + count))

export interface Text {
  /** The title and the topics. */
  heading: string
  text: string
}

/** Between the statement at place `older` and the one at `newer`, which comes before it in the list. */
export interface Likeness {
  /** How rare the words are that both have, as a sum. 0: they have none in common. */
  common(older: number, newer: number): number
  /**
   * How near they are, 1 if no older statement is nearer to `newer`. What is new about one subject is usually nearest to
   * what was said about it before, however few words they have in common.
   */
  nearest(older: number, newer: number): number
  /**
   * From 0 to 1: how alike two sentences are, one of the older statement and one of the newer one. Of all such pairs the
   * pair that is most alike counts. Sentences of few or common words are less alike.
   */
  ofSentences(older: number, newer: number): number
}

/** `newestFirst`: the statements to compare. `turn` is awaited while they are read. */
export async function likenessAmong(newestFirst: readonly Text[], turn: () => Promise<void>): Promise<Likeness> {
  const count = newestFirst.length
  const { words, having, numberOf } = await placesOf(newestFirst, turn)
  const weights = having.map(({ length }) => Math.log(1 + Math.max(leastTexts, count) / (length + 0.5)))
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + (weights[number] as number), 0)
  const sums = words.map(sumOf)
  const common = new Float64Array(count * count)
  for (const [number, places] of having.entries()) {
    const weight = weights[number] as number
    for (const [at, newer] of places.entries()) {
      for (let next = at + 1; next < places.length; next++) {
        const pair = (places[next] as number) * count + newer
        common[pair] = (common[pair] as number) + weight
      }
    }
  }
  const least = count < fewStatements ? oneWord : 0
  const inCommon = (older: number, newer: number) => {
    const sum = common[older * count + newer] as number
    return sum < least ? 0 : sum
  }
  const cosine = (older: number, newer: number) =>
    ratio(inCommon(older, newer), Math.sqrt((sums[older] as number) * (sums[newer] as number)))
  const nearestTo = sums.map((_, newer) => {
    let most = nearAmong(count)
    for (let older = newer + 1; older < count; older++) most = Math.max(most, cosine(older, newer))
    return most
  })
  const sentences: Weighed[][] = []
  const sentencesAt = (at: number) => {
    sentences[at] ??= wordsOfSentences((newestFirst[at] as Text).text)
      .slice(0, mostSentences)
      .map((said) => {
        const numbers = said.map((word) => numberOf.get(word) as number)
        return { numbers: new Set(numbers), sum: sumOf(numbers) }
      })
    return sentences[at]
  }
  const together = (one: Weighed, other: Weighed) => {
    let sum = 0
    for (const number of one.numbers) if (other.numbers.has(number)) sum += weights[number] as number
    return sum / (Math.sqrt(one.sum * other.sum) + shortSentence)
  }
  return {
    common: inCommon,
    nearest: (older, newer) => cosine(older, newer) / (nearestTo[newer] as number),
    ofSentences(older, newer) {
      const others = sentencesAt(newer)
      return sentencesAt(older).reduce(
        (most, one) => others.reduce((so, two) => Math.max(so, together(one, two)), most),
        0,
      )
    },
  }
}

/** The words of a sentence, by number, and the sum of their weights. */
interface Weighed {
  numbers: ReadonlySet<number>
  sum: number
}

const ratio = (part: number, all: number) => (all === 0 ? 0 : part / all)

/** Of each statement the numbers of its words, and of each word the places of the statements that have it. */
async function placesOf(
  texts: readonly Text[],
  turn: () => Promise<void>,
): Promise<{ words: number[][]; having: number[][]; numberOf: ReadonlyMap<string, number> }> {
  const numberOf = new Map<string, number>()
  const having: number[][] = []
  const words: number[][] = []
  for (const [place, { heading, text }] of texts.entries()) {
    await turn()
    const said = new Set([...wordsOf(heading), ...wordsOfSentences(text).flat()])
    const numbers = [...said].map((word) => {
      const number = numberOf.get(word) ?? numberOf.size
      numberOf.set(word, number)
      having[number] ??= []
      having[number].push(place)
      return number
    })
    words.push(numbers)
  }
  return { words, having, numberOf }
}

/** Those that tell the subject, not a value of it, each once. */
const readWords = (text: string): readonly string[] => [
  ...new Set(
    analyze(text)
      .filter((word) => !/^\d/.test(word) && tellsSubject(word))
      .map(meaning),
  ),
]
const wordsOf = oncePerText(2_000, readWords)

const wordsOfSentences = oncePerText(2_000, (text): readonly (readonly string[])[] =>
  sentencesOf(text.slice(0, mostRead)).map((sentence) => readWords(sentence.text)),
)
