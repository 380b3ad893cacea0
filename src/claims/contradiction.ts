/**
 * Decides whether two records contradict each other (SEMANTICS 6). Their statements are compared one by one: two must be
 * about the same subject, and differ in a number, a date, a name, who does it, or in yes and no. A score says how likely
 * that is a contradiction (difference-score.ts); precision comes before recall, because a wrong question costs a person's
 * time.
 */
import { otherAgents } from './difference/agents.ts'
import { type Alignment, align, alignedWithout, type Rest } from './difference/align.ts'
import { contrastBetween } from './difference/contrast.ts'
import { denialBetween } from './difference/denial.ts'
import { type Difference, type Found, likely, type Signs, scoreOf, signsOf } from './difference/difference-score.ts'
import { otherItems } from './difference/list-difference.ts'
import { haveOtherPlaces, otherNames } from './difference/name-difference.ts'
import { areOther, haveOtherScopes, haveOtherTitles, thingsIn } from './difference/scope.ts'
import { areSwapped } from './difference/swapped.ts'
import { valueDifference } from './difference/value-difference.ts'
import { areReportAndRule } from './happened.ts'
import { hasException } from './reading/modality.ts'
import { oncePer } from './reading/once-per.ts'
import type { Source } from './reading/source.ts'
import { type Statement, statementsOf } from './reading/statement.ts'
import type { Value } from './reading/values.ts'

interface Contradiction {
  a: Statement
  b: Statement
  differsIn: Difference
  signs: Signs
}

/** The most likely one. `least`: the score that it must have. */
export function contradictionOf(a: Source, b: Source, least = likely): Contradiction | undefined {
  return contradictionsOf(a, b, least)[0]
}

/** The most likely one first. */
export function contradictionsOf(a: Source, b: Source, least = likely): Contradiction[] {
  // of “Sprint 14” and of “Sprint 15”
  return haveOtherTitles(a, b) ? [] : contradictionsAmong(statementsOf(a), statementsOf(b), least)
}

/** The same of statements that were read. */
export function contradictionsAmong(a: readonly Statement[], b: readonly Statement[], least: number): Contradiction[] {
  const others = sayingHowItIs(b)
  // also those that are hardly a contradiction
  const differences = sayingHowItIs(a).flatMap((one) => others.flatMap((other) => differencesOf(one, other)))
  const found = differences.filter(({ signs }) => scoreOf(signs) >= least)
  return found.sort((one, other) => scoreOf(other.signs) - scoreOf(one.signs))
}

const sayingHowItIs = oncePer((statements: readonly Statement[]) =>
  statements.filter(
    ({ isForeign, tellsChange, text }) =>
      !isForeign && !tellsChange && !text.endsWith('?') && !hasException(text) && !endsAt.test(text),
  ),
)

/** “Until the end of 2021, Moser towed our cars”: it has ended. */
const endsAt = /^\W*(?:until|up to) [^,;]*\b(?:19|20)\d\d\b/i

function differencesOf(a: Statement, b: Statement): Contradiction[] {
  const aligned = a.text === b.text ? undefined : align(a, b)
  if (!aligned || haveOtherPlaces(a, b) || areOther(thingsOf(a), thingsOf(b)) || haveOtherScopes(a, b)) return []
  if (areReportAndRule(a.text, b.text)) return []
  const found = [
    valueDifference(a, b, aligned),
    denialBetween(a, b, aligned),
    ...namesThatDiffer(a, b, aligned),
    itemsThatDiffer(a, b, aligned),
    contrastBetween(a, b, aligned),
  ]
  return found.flatMap((one) => (one ? { a, b, differsIn: one.kind, signs: signsOf(one, a, b) } : []))
}

const thingsOf = oncePer(({ text }: Statement) => thingsIn(text))

function namesThatDiffer(a: Statement, b: Statement, aligned: Alignment): Found[] {
  if (a.isDenied !== b.isDenied || !haveSubject(a, b)) return []
  const hasValues = hasOtherValues(aligned.values.a, aligned.a) && hasOtherValues(aligned.values.b, aligned.b)
  const [names, agents] = [otherNames(a, b, aligned), otherAgents(a, b)]
  const found: Found[] = []
  if (names) found.push({ kind: 'name', hasValues, aligned: alignedWithout(aligned, names) })
  if (agents) found.push({ kind: 'role', hasValues, aligned: alignedWithout(aligned, agents) })
  if (areSwapped(a, b)) found.push({ kind: 'role', hasValues, aligned })
  return found
}

/**
 * Whether they share more than names and what one of them lists completely: “only Ada and Grace have the key” and “Ada
 * works in Kiel” tell different things of Ada.
 */
function haveSubject(a: Statement, b: Statement): boolean {
  const listed = new Set([a, b].flatMap(({ isClosed, lists }) => (isClosed ? lists.flat(2) : [])))
  const isThing = (word: string) => a.names.has(word) || listed.has(word)
  return [...a.words].some(([word, weight]) => weight === 1 && b.words.has(word) && !isThing(word))
}

/** The version of a name belongs to the name: “PostgreSQL 15” and “MySQL 8” differ in the name. */
const hasOtherValues = (values: readonly Value[], { names }: Rest) =>
  values.some((value) => value.type === 'date' || !names.some((name) => value.dimension === `version ${name}`))

function itemsThatDiffer(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const items = otherItems(a, b)
  return items && { kind: 'list', aligned: alignedWithout(aligned, items) }
}
