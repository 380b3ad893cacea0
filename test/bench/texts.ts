/**
 * Makes texts and queries. Word frequencies follow Zipf's law, as in natural language. Text n depends on n only, so it
 * is the same in every run and process.
 */

export interface DecisionText {
  external_id: string
  title: string
  judgment: string
  context: string
  consequences: string
  decided_at: string
  decided_by: string[]
  category: string
  significance: string
}

/** About 2 KB, like a typical decision record of a software team. */
export function decisionText(n: number): DecisionText {
  const random = randomOf(n * 2 + 1)
  return {
    external_id: `bench/decision-${n}`,
    title: capitalised(words(random, 5 + Math.floor(random() * 6)).join(' ')),
    judgment: prose(random, 80),
    context: prose(random, 130),
    consequences: prose(random, 80),
    decided_at: new Date(Date.UTC(2019, 0, 1) + Math.floor(random() * 5 * 365 * 86_400_000)).toISOString(),
    decided_by: [pick(random, people)],
    category: pick(random, ['architecture', 'engineering', 'security', 'product', 'operations', 'process']),
    significance: pick(random, ['routine', 'significant', 'strategic']),
  }
}

/** About 300 characters. Every text is different. */
export function memoryText(n: number): string {
  return `${prose(randomOf(n * 2), 47)} (${n})`
}

/** A query: 3 to 12 consecutive words of one of the `count` decisions from `first` on. */
export function queryOf(n: number, first: number, count: number): string {
  const random = randomOf(0x5eed + n)
  const decision = decisionText(first + Math.floor(random() * count))
  const sentences = [decision.title, ...[decision.judgment, decision.context].flatMap((text) => text.split('. '))]
  const long = sentences.map((sentence) => sentence.split(' ')).filter((some) => some.length >= 3)
  const from = pick(random, long)
  const length = Math.min(from.length, 3 + Math.floor(random() * 10))
  const start = Math.floor(random() * (from.length - length + 1))
  return from
    .slice(start, start + length)
    .join(' ')
    .toLowerCase()
}

/** A fast random generator with a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Function words. They make up about two fifths of English text. */
const small =
  'the of and to in a is that for it as was with be by on not this are or from at which but have an they you were'.split(
    ' ',
  )
const shareOfSmall = 0.4
const people = Array.from({ length: 40 }, (_, n) => `person-${n}@example.com`)
const stems = 15_000
const endings = ['', '', '', '', 's', 's', 'ed', 'ing', 'er', 'ation']

const vocabulary = makeVocabulary()
/** cumulative[i]: the share of the i + 1 most common words in all text. */
const cumulative = zipf(stems)

function prose(random: () => number, count: number): string {
  const sentences: string[] = []
  for (let left = count; left > 0; ) {
    const length = Math.min(left, 8 + Math.floor(random() * 13))
    sentences.push(`${capitalised(words(random, length).join(' '))}.`)
    left -= length
  }
  return sentences.join(' ')
}

function words(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => {
    if (random() < shareOfSmall) return pick(random, small)
    return (vocabulary[rankOf(random())] as string) + pick(random, endings)
  })
}

function rankOf(share: number): number {
  let low = 0
  let high = stems - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cumulative[middle] as number) < share) low = middle + 1
    else high = middle
  }
  return low
}

function zipf(count: number): Float64Array {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    // Mandelbrot's form of the law: without the offset, one word would make up a tenth of the text
    sum += 1 / (rank + 2.7) ** 1.05
    sums[rank] = sum
  }
  return sums.map((each) => each / sum)
}

function makeVocabulary(): string[] {
  const random = randomOf(1)
  const onsets = 'b c ch d dr f g gr h j k l m n p pl pr qu r s sh st str t tr v w'.split(' ')
  const vowels = 'a e i o u ai ea io ou'.split(' ')
  const codas = ' b ct d g l m n nd r rt s st t x'.split(' ')
  const made = new Set<string>()
  while (made.size < stems) {
    // common words are short
    const syllables = 1 + Math.floor(random() * (made.size < 300 ? 1.5 : 3))
    let word = ''
    for (let n = 0; n < syllables; n++) word += pick(random, onsets) + pick(random, vowels) + pick(random, codas)
    made.add(word)
  }
  return [...made]
}

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
