/**
 * Whether a claim and a text have enough in common that some claim of the text may contradict it. Told by the words of
 * the text alone: to make its claims takes ten times as long, and most texts that share a subject key are about
 * something else. In step with denial.ts, subject.ts and elsewhere.ts: what is told apart here is never found.
 */
import type { Claim } from './claim.ts'
import { mostLooked } from './clauses.ts'
import { inOneForm, isNegative } from './wording.ts'
import { anyStemsOf, wordPattern, wordsOf } from './words.ts'

export interface TextWords {
  /** More than its claims are made of, never less. */
  stems: ReadonlySet<string>
  /** It denies something. */
  denies: boolean
}

/** Words of a claim that the other may lack: of what is denied to all, and of anything else. */
const mostLacking = { denied: 3, other: 1 }

export function mayContradict(claim: Claim, { stems, denies }: TextWords): boolean {
  const lacking = [...claim.subject].filter((word) => !stems.has(word))
  if (lacking.length === 0) return true
  // all that is denied must be said by the other
  if (claim.isNegated) return false
  const names = [...claim.slots.map(({ name }) => name), ...(claim.definite ? [claim.definite.what] : [])]
  const named = new Set(names.flatMap((name) => [...wordsOf(name)]))
  const told = lacking.filter((word) => !claim.aside.has(word) && !claim.listed.has(word) && !named.has(word))
  return told.length <= (denies ? mostLacking.denied : mostLacking.other)
}

export function textWordsOf(title: string, text: string): TextWords {
  const key = `${title}\n${text}`
  const known = wordsOfTexts.get(key)
  if (known) return known
  const raw = `${title}\n${text.slice(0, mostLooked)}`
  const words = new Set(`${raw}\n${inOneForm(raw)}`.toLowerCase().match(wordPattern) ?? [])
  const made = {
    stems: new Set([...words].flatMap(anyStemsOf)),
    denies: [...words].some(isNegative),
  }
  if (wordsOfTexts.size >= mostKnown) wordsOfTexts.delete(wordsOfTexts.keys().next().value as string)
  wordsOfTexts.set(key, made)
  return made
}

/** Of the newest texts; some 10 KB each. */
const wordsOfTexts = new Map<string, TextWords>()
const mostKnown = 1_000
