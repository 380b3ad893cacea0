/** Measures how much a misspelt word costs: each question is asked as it is, with one word misspelt, and without that word. */
import type { Target } from '../bench/client.ts'
import { type Row, row } from '../bench/row.ts'
import { randomOf } from '../bench/texts.ts'
import { type JudgedCollection, type Name, ndcg10 } from './collections.ts'
import { ask } from './measured-service.ts'

/** Letters of a word that is misspelt. Shorter ones are mostly stop words. */
const shortest = 5

/** Percent of the lost nDCG@10 that search regains by words that are like the misspelt one. */
export async function misspelt(
  engine: string,
  filled: ReadonlyMap<Name, { target: Target; collection: JudgedCollection }>,
): Promise<Row[]> {
  const sums = { whole: 0, misspelt: 0, without: 0, count: 0 }
  for (const { target, collection } of filled.values()) {
    for (const [n, { id, text }] of collection.questions.entries()) {
      const judged = collection.judgments.get(id)
      const changed = withOneMisspelt(text, n)
      if (judged === undefined || changed === undefined) continue
      const value = async (q: string) =>
        ndcg10(
          (await ask(target, q)).map((hit) => hit.id),
          judged,
        )
      sums.whole += await value(text)
      sums.misspelt += await value(changed.misspelt)
      sums.without += await value(changed.without)
      sums.count++
    }
  }
  const { whole, without, count } = sums
  const regained = (100 * (sums.misspelt - without)) / (whole - without)
  return [
    row(`${engine}_misspelt_ndcg10`, sums.misspelt / count, 'nDCG', null, whole / count),
    row(`${engine}_misspelt_regained`, regained, '%', { at_least: 75 }),
  ]
}

/** The same word and the same mistake in every run. undefined: the question has no long word. */
function withOneMisspelt(text: string, n: number): { misspelt: string; without: string } | undefined {
  const random = randomOf(n + 1)
  const words = [...text.matchAll(/(?<![\p{L}\p{N}])[A-Za-z]+(?![\p{L}\p{N}])/gu)].filter(
    ([word]) => word.length >= shortest,
  )
  const one = words[Math.floor(random() * words.length)]
  if (one === undefined) return undefined
  const [before, after] = [text.slice(0, one.index), text.slice(one.index + one[0].length)]
  return { misspelt: before + mistakeIn(one[0], random) + after, without: before + after }
}

/** Two letters exchanged, or one letter left out, added or replaced. Not the first one, which people rarely miss. */
function mistakeIn(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const letter = String.fromCharCode(97 + Math.floor(random() * 26))
  const [head, here, next, tail] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
  const made = [head + next + here + tail, head + letter + here + next + tail, head + letter + next + tail]
  const mistake = made[Math.floor(random() * 4)]
  // an exchange or replacement of equal letters is none
  return mistake === undefined || mistake === word ? head + next + tail : mistake
}
