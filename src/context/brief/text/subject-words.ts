/** Tells words that say what a statement is about from words that say nothing of it. */
import { meaningOf, stemOf } from '../../../claims/reading/vocabulary.ts'

/** “kept” as “keep”, “repository” as “repo”. */
export const meaning = (word: string): string => meaningOf(stemOf(word))

/** Not a number alone: “30 days” and “load number 30” have no subject in common. `word`: a token of the analyzer. */
export function tellsSubject(word: string): boolean {
  return !/^\d+$/.test(word) && !generic.has(meaning(word))
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
    .map(meaning),
)
