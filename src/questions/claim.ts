/** What a sentence says, in a form in which two of them can be compared: of what, how much or when, yes or no. */
import { type Clause, clausesOf } from './clauses.ts'
import { memoize } from './memoize.ts'
import { type Definite, definiteOf, type Slot, slotsIn } from './names.ts'
import { inFigures } from './numbers.ts'
import { asideIn, besideIn, listedIn, narrowingIn, partsOf, perIn, scopeOf } from './parts.ts'
import { soft } from './synonyms.ts'
import { type Value, valuesIn } from './values.ts'
import {
  boundOf,
  conditionsIn,
  endOf,
  inOneForm,
  isClosed,
  isContrasted,
  isDuty,
  isForbidden,
  isNegative,
  isPartly,
  isRefused,
  isWaived,
} from './wording.ts'
import { stemsOf, type Word, wordOf, wordPattern, wordsOf } from './words.ts'

export interface Claim {
  /** The sentence, verbatim. */
  text: string
  /** What it is about: stems of weight, one for each group of synonyms. */
  subject: ReadonlySet<string>
  /** What is done with it; where the other claim does not say it, nothing is missing. */
  events: ReadonlySet<string>
  /** All else that is not light. */
  soft: ReadonlySet<string>
  /** Words of the subject that stand beside each other, such as “guide dogs”. */
  beside: ReadonlyMap<string, ReadonlySet<string>>
  /** Words on either side of a preposition that narrows: in “dogs of guests” both. */
  narrowing: ReadonlySet<string>
  /** Words behind “per”. */
  per: readonly string[]
  /** “We …”, and “… by the vendor”. */
  isOurs: boolean
  isByOther: boolean
  /** Who says or does it, and the items of what is counted: what is said by the way. */
  aside: ReadonlySet<string>
  /** Words that a list joins. */
  listed: ReadonlySet<string>
  /** Stems of the record around it. */
  around: ReadonlySet<string>
  values: readonly Value[]
  /** It begins with a number. */
  isCountFirst: boolean
  slots: readonly Slot[]
  isNegated: boolean
  /** Never, and not only as a rule. */
  isNever: boolean
  /** To all, or by nobody. */
  isForbidden: boolean
  isPast: boolean
  /** It denies in another word than “not”. */
  isRefused: boolean
  /** Words by which it holds for those who may. */
  conditions: readonly string[]
  /** It says that something is not needed, which does not forbid it; or that it is. */
  isWaived: boolean
  isDuty: boolean
  /** Words that narrow when it holds: before, during. */
  scope: string
  /** Words that narrow what it holds for: staging, students. */
  parts: ReadonlySet<string>
  /** All words, in lower case. */
  words: ReadonlySet<string>
  bound: '' | 'max' | 'min'
  /** Of which end of a time it speaks. */
  end: '' | 'begin' | 'end'
  /** It says that its list is whole: only, exactly, nowhere else. */
  isClosed: boolean
  definite: Definite | null
}

/** A clause with more words says more than one thing. */
const mostWords = 40

/** Some 30 KB each. */
const claims = memoize(500, (title, text): readonly Claim[] =>
  clausesOf(title, text).flatMap((clause) => claimOf(clause) ?? []),
)
export const claimsOf = claims.of
/** Whether they need not be made. */
export const areClaimsKnown = claims.isKnown

function claimOf({ text: written, sentence, around }: Clause): Claim | undefined {
  const text = inOneForm(written)
  const { values, rest } = valuesIn(text)
  const raw = rest.match(wordPattern) ?? []
  if (raw.length < 2 || raw.length > mostWords || isPartly(text) || isContrasted(written) || pointing.test(written))
    return undefined
  const words = raw.map((word, at) => wordOf(word, raw, at))
  const negations = words.filter(({ lower }) => isNegative(lower)).length
  if (negations > 1) return undefined
  const stems = (those: readonly Word[], is: (word: Word, stem: string) => boolean) =>
    new Set(those.flatMap((word) => word.stems.filter((stem) => is(word, stem))))
  const isHard = (word: Word, stem: string) => !soft.has(stem) && !word.isEvent
  const subject = stems(words, isHard)
  const listed = listedIn(rest)
  const slots = slotsIn(written)
  const agents = slots.flatMap(({ role, name }) => (role === 'agent' ? [...wordsOf(name)] : []))
  return {
    text: sentence,
    subject,
    events: stems(words, (word, stem) => word.isEvent && !soft.has(stem)),
    soft: stems(words, (_, stem) => soft.has(stem)),
    beside: besideIn(words, subject),
    narrowing: narrowingIn(words),
    per: perIn(rest),
    isOurs: /\b(?:we|our)\b/i.test(text),
    isByOther: /\bby (?:the |an? )?\p{L}/iu.test(rest),
    aside: new Set([...asideIn(words, rest, values), ...agents]),
    listed,
    around: new Set((around.match(wordPattern) ?? []).flatMap((word) => stemsOf(word.toLowerCase()))),
    values,
    isCountFirst: /^\W*\d/.test(inFigures(text)),
    slots,
    isNegated: negations === 1,
    isNever: /\b(?:never|nobody|no one|none|under no circumstances|nie|niemand|jamais|nunca|nadie)\b/i.test(text),
    isForbidden: isForbidden(text),
    isPast: /\b(?:was|were|had)\b/.test(text),
    isRefused: isRefused(text),
    conditions: conditionsIn(text),
    isWaived: isWaived(text),
    isDuty: isDuty(text),
    scope: scopeOf(words, values),
    parts: partsOf(words, listed),
    words: new Set(words.map(({ lower }) => lower)),
    bound: boundOf(text),
    end: endOf(text),
    isClosed: isClosed(text) || isClosed(written),
    definite: definiteOf(written.replace(/["“”„«»`]/g, ''), wordsOf),
  }
}

/** What it is about is said elsewhere. */
const pointing =
  /^(?:it|they|this|that|these|those|he|she|both|sie|er|es|ils|elles|ellos)\b|\b(?:them|the latter|the former)\b/i
