/** The types of rules, and how many rules share one search of a text. */
import { literal } from '../../text/literal.ts'

/** A credential, or what looks like one. */
export interface Finding {
  /** Such as `github` or `privatekey`. */
  kind: string
  /** The position of the value in the text. */
  at: number
  /** The secret part, without a prefix, user or name before it. Never shown. */
  value: string
  /**
   * How the value was made. random: it has no words or runs of one character. encoded: may have runs, such as a private
   * key. chosen: a person's password, which may be short and made of words.
   */
  form: 'random' | 'encoded' | 'chosen'
  /** For a login: the user. A password equal to the user is a default. */
  user?: string
  /** For a login: its host. */
  host?: string
}

/** Rules that share one search. */
export interface Family {
  /**
   * Source of a regular expression. It matches at any start of a credential of the family, and hardly anywhere else.
   */
  begins: string
  flags?: 'i'
  /** Checks one match of `begins`. Reads a bounded part of the text, so a hostile text costs no more per match. */
  read(text: string, at: number, begin: string): Finding | undefined
}

/** A token with a known prefix. */
export interface TokenRule {
  kind: string
  prefixes: readonly string[]
  /** Source of a regular expression for the part after the prefix. All of it must look random. */
  rest: string
  /** Source of a lookbehind for the text before the prefix. If left out: no letter or digit. */
  before: string | undefined
}

/** A token with one of these prefixes (separated by spaces), followed by `rest`. */
export function token(kind: string, prefixes: string, rest: string, before?: string): TokenRule {
  return { kind, prefixes: prefixes.split(' '), rest, before }
}

const nothingBefore = '(?<![A-Za-z0-9])'

/** Searches for all tokens at once. The prefix found selects the rules to try. */
export function tokenFamily(rules: readonly TokenRule[]): Family {
  const byPrefix = new Map<string, { kind: string; whole: RegExp }[]>()
  for (const { kind, prefixes, rest, before = nothingBefore } of rules) {
    for (const prefix of prefixes) {
      const whole = new RegExp(`${before}${literal(prefix)}(${rest})`, 'y')
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { kind, whole }])
    }
  }
  const anywhere = new Set(rules.flatMap(({ before, prefixes }) => (before === undefined ? [] : prefixes)))
  const atStart = [...byPrefix.keys()].filter((prefix) => !anywhere.has(prefix))
  return {
    // a lookbehind for each prefix would cost ten times as much as one for all
    begins: `${nothingBefore}(?:${anyOf(atStart)})|${anyOf([...anywhere])}`,
    read(text, at, begin) {
      for (const { kind, whole } of byPrefix.get(begin) ?? []) {
        whole.lastIndex = at
        const value = whole.exec(text)?.[1]
        if (value !== undefined) return { kind, at: at + begin.length, value, form: 'random' }
      }
      return undefined
    },
  }
}

/** `sk-ant-` must be tried before `sk-`. */
function anyOf(prefixes: readonly string[]): string {
  return [...prefixes]
    .sort((a, b) => b.length - a.length)
    .map((prefix) => literal(prefix) + (/^[A-Za-z0-9]+$/.test(prefix) ? isLong : ''))
    .join('|')
}

/** Words start with `pat` too, but few are as long. No token with such a prefix is shorter. */
const isLong = '(?=[\\w+/=-]{12})'
