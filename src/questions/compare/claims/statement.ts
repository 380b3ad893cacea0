/**
 * Reads a text into statements: the words of each clause by weight, its values and names, and whether it denies. Cached,
 * because each record is compared with many others.
 */
import { LRUCache } from 'lru-cache'
import { sentencesOf } from '../../../text/sentences.ts'
import { isForeign, isQualified, tellsChange } from './modality.ts'
import { inOneForm } from './one-form.ts'
import { type Value, valueMark, valuesIn } from './values.ts'
import { isEmpty, isLight, meaningOf, opposites, stemOf } from './vocabulary.ts'

export interface Statement {
  /** The sentence, verbatim. */
  text: string
  tokens: readonly Token[]
  /** Weight of each meaning: 1, or less for a word that many subjects have in common. */
  words: ReadonlyMap<string, number>
  /** Those of `words` that are names. */
  names: ReadonlySet<string>
  values: readonly Value[]
  /** Meanings of the words in the title and in the other clauses of the record. */
  context: ReadonlySet<string>
  /** Values of all clauses of the record. */
  allValues: readonly Value[]
  isDenied: boolean
  /** Sides of pairs of opposites, such as open and closed. */
  opposites: ReadonlyMap<string, number>
  isQualified: boolean
  isForeign: boolean
  tellsChange: boolean
}

export interface Token {
  lower: string
  written: string
  /** Empty for values and punctuation. */
  meaning: string
  isName: boolean
  value?: Value
}

export interface Source {
  title: string
  text: string
}

/** UTF-16 units read of one text, and clauses compared of it. */
export const mostRead = 4_000
const mostStatements = 24

const known = new LRUCache<string, readonly Statement[]>({ max: 500 })

export function statementsOf({ title, text }: Source): readonly Statement[] {
  const key = `${title}\n${text.slice(0, mostRead)}`
  const before = known.get(key)
  if (before) return before
  const clauses = sentencesOf(text.slice(0, mostRead))
    .filter(({ isHeading }) => !isHeading)
    .flatMap(({ text: sentence, own }) => clausesOf(own).map((clause) => ({ sentence, own, clause })))
    .slice(0, mostStatements)
    .map(({ sentence, own, clause }) => read(sentence, own, clause))
  const inTitle = read(title, title, title).tokens.map(({ meaning }) => meaning)
  const allValues = clauses.flatMap(({ values }) => values)
  const made = clauses.map((clause) => {
    const others = clauses.flatMap((other) => (other === clause ? [] : other.tokens.map(({ meaning }) => meaning)))
    return { ...clause, allValues, context: new Set([...inTitle, ...others]) }
  })
  known.set(key, made)
  return made
}

/** A sentence that starts with one of these is not split: its start applies to the rest. */
const leading = /^(?:when|whenever|where|after|before|with|without|outside|while|as long|once|until|if|unless|since)\b/i

/** Where a sentence starts another statement. */
const splits =
  /;\s+|\s+[—–-]\s+|,\s+(?=(?:and\s+)?(?:but|so|because|since|which|who|where|while|whereas|although|hence|then|not even|even|as|plus|says|according to|they|it|we|there(?:['’]s)?|nobody|no one|all of|both of|one of|the \w+ (?:answers|enforces|checks|does|is|are|stays|measures|keeps|has|was|will|can|must))\s)|,\s+(?=and the\s)|\s+(?=(?:because|so that|and then|whereas)\s)/u

const clausesOf = (own: string): string[] =>
  leading.test(own) ? [own] : own.split(splits).filter((part) => part.trim() !== '')

const wordPattern = new RegExp(
  `${valueMark.source}|[,;:()](?=\\s|$)|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_./@#+'’-]*[\\p{L}\\p{N}_#+])?`,
  'gu',
)
const isHyphenated = /^\p{Ll}+(?:-\p{Ll}+)+$/u

function read(text: string, own: string, clause: string): Omit<Statement, 'context' | 'allValues'> {
  const { values, rest, at } = valuesIn(inOneForm(clause))
  const raw = (rest.match(wordPattern) ?? []).flatMap((word) => (isHyphenated.test(word) ? word.split('-') : [word]))
  const tokens = raw.map((written, nth): Token => {
    const lower = written.toLowerCase()
    const value = at(written)
    if (value) return { lower, written, meaning: '', isName: false, value }
    if (/^[,;:()]$/.test(written)) return { lower, written, meaning: '', isName: false }
    return { lower, written, meaning: meaningOf(stemOf(lower)), isName: isNameAt(raw, nth) }
  })
  const said = tokens.filter(({ lower, meaning, isName }) => meaning !== '' && (isName || !isSilent(lower)))
  const denials = tokens.filter(
    ({ lower }, nth) => isDenial.test(lower) && !isOfNoun(tokens, nth) && !isExcepted(tokens, nth),
  ).length
  return {
    text,
    tokens,
    words: new Map(said.map(({ meaning, isName }) => [meaning, isLight(meaning) && !isName ? lightWeight : 1])),
    names: new Set(said.filter(({ isName }) => isName).map(({ meaning }) => meaning)),
    values,
    isDenied: denials % 2 === 1,
    opposites: new Map(
      tokens.flatMap(({ lower }) => opposites.get(stemOf(lower)) ?? []).map(({ of, sign }) => [of, sign]),
    ),
    isQualified: isQualified(clause),
    isForeign: isForeign(own),
    tellsChange: tellsChange(own),
  }
}

const lightWeight = 0.3
const isDenial = /^(?:not|no|never|none|nobody|nowhere|neither|nor|nothing|cannot|without|\p{L}+n['’]t)$/u
/** “Entries not referenced elsewhere”: it describes a thing, and denies nothing. */
function isOfNoun(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return tokens[at]?.lower === 'not' && before !== undefined && before.meaning !== '' && !isEmpty(before.lower)
}
/** “Nobody but the owner” says what the owner may. */
const isExcepted = (tokens: readonly Token[], at: number) => /^(?:but|except|else)$/.test(tokens[at + 1]?.lower ?? '')
const isSilent = (lower: string) => isEmpty(lower) || isDenial.test(lower)

/** Capitalized within the sentence, or written as a name in code: `orders-db2`, `users.id`, `getUser`. */
function isNameAt(raw: readonly string[], at: number): boolean {
  const word = raw[at] as string
  if (!/^\p{Lu}/u.test(word)) return /[\d_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u.test(word)
  if (/^(?:Mr|Mrs|Ms|Dr|Prof)$/.test(word)) return false
  if (at > 0 || /\p{Lu}.*\p{Lu}|\d/u.test(word)) return true
  return /^\p{Lu}/u.test(raw[1] ?? '') && !isEmpty(word.toLowerCase())
}
