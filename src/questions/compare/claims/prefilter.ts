/**
 * A quick test whether a text may contain a claim that contradicts a given one. It looks only at the words of the clauses:
 * parsing their claims takes ten times as long, and most texts that share a subject key are about something else.
 * Keep it in step with denial.ts, subject.ts and name-conflicts.ts: a pair that it rejects is never found.
 */
import type { Claim } from './claim.ts'
import { clausesOf } from './clauses.ts'
import { memoize } from './memoize.ts'
import { leastShared } from './subject.ts'
import { actions, genericWords } from './synonyms.ts'
import { inOneForm, isClosed, isForbidden, isNegative } from './wording.ts'
import { anyStemsOf, stemsOf, wordPattern, wordsOf } from './words.ts'

interface ClauseWords {
  /** Stems of the clause, its sentence and its title: at least those that its claim is compared by. */
  stems: ReadonlySet<string>
  /** Subject stems of the clause alone. */
  own: readonly string[]
  denies: boolean
  forbids: boolean
  isClosed: boolean
}

/** Subject words of a claim that the other may lack. */
const mostLacking = 1
/** Subject words of a claim that its ban may lack. */
const mostForbidden = 3
/** Subject words of a clause that its claim may take for verbs, because of their place. */
const mostDone = 2

export function mayContradict(claim: Claim, clauses: readonly ClauseWords[]): boolean {
  return clauses.some((clause) => {
    const shared = sharedWith(claim, clause)
    if (shared === 0) return false
    const lacking = [...claim.subject].filter((word) => !clause.stems.has(word))
    if (!claim.isNegated && !clause.denies) return mayDifferIn(claim, lacking, clause)
    if (shared < leastShared || (claim.isNegated && clause.denies)) return false
    // the other must have every subject word of the denial
    return claim.isNegated ? lacking.length === 0 : mayBeDenied(claim, lacking, clause)
  })
}

function sharedWith({ subject, actions }: Claim, { stems }: ClauseWords): number {
  const words = new Set([...subject, ...actions])
  // “kept for 30 days” and “deleted after 30 days” share their verb
  return [...words].filter((word) => stems.has(word) || word === 'keep' || word === 'delet').length
}

function mayBeDenied(claim: Claim, lacking: readonly string[], { forbids, own }: ClauseWords): boolean {
  if (lacking.filter((word) => forbids || !claim.incidental.has(word)).length > (forbids ? mostForbidden : 0))
    return false
  const { subject, actions, context } = claim
  const unsaid = own.filter((word) => !subject.has(word) && !actions.has(word) && !context.has(word))
  return unsaid.length <= mostDone
}

function mayDifferIn(claim: Claim, lacking: readonly string[], { isClosed }: ClauseWords): boolean {
  const { values, slots, definite, incidental, listed } = claim
  const names = [...slots.map(({ name }) => name), ...(definite ? [definite.what] : [])]
  const has = values.length + names.length > 0 || claim.isClosed || (isClosed && listed.size > 0)
  if (!has) return false
  const named = new Set(names.flatMap((name) => [...wordsOf(name)]))
  const decisive = lacking.filter((word) => !incidental.has(word) && !listed.has(word) && !named.has(word))
  return decisive.length <= mostLacking
}

/** About 10 KB each. */
export const clauseWordsOf = memoize(500, (title, text): readonly ClauseWords[] =>
  clausesOf(title, text).map(wordsOfClause),
).get

function wordsOfClause({ text, context }: { text: string; context: string }): ClauseWords {
  const form = inOneForm(text)
  const words = lowerWords(form)
  return {
    stems: new Set([...words, ...lowerWords(context)].flatMap(anyStemsOf)),
    own: [...new Set(words.flatMap(stemsOf))].filter(
      (stem) => !genericWords.has(stem) && !actions.has(stem) && !/\d/.test(stem),
    ),
    denies: words.some(isNegative),
    forbids: isForbidden(form),
    isClosed: isClosed(form) || isClosed(text),
  }
}

const lowerWords = (text: string) => text.toLowerCase().match(wordPattern) ?? []
