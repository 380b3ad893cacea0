/** Reads a clause: its words by weight, its values and names, and what it denies. */
import { isQualified, tellsChange } from './modality.ts'
import { inOneForm } from './one-form.ts'
import { type Value, valueMark, valuesIn } from './values.ts'
import { isEmpty, isLight, meaningOf, opposites, states, stemOf } from './vocabulary.ts'

export interface Clause {
  tokens: readonly Token[]
  /** Weight of each meaning: 1, or less for a word that many subjects have in common. */
  words: ReadonlyMap<string, number>
  /** Those of `words` that are names. */
  names: ReadonlySet<string>
  values: readonly Value[]
  /** The clause is denied: it has “not”, “no”, “never” or the like. */
  isDenied: boolean
  /** What one word can deny, and whether it is denied here: “optional” denies “required”. */
  states: ReadonlyMap<string, boolean>
  /** Sides of pairs of opposites, such as open and closed. */
  opposites: ReadonlyMap<string, number>
  isQualified: boolean
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

const wordPattern = new RegExp(
  `${valueMark.source}|[,;:()](?=\\s|$)|(?:#(?=\\p{L}))?[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_./@#+'’-]*[\\p{L}\\p{N}_#+])?`,
  'gu',
)
const isHyphenated = /^\p{Ll}+(?:-\p{Ll}+)+$/u

export function readClause(clause: string): Clause {
  const written = tokensOf(clause)
  const isDenied = written.filter((_, at) => isDenialAt(written, at)).length % 2 === 1
  // “must not have more than 3” and “rejects bodies above 6 MB” say: at most
  const isLimitDenied = isDenied !== isRefusal.test(clause) && written.some(hasBound)
  const tokens = isLimitDenied ? written.map(withOtherBound) : written
  const said = tokens.filter(
    ({ lower, meaning, isName }) => meaning !== '' && (isName || !isSilent(withoutMark(lower))),
  )
  return {
    tokens,
    words: new Map(said.map(({ meaning, isName }) => [meaning, isLight(meaning) && !isName ? lightWeight : 1])),
    names: new Set(said.filter(({ isName }) => isName).map(({ meaning }) => meaning)),
    values: tokens.flatMap(({ value }) => value ?? []),
    isDenied: isDenied && !isLimitDenied,
    states: statesIn(tokens),
    opposites: new Map(
      tokens.flatMap(({ lower }) => opposites.get(stemOf(lower)) ?? []).map(({ of, sign }) => [of, sign]),
    ),
    isQualified: isQualified(clause),
    tellsChange: tellsChange(clause),
  }
}

function tokensOf(clause: string): readonly Token[] {
  const { rest, at } = valuesIn(inOneForm(clause))
  const raw = (rest.match(wordPattern) ?? []).flatMap((word) => (isHyphenated.test(word) ? word.split('-') : [word]))
  return raw.map((written, nth): Token => {
    const lower = written.toLowerCase()
    const value = at(written)
    if (value) return { lower, written, meaning: '', isName: false, value }
    if (/^[,;:()]$/.test(written)) return { lower, written, meaning: '', isName: false }
    const plain = withoutMark(lower)
    return { lower, written, meaning: meaningOf(stemOf(plain)), isName: plain === lower && isNameAt(raw, nth) }
  })
}

const lightWeight = 0.3

const isRefusal =
  /\b(?:forbidden|prohibited|banned|reject|refuse|block|decline|deny|denies|denied|turn(?:s|ed)? away)(?:s|ed|d)?\b/i
const hasBound = ({ value }: Token) => value?.type === 'amount' && value.bound !== ''
function withOtherBound(token: Token): Token {
  const { value } = token
  if (value?.type !== 'amount' || value.bound === '') return token
  return { ...token, value: { ...value, bound: value.bound === 'min' ? 'max' : 'min' } }
}

/** A denial of the whole clause. “Not required” denies a state only, as “optional” does. */
const isDenialAt = (tokens: readonly Token[], at: number) =>
  isDenial.test(tokens[at]?.lower ?? '') &&
  !isOfNoun(tokens, at) &&
  !isExcepted(tokens, at) &&
  !isOfCondition(tokens, at) &&
  stateOf(tokens[at + 1]) === undefined

function statesIn(tokens: readonly Token[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const [at, token] of tokens.entries()) {
    const state = stateOf(token)
    const isDeniedBefore = isDenial.test(tokens[at - 1]?.lower ?? '')
    if (state !== undefined) found.set(state, token.lower.startsWith(deniedMark) !== isDeniedBefore)
  }
  return found
}

const stateOf = ({ lower }: Pick<Token, 'lower'> = { lower: '' }) => states.get(withoutMark(lower))
/** inOneForm() puts it before a word that is denied by a word of its own. */
const deniedMark = 'not_'
const withoutMark = (lower: string) => (lower.startsWith(deniedMark) ? lower.slice(deniedMark.length) : lower)

const isDenial = /^(?:not|no|never|none|nobody|nowhere|neither|nor|nothing|cannot|without|\p{L}+n['’]t)$/u
/** “Entries not referenced elsewhere”: it describes a thing, and denies nothing. */
function isOfNoun(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return tokens[at]?.lower === 'not' && before !== undefined && before.meaning !== '' && !isEmpty(before.lower)
}
/** “Nobody but the owner” says what the owner may. */
const isExcepted = (tokens: readonly Token[], at: number) => /^(?:but|except|else)$/.test(tokens[at + 1]?.lower ?? '')
/** “Closes when it cannot reach the server”: it says when something holds, and denies nothing. */
const isOfCondition = (tokens: readonly Token[], at: number) =>
  tokens.slice(1, at).some(({ lower }) => /^(?:when|whenever|where|while|because|since|as)$/.test(lower))
const isSilent = (lower: string) => isEmpty(lower) || isDenial.test(lower)

/** Capitalized within the sentence, or written as a name in code: `orders-db2`, `users.id`, `getUser`. */
function isNameAt(raw: readonly string[], at: number): boolean {
  const word = raw[at] as string
  if (!/^\p{Lu}/u.test(word)) return /^#|[\d_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u.test(word)
  if (/^(?:Mr|Mrs|Ms|Dr|Prof)$/.test(word)) return false
  if (at > 0 || /\p{Lu}.*\p{Lu}|\d/u.test(word)) return true
  return /^\p{Lu}/u.test(raw[1] ?? '') && !isEmpty(word.toLowerCase())
}
