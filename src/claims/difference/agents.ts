/** Who does something: “signed by the company secretary”, “the managing director signs”, “Ada leads”. */
import type { Token } from '../reading/clause.ts'
import { oncePer } from '../reading/once-per.ts'
import type { Statement } from '../reading/statement.ts'
import { isEmpty, meaningOf, stemOf } from '../reading/vocabulary.ts'
import type { OwnWords } from './align.ts'
import { mayBeSeveral } from './name-difference.ts'

/** The words that name who does it, if both tell who does the same, and name nobody in common. */
export function otherAgents(a: Statement, b: Statement): OwnWords | undefined {
  if (mayBeSeveral(a, b)) return undefined
  const others = agentsIn(b)
  for (const one of agentsIn(a)) {
    for (const other of others) {
      if (one.does !== other.does || !(one.isPassive || other.isPassive || exclusive.has(one.does))) continue
      const only = [...one.words].filter((word) => !b.words.has(word))
      const against = [...other.words].filter((word) => !a.words.has(word))
      if (only.length === 0 || against.length === 0) continue
      if (mayBeSame(only, against)) continue
      return { a: new Set(only), b: new Set(against) }
    }
  }
  return undefined
}

/** “DevEx” and “Developer Experience”, “CFO” and “chief financial officer”. */
function mayBeSame(one: readonly string[], other: readonly string[]): boolean {
  const initials = (words: readonly string[]) => words.map((word) => word[0]).join('')
  if (other.includes(initials(one)) || one.includes(initials(other))) return true
  return one.some((word) => other.some((against) => word.slice(0, 3) === against.slice(0, 3)))
}

interface Agent {
  /** Meaning of the verb. */
  does: string
  words: ReadonlySet<string>
  isPassive: boolean
}

const agentsIn = oncePer(({ tokens }: Statement): Agent[] => [...passive(tokens), ...active(tokens)])

const isContent = ({ lower, meaning, isName }: Token) => meaning !== '' && (isName || !isEmpty(lower))
const filler = /^(?:the|a|an|our|its|their|each|every|all|any|of|only|same|on|in|team|for)$/
const modal = /^(?:must|may|can|will|shall|should|to|always|also)$/

function passive(tokens: readonly Token[]): Agent[] {
  return tokens.flatMap(({ lower }, at) => {
    if (!/^(?:by|with|through)$/.test(lower) || tokens[at + 1]?.lower === 'default') return []
    const verb = tokens
      .slice(Math.max(0, at - 4), at)
      .findLast((token) => isContent(token) || exclusive.has(token.meaning))
    const words = new Set<string>()
    for (const token of tokens.slice(at + 1, at + 9)) {
      if (isContent(token)) words.add(token.meaning)
      else if (!filler.test(token.lower)) break
    }
    return verb && words.size > 0 ? [{ does: verb.meaning, words, isPassive: true }] : []
  })
}

/** The words before the first verb of the clause. */
function active(tokens: readonly Token[]): Agent[] {
  const found: Agent[] = []
  const words = new Set<string>()
  for (const [at, token] of tokens.slice(0, 9).entries()) {
    const { lower, meaning } = token
    const isVerb = meaning !== '' && (/[^s]s$/.test(lower) || modal.test(tokens[at - 1]?.lower ?? ''))
    if (isVerb && words.size > 0) found.push({ does: meaning, words: new Set(words), isPassive: false })
    if (isContent(token)) words.add(meaning)
    else if (!filler.test(lower) && !modal.test(lower)) break
  }
  return found
}

/** Verbs of which there is one subject. */
const exclusive: ReadonlySet<string> = new Set(
  `lead own manage approve sign present teach host coordinate publish issue write decide triage take inform carry deliver
  process handle release conduct`
    .split(/\s+/)
    .map((word) => meaningOf(stemOf(word))),
)
