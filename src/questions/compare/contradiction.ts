/**
 * Decides whether two records contradict each other (SEMANTICS 6). Their statements are compared one by one: two must be
 * about the same subject, and differ in a number, a date, a name, who does it, or in yes and no. A score says how likely
 * that is a contradiction (difference-score.ts); precision comes before recall, because a wrong question costs a person's
 * time.
 */
import { otherAgents } from './claims/agents.ts'
import { type Alignment, align, coverageWithout } from './claims/align.ts'
import { denialBetween, haveOpposites } from './claims/denial.ts'
import { type Difference, isLikely, type Signs, scoreOf, signsOf } from './claims/difference-score.ts'
import { haveOtherNames } from './claims/name-difference.ts'
import { type Source, type Statement, statementsOf } from './claims/statement.ts'
import { valueDifference } from './claims/value-difference.ts'

export interface Contradiction {
  a: Statement
  b: Statement
  differsIn: Difference
  signs: Signs
}

export function contradictionOf(a: Source, b: Source): Contradiction | undefined {
  const found = differencesBetween(a, b).filter(({ signs }) => isLikely(signs))
  return found.sort((one, other) => scoreOf(other.signs) - scoreOf(one.signs))[0]
}

/** Also those that are hardly a contradiction. */
export function differencesBetween(a: Source, b: Source): Contradiction[] {
  const others = statementsOf(b).filter(isFact)
  return statementsOf(a)
    .filter(isFact)
    .flatMap((one) => others.flatMap((other) => differencesOf(one, other)))
}

const isFact = ({ isQualified, tellsChange }: Statement) => !isQualified && !tellsChange

function differencesOf(a: Statement, b: Statement): Contradiction[] {
  const aligned = a.text === b.text ? undefined : align(a, b)
  if (!aligned) return []
  const found = (differsIn: Difference, rest = aligned) => ({ a, b, differsIn, signs: signsOf(differsIn, a, b, rest) })
  const value = valueDifference(a, b, aligned)
  if (value) {
    if (!isOfOneSubject(aligned) || haveOpposites(a, b) || aligned.covered < leastCovered) return []
    if (value.kind === 'date' && aligned.isOtherThing) return []
    const { signs, ...rest } = found(value.kind)
    return [{ ...rest, signs: { ...signs, ...value.signs } }]
  }
  if (Math.min(aligned.values.a.length, aligned.values.b.length) > 0) return []
  const denial = denialBetween(a, b)
  if (denial) return isOfOneSubject(aligned) && saysTheRest(aligned) ? [found(denial)] : []
  if (a.isDenied !== b.isDenied || aligned.isOtherThing) return []
  return [...otherAgentsIn(a, b, aligned, found), ...otherNamesIn(a, b, aligned, found)]
}

type Found = (differsIn: Difference, rest?: Alignment) => Contradiction

function otherAgentsIn(a: Statement, b: Statement, aligned: Alignment, found: Found): Contradiction[] {
  const agents = otherAgents(a, b)
  if (!agents) return []
  const rest = coverageWithout(a, b, aligned, agents)
  const hasOtherNames = rest.a.names.length + rest.b.names.length > 0
  return !hasOtherNames && saysTheRest(rest) && rest.covered >= leastCoveredByName ? [found('role', rest)] : []
}

function otherNamesIn(a: Statement, b: Statement, aligned: Alignment, found: Found): Contradiction[] {
  if (!haveOtherNames(a, b, aligned)) return []
  const names = { a: new Set(aligned.a.names), b: new Set(aligned.b.names) }
  const rest = coverageWithout(a, b, aligned, names)
  return saysTheRest(rest) && rest.covered >= leastCoveredByName ? [found('name')] : []
}

/** Shares of the lighter and of the longer statement that the other must have; more if no value tells what differs. */
const leastCovered = 0.4
const leastCoveredByName = 0.6
const leastOfLonger = 0.4

/** No other kind of it on each side, and no other name. */
const isOfOneSubject = ({ a, b, isOtherKind }: Alignment) =>
  !isOtherKind && (a.names.length === 0 || b.names.length === 0)

/** Apart from what differs, the longer one says little more, and not each says something of its own. */
const saysTheRest = ({ a, b, coveredOfLonger }: Alignment) =>
  coveredOfLonger >= leastOfLonger && (a.words.length === 0 || b.words.length === 0)
