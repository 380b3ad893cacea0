/** The baseline of ranking: plain BM25 over title and text, with Porter stems, no stop words, and the idf of Lucene. */
import { stem } from '../../src/text/stem.ts'

const k1 = 0.9
const b = 0.4

export interface Text {
  id: string
  title: string
  text: string
}

/** Ids of all documents that hold a word of the question, best first. Documents with equal scores keep their order. */
export function plainBm25(documents: readonly Text[]): (question: string) => string[] {
  const counted = documents.map(({ title, text }) => count(`${title} ${text}`))
  const lengths = counted.map((terms) => [...terms.values()].reduce((sum, n) => sum + n, 0))
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  const frequencies = new Map<string, number>()
  for (const terms of counted) for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)

  return (question) => {
    const asked = [...count(question)].map(([term, times]) => {
      const n = frequencies.get(term) ?? 0
      return { term, weight: times * Math.log(1 + (documents.length - n + 0.5) / (n + 0.5)) }
    })
    const scores = counted.map((terms, at) => {
      const norm = k1 * (1 - b + (b * (lengths[at] as number)) / average)
      let sum = 0
      for (const { term, weight } of asked) {
        const n = terms.get(term) ?? 0
        if (n > 0) sum += (weight * n * (k1 + 1)) / (n + norm)
      }
      return sum
    })
    const ranked = scores.map((value, at) => ({ value, at })).filter(({ value }) => value > 0)
    ranked.sort((one, other) => other.value - one.value || one.at - other.at)
    return ranked.map(({ at }) => (documents[at] as Text).id)
  }
}

function count(text: string): Map<string, number> {
  const terms = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[a-z0-9]+/g)) {
    const term = stem(word)
    terms.set(term, (terms.get(term) ?? 0) + 1)
  }
  return terms
}
