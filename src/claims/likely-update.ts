/**
 * Finds the older record that a newer one most likely replaces, where no rule finds it. People rarely write “raised to”:
 * they record the new state in words of their own. What is new about one subject is then what a search for its words finds
 * nearest among what was said before.
 */

import { areComparable } from '../records/audience.ts'
import { isReport } from '../records/body.ts'
import { canOutdate } from '../records/imported.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { analyze } from '../text/analyzer.ts'
import { areOther, haveOtherTitles, type Things, thingsIn } from './difference/scope.ts'
import { haveOtherSubjects } from './difference/subject.ts'
import { areReportAndRule, tellOtherDays } from './happened.ts'
import { lengthOf, yearBetween } from './length-and-age.ts'
import { hasOtherValue } from './other-value.ts'
import { common } from './reading/common.ts'
import { meaningOf, stemOf } from './reading/vocabulary.ts'
import { sourceOf } from './source.ts'
import { sentencesIn } from './told-changes.ts'
import { replacesName, tellsUpdate } from './update.ts'

/** How near a row is to another one. It was found by a search for the words of the other one. */
export interface Near {
  /** Of the row. */
  id: string
  /** How well it matches, as a share of the best match. 1: nothing is nearer. */
  match: number
  /** How rare the words are that both have: each counts 1 if no other row has it, and less the more rows have it. */
  common: number
  /** Their share of the words searched for, weighed in the same way. */
  covered: number
}

export interface NearRow extends Near {
  row: PrecedentRecord
}

/**
 * What makes it likely that the newer record replaces the older one. The weights are those of a logistic regression on
 * what is outdated in the sets of test/quality/brief, except 28 and 29, rounded. The threshold is high, because a
 * missed question costs less than a wrong one: three of four questions must be about what a shown set lists as outdated.
 * How far the nearest record is ahead of the next one, the best contradiction of both, other names and common topics added
 * nothing on sets that the regression had not seen.
 */
const weights = {
  match: 3.2,
  isNearest: 1.1,
  /** The rare words that both have amount to `enoughWords`, or more. */
  common: 4.7,
  /** A newer record with hardly any other words says the same again, or says it of another place. */
  covered: -2.5,
  otherValue: 1.1,
  /** The nearest record, and the newer one says that something has changed, even if not what. */
  nearestTellsChange: 1,
  /** The newer one says that something has taken the place of what the older one names. Set by hand: few texts say so. */
  replacesName: 3,
  /** A year or more lies between them; half as much if it is half a year. */
  isYearOlder: 2.2,
  /** Each time that the text is 2.7 times as long as a short one: it is replaced, or replaces, in part at most. */
  olderIsLong: -3,
  newerIsLong: -0.7,
  /** A newer decision usually names the one that it supersedes. */
  olderIsDecision: -0.9,
}
const enough = 7.5
/** A sum as Near.common gives it. */
const enoughWords = 7

/** By record id. */
type SentenceOfEach = Readonly<Record<string, string>>

/**
 * At most one: the id of the older row, and a sentence of each record. `near`: what a search for the words of `newer` finds,
 * best first.
 */
export function likelyUpdate(
  newer: PrecedentRecord,
  near: readonly NearRow[],
): { other: string; claims: SentenceOfEach } | undefined {
  // what is only proposed replaces nothing
  if (newer.status !== 'accepted') return undefined
  let best: PrecedentRecord | undefined
  let most = enough
  for (const one of near) {
    // records of one day usually belong together: neither replaces the other
    if (!areComparable(newer.audience, one.row.audience) || dayOf(one.row) >= dayOf(newer)) continue
    if (!canOutdate(newer, one.row) || isDoneAbout(newer, one.row)) continue
    if (haveOtherTitles(sourceOf(newer), sourceOf(one.row))) continue
    const likely = likelihood(newer, one)
    if (likely > most) [best, most] = [one.row, likely]
  }
  const claims = best && claimsOf(newer, best)
  return best && claims && { other: best.id, claims }
}

const dayOf = ({ valid_from }: PrecedentRecord) => valid_from.slice(0, 10)

/** The report of a session replaces neither a decision nor the report of another session. */
function isDoneAbout(newer: PrecedentRecord, older: PrecedentRecord): boolean {
  return isReport(newer) && (older.kind === 'decision' || isReport(older))
}

function likelihood(newer: PrecedentRecord, { row: older, match, common: rare, covered }: NearRow): number {
  const [now, before] = [sourceOf(newer), sourceOf(older)]
  const isNearest = match === 1
  return (
    weights.match * match +
    (isNearest ? weights.isNearest : 0) +
    weights.common * Math.min(1, rare / enoughWords) +
    weights.covered * covered +
    (isNearest && tellsUpdate(now) ? weights.nearestTellsChange : 0) +
    (replacesName(before, now) ? weights.replacesName : 0) +
    weights.isYearOlder * yearBetween(Date.parse(older.valid_from), Date.parse(newer.valid_from)) +
    weights.olderIsLong * lengthOf(before.text) +
    weights.newerIsLong * lengthOf(now.text) +
    (older.kind === 'decision' ? weights.olderIsDecision : 0) +
    (hasOtherValue(before.text, now.text) ? weights.otherValue : 0)
  )
}

/**
 * The sentence of the older record of which the newer one says most words again in one sentence, and that sentence.
 * undefined: no sentences about one thing have a word in common.
 */
function claimsOf(newer: PrecedentRecord, older: PrecedentRecord): SentenceOfEach | undefined {
  let best: [string, string] | undefined
  let most = 0
  const before = saidIn(older)
  for (const now of saidIn(newer)) {
    for (const was of before) {
      if (areOther(was.things, now.things)) continue
      const share = common(was.words, now.words) / (was.words.size + moreWords)
      const likeness = share + (share > 0 && hasOtherValue(was.text, now.text) ? valueCounts : 0)
      if (likeness > most) [best, most] = [[now.text, was.text], likeness]
    }
  }
  if (best && [areReportAndRule, tellOtherDays, haveOtherSubjects].some((mayBothHold) => mayBothHold(...best)))
    return undefined
  return best && { [newer.record_id]: best[0], [older.record_id]: best[1] }
}

/** Added to the number of words: one common word must not be enough because the sentence is very short. */
const moreWords = 4
/** Two sentences with different values of one kind are likely to be about what has changed. */
const valueCounts = 0.3

interface Said {
  text: string
  words: ReadonlySet<string>
  things: Things
}

function saidIn(row: PrecedentRecord): Said[] {
  return sentencesIn(sourceOf(row).text).map(({ text }) => {
    return { text, words: new Set(analyze(text).map((word) => meaningOf(stemOf(word)))), things: thingsIn(text) }
  })
}
