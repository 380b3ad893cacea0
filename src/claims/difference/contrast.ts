/** Who or what a statement says it is not: “the early shift, not the night shift”, “finance only gets a copy”. */
import { readClause } from '../reading/clause.ts'
import { oncePer } from '../reading/once-per.ts'
import type { Statement } from '../reading/statement.ts'
import { type Alignment, alignedWithout } from './align.ts'
import type { Found } from './difference-score.ts'

/** One statement says that it is not the night shift, and the other says that it is. */
export function contrastBetween(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const excluded = excludedOf(a, b) ?? excludedOf(b, a)
  if (!excluded) return undefined
  const own = new Set(excluded)
  return { kind: 'role', isExcluded: true, aligned: alignedWithout(aligned, { a: own, b: own }) }
}

function excludedOf(a: Statement, b: Statement): readonly string[] | undefined {
  if (b.isDenied) return undefined
  return excludedIn(a).find((words) => words.every((word) => b.words.has(word)))
}

const end = String.raw`(?=[,.;:()–—]|\s(?:who|which|that|because|since|as|so|is|are|has|have|does)\b|$)`
const start = String.raw`(?:^|[;:,.–—]\s+|\b(?:and|but|while)\s+)`
const who = String.raw`(?<what>(?:[\p{L}-]+ ){1,5})`
const excluding = [
  String.raw`(?:,|\band|\bbut|[–—])\s+(?:and |but )?(?:not|never) (?!(?:only|just|even|more|less|later|earlier|before|after|until|yet|all|every|when|if)\b|any)(?<what>[^,.;:()–—]{3,60}?)${end}`,
  String.raw`${start}${who}(?:(?:is|are) )?(?:merely|only|just) (?:gets?|reads?|receives?|informed|told|carr\p{L}+|drives?|listens?|writes?|helps?|assists?|advises?|checks?|sees?|supplies|contributes?)\b`,
  String.raw`${start}${who}(?:has|have) (?:nothing|no part|no say|no role)\b`,
].map((pattern) => new RegExp(pattern, 'giu'))

/** The words that tell each thing that is excluded. */
const excludedIn = oncePer(({ text }: Statement): (readonly string[])[] =>
  excluding.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ groups }) => {
      const words = [...readClause(groups?.what ?? '').words].flatMap(([word, weight]) => (weight === 1 ? word : []))
      return words.length > 0 ? [words] : []
    }),
  ),
)
