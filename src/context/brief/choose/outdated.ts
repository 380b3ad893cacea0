/**
 * Finds the statements of a brief that a newer one may have outdated. Only a mark for the reader: nothing is superseded.
 * A mark may be wrong: this costs less than an outdated statement that is read as current.
 */
import { areOther, thingsIn } from '../../../claims/difference/scope.ts'
import { lengthOf, yearBetween } from '../../../claims/length-and-age.ts'
import { hasOtherValue } from '../../../claims/other-value.ts'
import { oncePer } from '../../../claims/reading/once-per.ts'
import type { Source } from '../../../claims/reading/source.ts'
import { pairsIn, replacesName, tellsUpdate, updates } from '../../../claims/update.ts'
import type { RecordId } from '../../../ids.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import { canOutdate, isImported } from '../../../records/imported.ts'
import type { Envelope } from '../../../records/record.ts'
import type { Item } from '../find/found.ts'
import { type Likeness, likenessAmong } from './likeness.ts'

export interface Said extends Source {
  /** `said_at`: of a record that may be told. */
  item: Pick<Item, 'kind' | 'record' | 'match'> & Partial<Pick<Item, 'said_at'>>
  /** Its writer was unsure, and nobody has confirmed it: it outdates nothing. */
  isUnconfirmed?: boolean
  /** It is the report of a session. */
  isReport?: boolean
}

/**
 * Signs that a newer statement outdates an older one. The weights come from a logistic regression over the shown sets of
 * test/quality/brief, and are rounded. Each sign saves wrong marks, on the sets that are held out too. These signs saved none
 * and are not used: the newer statement says that something has changed; only some days lie between the two; both have a name
 * or a unit in common; the older one is a decision, a constraint or a commitment.
 */
const weights = {
  /** No older statement is nearer to the newer one. */
  nearest: 3.8,
  /**
   * It says that something has taken the place of what the older one names: “moved from Sentry to GlitchTip”. Set by hand:
   * few texts say so.
   */
  replacesName: 5.5,
  /** The rare words that both have amount to `enoughWords`, or more. */
  common: 3.6,
  /** How well each of them matches the query, as a share of the best match. */
  newerMatches: 1.1,
  olderMatches: 0.8,
  /** There is a query, and the older statement does not match it: a wrong mark on what is told in every brief is repeated. */
  olderIsUnasked: -1.5,
  /** How alike the two sentences are that are most alike, one of each statement. */
  ofSentences: 4,
  /** A year or more lies between them; half as much if it is half a year. */
  isYearOlder: 3,
  /** Each time that the older statement is 2.7 times as long as a short one: it is outdated in part at most. */
  olderIsLong: -3.1,
  /** The same of the newer one: it has room for more subjects. */
  newerIsLong: 1.3,
  /** Two rules, two facts, two decisions. */
  areOfOneKind: 0.7,
  otherValue: 0.9,
  /** The report of a session is soon overtaken by the next one. */
  olderIsOutcome: 0.9,
  /** A report tells what was done, and a commitment what will be done. Both rarely tell how things are now. */
  newerIsOutcome: -0.9,
  newerIsCommitment: -0.6,
  /** What was done in a session seldom ends a decision. */
  isReportOnDecision: -0.8,
  /** A decision record of a repository seldom speaks of the same as a memory. */
  isOfOtherOrigin: -5,
}
/** A higher threshold leaves more outdated statements without a mark: at 8, 6 % of the shown sets (goal: 5 %). */
const enough = 7.85
/** A sum as Likeness.common gives it. About eight words reach it if no other statement has them. */
const enoughWords = 40
/** One newer statement marks at most so many older ones: those that it most likely outdates. */
const mostByOne = 3
/**
 * Pairs of a sentence that tells a change and an older sentence, compared for one older statement: most likely ones first.
 * Ordinary records have a few of them. Without a bound, many long ones that tell many changes would take seconds.
 */
const mostPairs = 10_000
/** How well each record matches if there is no query. It is low, so that most of what binds is told without a mark. */
const unasked = 0.3

interface Place {
  said: Said
  /** In the order of the statements that are compared, newest first. */
  at: number
  /** 0 to 1. */
  matches: number
  /** There is a query, and it does not match the query. */
  isUnasked: boolean
  /** ms since the epoch. */
  from: number
  tellsUpdate: boolean
}

/**
 * For each of `told` that may be outdated: the newer statement that most likely outdated it, by the record id of the older
 * one. The newer one is among `told` or `others`. What was only proposed, or is rejected or deprecated, outdates nothing and
 * is not outdated; nor does an imported record without a date, or one of another owner's repository.
 */
export async function outdatedAmong(told: readonly Said[], others: readonly Said[]): Promise<Map<RecordId, Said>> {
  const turn = inTurns()
  const places = await placesOf([...told, ...others].sort(newerBefore), turn)
  const texts = places.map(({ said: { item, title, text } }) => {
    return { heading: [title, ...item.record.topics].join('\n'), text }
  })
  const likeness = await likenessAmong(texts, turn)
  const asked = new Set(told)
  const likely: { older: Place; newer: Place; likely: number }[] = []
  for (const [at, older] of places.entries()) {
    if (!asked.has(older.said) || older.said.item.record.status !== 'accepted') continue
    const newer = await likeliest(older, places.slice(0, at), likeness, turn)
    if (newer) likely.push({ older, ...newer })
  }
  const marked = new Map<Place, number>()
  const found = new Map<RecordId, Said>()
  for (const { older, newer } of likely.sort((a, b) => b.likely - a.likely)) {
    const times = marked.get(newer) ?? 0
    if (times === mostByOne) continue
    marked.set(newer, times + 1)
    found.set(older.said.item.record.record_id, newer.said)
  }
  return found
}

/** The newest of those that are equally likely. undefined: none is likely enough. */
async function likeliest(
  older: Place,
  all: readonly Place[],
  likeness: Likeness,
  turn: () => Promise<void>,
): Promise<{ newer: Place; likely: number } | undefined> {
  const candidates: Candidate[] = []
  for (const newer of all) {
    if (newer.said.item.record.status !== 'accepted' || newer.said.isUnconfirmed) continue
    if (newer.said.text === older.said.text) continue
    if (!canOutdate(newer.said.item.record, older.said.item.record)) continue
    await turn()
    const candidate = candidateOf(older, newer, likeness)
    if (candidate) candidates.push(candidate)
  }
  let best: Place | undefined
  let most = enough
  let left = mostPairs
  for (const candidate of candidates.sort((a, b) => b.sum - a.sum)) {
    const { newer, sum, mayTell } = candidate
    if ((mayTell ? toldItself(sum) : sum) + weights.otherValue + weights.ofSentences < most) continue
    // compares the sentences of both
    await turn()
    // the open question about such a change is asked later, when the records have been compared
    if (mayTell) left -= pairsIn(older.said, newer.said)
    const isTold = mayTell && left >= 0 && updates(older.said, newer.said) !== undefined
    const likely = likelihood(older, candidate, isTold, likeness, most)
    const isNewerBest = likely === most && (best === undefined || newer.at < best.at)
    if (likely > most || isNewerBest) [best, most] = [newer, likely]
  }
  return best && { newer: best, likely: most }
}

/** Of one day: by the order in which they were recorded. */
function newerBefore({ item: { record: a } }: Said, { item: { record: b } }: Said): number {
  if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? 1 : -1
  return a.record_id < b.record_id ? 1 : -1
}

async function placesOf(newestFirst: readonly Said[], turn: () => Promise<void>): Promise<Place[]> {
  const best = Math.max(0, ...newestFirst.map(({ item }) => item.match ?? 0))
  const places: Place[] = []
  for (const [at, said] of newestFirst.entries()) {
    // reads the whole text
    await turn()
    places.push({
      ...{ said, at },
      matches: best > 0 ? (said.item.match ?? 0) / best : unasked,
      isUnasked: best > 0 && (said.item.match ?? 0) === 0,
      from: Date.parse(said.item.record.valid_from),
      tellsUpdate: tellsUpdate(said),
    })
  }
  return places
}

/** A newer statement that may have outdated the older one, before the sentences of both are compared. */
interface Candidate {
  newer: Place
  /** Of the weights of all signs that take little time. */
  sum: number
  /** It says that something has changed. */
  mayTell: boolean
  /** It outdates the older one only if it says itself that this has changed. */
  mustTell: boolean
}

function candidateOf(older: Place, newer: Place, { common, nearest }: Likeness): Candidate | undefined {
  if (wasConfirmedSince(older.said.item, newer.said.item.record) || isReportOnRule(older, newer)) return undefined
  const mayTell = newer.tellsUpdate
  const mustTell = dayOf(older) === dayOf(newer) || areDecisionRecords(older, newer) || isPromiseOfOther(older, newer)
  if (mustTell && !mayTell) return undefined
  const inCommon = common(older.at, newer.at)
  const isReplaced = mayTell && replacesName(older.said, newer.said)
  if (inCommon === 0 && !isReplaced) return undefined
  const [now, before] = [newer.said, older.said]
  const sum =
    weights.nearest * nearest(older.at, newer.at) +
    (isReplaced ? weights.replacesName : 0) +
    weights.common * Math.min(1, inCommon / enoughWords) +
    weights.newerMatches * newer.matches +
    weights.olderMatches * older.matches +
    (older.isUnasked ? weights.olderIsUnasked : 0) +
    weights.isYearOlder * yearBetween(older.from, newer.from) +
    weights.olderIsLong * lengthOf(before.text) +
    weights.newerIsLong * lengthOf(now.text) +
    (before.item.kind === now.item.kind ? weights.areOfOneKind : 0) +
    (before.item.kind === 'session_outcome' ? weights.olderIsOutcome : 0) +
    (now.item.kind === 'session_outcome' ? weights.newerIsOutcome : 0) +
    (now.item.kind === 'commitment' ? weights.newerIsCommitment : 0) +
    (now.item.kind === 'session_outcome' && before.item.kind === 'decision' ? weights.isReportOnDecision : 0) +
    (isImported(before.item.record) !== isImported(now.item.record) ? weights.isOfOtherOrigin : 0)
  return { newer, sum, mayTell, mustTell }
}

/** What says itself that something changed is enough, however long the older statement is. */
const toldItself = (sum: number) => enough + Math.max(0, sum)

/** 0 if it is less than `least`: values and sentences are compared only if they can still matter. */
function likelihood(
  older: Place,
  { newer, sum, mustTell }: Candidate,
  isTold: boolean,
  { ofSentences }: Likeness,
  least: number,
): number {
  if (mustTell && !isTold) return 0
  const likely = isTold ? toldItself(sum) : sum
  if (likely + weights.otherValue + weights.ofSentences < least) return 0
  const value = hasOtherValue(older.said.text, newer.said.text) ? weights.otherValue : 0
  const all = likely + value + weights.ofSentences * ofSentences(older.at, newer.at)
  // what holds of truck 4 outdates nothing of truck 5
  return all >= least && !isTold && areOther(thingsOf(older.said), thingsOf(newer.said)) ? 0 : all
}

const thingsOf = oncePer(({ text }: Said) => thingsIn(text))

/** Somebody said the older statement again after the newer one, so it holds. */
export function wasConfirmedSince({ said_at, record }: Said['item'], newer: Pick<Envelope, 'valid_from'>): boolean {
  return said_at !== undefined && said_at > record.valid_from && said_at > newer.valid_from
}

/** What was done in a session ends no rule. */
function isReportOnRule(older: Place, newer: Place): boolean {
  const { isReport, item } = newer.said
  return (isReport || item.kind === 'session_outcome') && older.said.item.kind === 'constraint'
}

/** What somebody will do changes no rule, and nothing of how things are now. */
function isPromiseOfOther(older: Place, newer: Place): boolean {
  const { kind } = older.said.item
  return newer.said.item.kind === 'commitment' && (kind === 'constraint' || kind === 'fact')
}

/** Teams that keep decision records name the one that a new one supersedes. So the same words mean a related subject. */
function areDecisionRecords(older: Place, newer: Place): boolean {
  return isImported(older.said.item.record) && isImported(newer.said.item.record)
}

/** Records of one day are rather parts of one whole, unless one says that the other has changed. */
function dayOf({ said }: Place): string {
  return said.item.record.valid_from.slice(0, 10)
}
