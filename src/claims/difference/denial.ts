/** Two statements of which one denies what the other says, by “not” or by an opposite word. */
import type { Statement } from '../reading/statement.ts'
import type { Alignment } from './align.ts'
import type { Found } from './difference-score.ts'
import { haveOtherTimes } from './scope.ts'

export function denialBetween(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const kind = kindOf(a, b)
  if (!kind || haveOtherTimes(a.text, b.text) || isLeftOpen(a, b) || isLeftOpen(b, a)) return undefined
  if (areRestOfDay(a, b) || isOnlyOwn(a, b) || isOnlyOwn(b, a)) return undefined
  // a start and an end: “opens on 1 August” and “closes on 30 September”
  if (kind === 'opposite' && aligned.values.a.length > 0 && aligned.values.b.length > 0) return undefined
  return { kind, aligned }
}

/** “Sees no jobs of other tenants” and “sees only its own jobs”, “locked without a card” and “opens only with a card”. */
const isOnlyOwn = (a: Statement, b: Statement) =>
  (a.isDenied && /\bothers?\b/i.test(a.text) && /\b(?:only|no others?|nothing else)\b/i.test(b.text)) ||
  (/\b(?:unless|without)\b/i.test(a.text) && /\bonly (?:after|if|once|when|with)\b/i.test(b.text))

/** “Need not wear gloves” and “may wear gloves”. */
const isLeftOpen = (a: Statement, b: Statement) =>
  /\b(?:(?:not|n['’]t) (?:have to|need|required|obliged|necessary)|need not|optional|voluntary)\b/i.test(a.text) &&
  /\b(?:may|can|allowed)\b/i.test(b.text)

/** “Closed from 22:00 to 06:00” and “open from 06:00 to 22:00”. */
function areRestOfDay(a: Statement, b: Statement): boolean {
  const [one, other] = [a, b].map(({ values }) =>
    values.flatMap((value) => (value.type === 'date' && value.kind === 'clock' ? value.first : [])),
  ) as [number[], number[]]
  return one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0]
}

function kindOf(a: Statement, b: Statement): 'negation' | 'opposite' | undefined {
  const isOtherOrder = haveOtherOrder(a, b)
  const isOneDenied = denies(a, b) !== denies(b, a)
  if (isOtherOrder !== undefined) return isOtherOrder !== isOneDenied ? 'opposite' : undefined
  for (const [of, sign] of a.opposites) {
    const other = b.opposites.get(of)
    if (other === undefined) continue
    if ((sign === other) === isOneDenied) return sign === other ? 'negation' : 'opposite'
    if (sign !== other) return undefined
  }
  if (haveOtherStates(a, b)) return 'opposite'
  return isOneDenied ? 'negation' : undefined
}

/** Whether the statement denies something. A denied state counts only if the other statement does not mention the state. */
const denies = ({ isDenied, states }: Statement, other: Statement) =>
  isDenied !== [...states].some(([state, isStateDenied]) => isStateDenied && !other.states.has(state))

/** “Enabled” and “disabled”. */
export const haveOtherStates = (a: Statement, b: Statement) =>
  [...a.states].some(([state, isDenied]) => b.states.has(state) && b.states.get(state) !== isDenied)

const marks = /^(?:before|after|once)$/

/** “A before B”: “B before A” is the opposite of it, and “B after A” says the same. */
function haveOtherOrder(a: Statement, b: Statement): boolean | undefined {
  const [one, other] = [orderIn(a), orderIn(b)]
  if (!one || !other) return undefined
  const straight = countShared(one.earlier, other.earlier) + countShared(one.later, other.later)
  const crossed = countShared(one.earlier, other.later) + countShared(one.later, other.earlier)
  return straight === crossed ? undefined : crossed > straight
}

/** What happens first, and what later. */
function orderIn({ tokens, words }: Statement): { earlier: string[]; later: string[] } | undefined {
  const at = tokens.findIndex(({ lower }) => marks.test(lower))
  if (at <= 0) return undefined
  const said = (some: typeof tokens) => some.flatMap(({ meaning }) => (words.has(meaning) ? meaning : []))
  const [left, right] = [said(tokens.slice(0, at)), said(tokens.slice(at + 1))]
  // “only after that it …”: what stands before it comes first
  const isBack = /^(?:that|this|which)$/.test(tokens[at + 1]?.lower ?? '')
  return (tokens[at]?.lower === 'before') !== isBack ? { earlier: left, later: right } : { earlier: right, later: left }
}

const countShared = (one: readonly string[], other: readonly string[]) =>
  one.filter((word) => other.includes(word)).length
