/** The clauses of a sentence of which one can be retracted while the others still hold. */
import { hasOtherValue } from './other-value.ts'

/**
 * The clauses between semicolons, verbatim: “A may approve 150 EUR; above that B signs” has two. The sentence is not divided
 * if a clause has no verb, or if it begins with a condition that applies to all clauses (“If it rains, …; …”).
 */
export function clausesOf(sentence: string): readonly string[] {
  const clauses = sentence.split(/;\s+/)
  const standAlone = !forAll.test(sentence) && !bracket.test(sentence) && clauses.every((clause) => verb.test(clause))
  return standAlone ? clauses : [sentence]
}

/** The sentence, then its clauses if it is divided. */
export const partsOf = (sentence: string): readonly string[] => [...new Set([sentence, ...clausesOf(sentence)])]

/** A clause ends without a full stop, until the one after it is retracted. */
export const withoutStop = (clause: string) => clause.replace(/\.$/, '')

const forAll =
  /^\W*(?:after|as|at|before|by|during|except|for|from|if|in|on|once|outside|since|unless|until|when|whenever|where|while|with|without)\b/i
/** A semicolon may stand within brackets or quotation marks. */
const bracket = /[()[\]"“”„«»`]/
/** An auxiliary verb, or a word after another one that ends like a verb, except units of time: “a team lead signs”. */
const verb =
  /\b(?:am|are|be|been|can|cannot|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)\b|(?<=\p{L} )(?!(?:seconds|minutes|hours|days|weeks|months|quarters|years|times)\b)\p{Ll}{2,}(?:[^\Ws]s|ed)\b(?!\s*[\d$€£])/u

/** The only clause of a sentence that gives another value than the opposed sentence; else the sentence. */
export function opposedClause(sentence: string, opposed: string): string {
  const [found = sentence, ...further] = clausesOf(sentence).filter((clause) => hasOtherValue(clause, opposed))
  return further.length > 0 ? sentence : found
}
