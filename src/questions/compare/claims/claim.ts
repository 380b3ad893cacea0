/** Parses a clause into a claim that can be compared: its subject, values and dates, names, and whether it is negated. */
import { type Clause, clausesOf } from './clauses.ts'
import { memoize } from './memoize.ts'
import { type Definite, definiteOf, type Slot, slotsIn } from './names.ts'
import { inFigures } from './numbers.ts'
import { incidentalIn, listedIn, neighborsIn, partsOf, perIn, prepositionalIn, scopeOf } from './parts.ts'
import { genericWords } from './synonyms.ts'
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
  /** Stems of the words it is about; synonyms share one stem. */
  subject: ReadonlySet<string>
  /** Stems of its verbs. The other claim may leave them out. */
  actions: ReadonlySet<string>
  /** Stems of generic words such as “limit” or “cost”, which do not identify a subject. */
  generic: ReadonlySet<string>
  /** Subject words that are neighbours, such as “guide dogs”. */
  neighbors: ReadonlyMap<string, ReadonlySet<string>>
  /** Words on both sides of a preposition: in “dogs of guests”, dogs and guests. */
  prepositional: ReadonlySet<string>
  /** Words after “per”. */
  per: readonly string[]
  /** “We …” and “… by the vendor”. */
  isOurs: boolean
  isByOther: boolean
  /** Incidental words: who says or does it, and the items of a count. */
  incidental: ReadonlySet<string>
  /** Words that are part of a list. */
  listed: ReadonlySet<string>
  /** Stems of the title and the whole sentence. */
  context: ReadonlySet<string>
  values: readonly Value[]
  /** It starts with a number. */
  isCountFirst: boolean
  slots: readonly Slot[]
  isNegated: boolean
  /** “Never” or “nobody”: allows no exception. */
  isNever: boolean
  /** It forbids something to everyone. */
  isForbidden: boolean
  isPast: boolean
  /** It denies by a word other than “not”, such as “prevent”. */
  isRefused: boolean
  /** Words of a condition, such as “approval”: it holds only for those who meet it. */
  conditions: readonly string[]
  /** “Not needed”, which does not forbid it. */
  isWaived: boolean
  /** “Must”, “is required”. */
  isDuty: boolean
  /** Words that limit when it holds: before, during. */
  scope: string
  /** Words that limit what it holds for: staging, students. */
  parts: ReadonlySet<string>
  /** All words, in lower case. */
  words: ReadonlySet<string>
  bound: '' | 'max' | 'min'
  /** Whether its date is a start or an end. */
  end: '' | 'begin' | 'end'
  /** It says that its list is complete: only, exactly, nowhere else. */
  isClosed: boolean
  definite: Definite | null
}

/** A clause with more words usually makes more than one statement. */
const mostWords = 40

/** About 30 KB each. */
const claims = memoize(500, (title, text): readonly Claim[] =>
  clausesOf(title, text).flatMap((clause) => claimOf(clause) ?? []),
)
export const claimsOf = claims.get
export const areClaimsCached = claims.has

function claimOf({ text: written, sentence, context }: Clause): Claim | undefined {
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
  const isSpecific = (word: Word, stem: string) => !genericWords.has(stem) && !word.isAction
  const subject = stems(words, isSpecific)
  const listed = listedIn(rest)
  const slots = slotsIn(written)
  const agents = slots.flatMap(({ role, name }) => (role === 'agent' ? [...wordsOf(name)] : []))
  return {
    text: sentence,
    subject,
    actions: stems(words, (word, stem) => word.isAction && !genericWords.has(stem)),
    generic: stems(words, (_, stem) => genericWords.has(stem)),
    neighbors: neighborsIn(words, subject),
    prepositional: prepositionalIn(words),
    per: perIn(rest),
    isOurs: /\b(?:we|our)\b/i.test(text),
    isByOther: /\bby (?:the |an? )?\p{L}/iu.test(rest),
    incidental: new Set([...incidentalIn(words, rest, values), ...agents]),
    listed,
    context: new Set((context.match(wordPattern) ?? []).flatMap((word) => stemsOf(word.toLowerCase()))),
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

/** Its subject is a pronoun, so another sentence names it. */
const pointing =
  /^(?:it|they|this|that|these|those|he|she|both|sie|er|es|ils|elles|ellos)\b|\b(?:them|the latter|the former)\b/i
