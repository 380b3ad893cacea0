/** The question rules that compare two records (SEMANTICS 6). */

import { opposedClause } from '../../claims/clauses.ts'
import { ambiguityOf } from '../../claims/identity.ts'
import { isAllOf } from '../../claims/normalized.ts'
import { type Opposed, opposed, opposedAlone } from '../../claims/opposed.ts'
import { sourceOf } from '../../claims/source.ts'
import type { NewRow } from '../../deciding/outcome.ts'
import { areComparable } from '../../records/audience.ts'
import { type About, isReport } from '../../records/body.ts'
import { dateTold, isUndated, mayBeOfDifferentOwners } from '../../records/imported.ts'
import { cut } from '../../records/title.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { priorityOf } from '../priority.ts'
import type { Finding } from '../question.ts'
import { subjectOf } from '../raise/rules.ts'
import { longestSubject } from '../schema.ts'

export const pairRules = ['contradiction', 'ambiguous_identity'] as const
export type PairRule = (typeof pairRules)[number]

export type ComparedRow = NewRow

/** Sentences of two records that a judge or claims/likely-update.ts calls a contradiction or an update, by record id. */
export type JudgedClaims = Readonly<Record<string, string>>

/** `judged`: counts only if the rules find no contradiction, and both records still have these sentences. */
export function findingsOfPair(one: ComparedRow, other: ComparedRow, judged?: JudgedClaims): Finding[] {
  if (one.record_id === other.record_id || !areComparable(one.audience, other.audience)) return []
  const [newer, older] = inOrder(one, other)
  return [...contradictory(newer, older, judged), ...ambiguous(newer, older)]
}

/** The newer one first. */
export function inOrder<Row extends ComparedRow>(one: Row, other: Row): [newer: Row, older: Row] {
  return isNewer(one, other) ? [one, other] : [other, one]
}

function contradictory(newer: ComparedRow, older: ComparedRow, judged?: JudgedClaims): Finding[] {
  // each report tells what was done then, so both are true whatever their numbers
  if (isReport(newer) && isReport(older)) return []
  const oppose = mayBeOfDifferentOwners(older, newer) ? opposedAlone : opposed
  const found = oppose(sourceOf(older), sourceOf(newer)) ?? (judged && judgedSpans(newer, older, judged))
  if (!found || wasLeftBeside(newer, older) || wasLeftBeside(older, newer)) return []
  // the other clauses of a sentence stay in force, whatever the answer
  const now = opposedClause(found.newer, found.older)
  const before = opposedClause(found.older, found.newer)
  return [
    {
      ...common('contradiction', newer, older),
      claim: `“${quoted(now)}” (${dateTold(newer)}), or “${quoted(before)}” (${dateTold(older)})?`,
      about: [aboutOf(newer, now), aboutOf(older, before)],
      subject: subjectOf(newer),
    },
  ]
}

function judgedSpans(newer: ComparedRow, older: ComparedRow, judged: JudgedClaims): Opposed | undefined {
  const [a, b] = [newer, older].map((row) => {
    const claim = judged[row.record_id]
    return sentencesOf(sourceOf(row).text).find(({ text }) => text === claim)?.text
  })
  return a === undefined || b === undefined ? undefined : { newer: a, older: b }
}

/** `one` is the answer to an earlier contradiction, and its author chose to leave `other` in force. */
function wasLeftBeside(one: ComparedRow, other: ComparedRow): boolean {
  return one.kind === 'memory' && one.body.beside?.includes(other.record_id) === true
}

function ambiguous(newer: ComparedRow, older: ComparedRow): Finding[] {
  const found = ambiguityOf(newer, older)
  if (!found) return []
  const { written, type, a, b } = found
  const names = a.name === b.name ? `two of that name (${a.id}, ${b.id})` : `${a.name} or ${b.name}`
  return [
    {
      ...common('ambiguous_identity', newer, older),
      claim: `“${written}” may be ${names}: who is meant in “${quoted(newer.title)}”, and who in “${quoted(older.title)}”?`,
      // the answer explains the name and supersedes neither record
      about: [newer, older].map(({ record_id }) => ({ record: record_id, claim: written, whole: false })),
      subject: { kind: 'entity', entity_kind: cut(type, 100), query: cut(written, longestSubject) },
      mark: `${type}\n${written.toLowerCase()}`,
    },
  ]
}

function common(
  reason: PairRule,
  newer: ComparedRow,
  older: ComparedRow,
): Pick<Finding, 'form' | 'reason' | 'audience' | 'priority' | 'confidence' | 'score'> {
  const [one, other] = [priorityOf(reason, newer), priorityOf(reason, older)]
  const audience = newer.audience === 'workspace' ? older.audience : newer.audience
  return { form: 'clarification', reason, audience, ...(one.score >= other.score ? one : other) }
}

function aboutOf(row: ComparedRow, claim: string): About {
  return { record: row.record_id, claim, whole: isAllOf(claim, row.text) }
}

const longestQuoted = 800
const quoted = (text: string) => cut(text, longestQuoted)

/** An undated record counts as the older one: the day of its import does not tell when it was written. */
function isNewer(one: ComparedRow, other: ComparedRow): boolean {
  if (isUndated(one) !== isUndated(other)) return isUndated(other)
  if (one.valid_from !== other.valid_from) return one.valid_from > other.valid_from
  return one.accepted > other.accepted
}
