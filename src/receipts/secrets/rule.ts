/** What a rule is, and how many rules are searched for in one pass over a text. */

/** A credential, or what looks like one. */
export interface Finding {
  /** Such as `github` or `privatekey`. */
  kind: string
  /** Where the value begins in the text. */
  at: number
  /** The part that only its owner knows: without the prefix, the user or the name before it. Never shown to anybody. */
  value: string
  /**
   * How the value came about. A random one never holds words or runs of one character. An encoded one, such as a private
   * key, may hold runs. A chosen one is a password of a person: it may be short and made of words.
   */
  form: 'random' | 'encoded' | 'chosen'
  /** Of a login: a password that says the same as the user is a default. */
  user?: string
  /** Of a login: the host that it is for. */
  host?: string
}

/** Rules that share one search. */
export interface Family {
  /** Source of a regular expression. It matches wherever a credential of the family may begin, and hardly elsewhere. */
  begins: string
  flags?: 'i'
  /** Looks at one match of `begins`. It reads a bounded part of the text, so that a hostile text costs no more per match. */
  read(text: string, at: number, begin: string): Finding | undefined
}

/** A token that is known by its prefix. */
export interface TokenRule {
  kind: string
  prefixes: readonly string[]
  /** Source of a regular expression for what follows the prefix. All of it must look random. */
  rest: string
  /** Source of a lookbehind for what stands before the prefix; left out: no letter and no digit. */
  before: string | undefined
}

/** A token that begins with any of the prefixes (separated by spaces) and goes on with `rest`. */
export function token(kind: string, prefixes: string, rest: string, before?: string): TokenRule {
  return { kind, prefixes: prefixes.split(' '), rest, before }
}

const nothingBefore = '(?<![A-Za-z0-9])'

/** All tokens in one search: which rules are tried depends on the prefix that was found. */
export function tokenFamily(rules: readonly TokenRule[]): Family {
  const byPrefix = new Map<string, { kind: string; whole: RegExp }[]>()
  for (const { kind, prefixes, rest, before = nothingBefore } of rules) {
    for (const prefix of prefixes) {
      const whole = new RegExp(`${before}${escaped(prefix)}(${rest})`, 'y')
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { kind, whole }])
    }
  }
  const anywhere = new Set(rules.flatMap(({ before, prefixes }) => (before === undefined ? [] : prefixes)))
  const atStart = [...byPrefix.keys()].filter((prefix) => !anywhere.has(prefix))
  return {
    // a lookbehind of each prefix would cost ten times as much as one of all
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
    .map((prefix) => escaped(prefix) + (/^[A-Za-z0-9]+$/.test(prefix) ? goesOn : ''))
    .join('|')
}

/** Words begin with `pat` too, but few are that long. No token with such a prefix is shorter. */
const goesOn = '(?=[\\w+/=-]{12})'

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
