/** What a record alone leaves open (SEMANTICS 6): rules that look at nothing but its own row. */
import type { NewRow } from '../operation.ts'
import { isBindingKind, type QuestionBody, type Reason } from '../records/body.ts'
import type { Envelope } from '../records/record.ts'
import { cut } from '../records/title.ts'
import { explicitQuestionsIn } from './explicit-questions.ts'
import { hedgedIn } from './hedges.ts'
import { isApplicable } from './is-applicable.ts'
import { priorityOf } from './priority.ts'
import type { Finding } from './question.ts'
import { longestSubject } from './schema.ts'

export function findingsOf(row: NewRow): Finding[] {
  return [...pending(row), ...explicit(row), ...hedged(row), ...singleSource(row)].filter(({ reason }) =>
    isApplicable(row, reason),
  )
}

/** What stands beside a decision is to be judged: all else is asked once it is what the decision says. */
export function judgmentOf(row: NewRow): Finding[] {
  return pending(row).filter(({ reason }) => isApplicable(row, reason))
}

/** Of a proposal that was taken: who took it had no doubts. */
export function leftOpenBy(row: NewRow): Finding[] {
  return explicit(row).filter(({ reason }) => isApplicable(row, reason))
}

function pending(row: NewRow): Finding[] {
  if (row.kind !== 'decision' || row.status !== 'proposed') return []
  const claim = `${row.title}: ${row.body.judgment}`
  return [found(row, 'pending_judgment', 'judgment', claim, { whole: true })]
}

function explicit(row: NewRow): Finding[] {
  return explicitQuestionsIn(asserted(row)).map(({ question, passage }) => {
    // a decision was taken all the same: its title says so
    const whole = row.kind === 'memory' && isAllOf(passage, row.text)
    return found(row, 'explicit_question', 'clarification', question, { mark: normal(question), whole })
  })
}

/** In a longer judgment what is doubted is a remark by the way: not that it was decided. */
const longestDoubted = 600

function hedged(row: NewRow): Finding[] {
  const said = row.kind === 'decision' ? row.body.judgment : row.text
  const claim = row.kind === 'decision' && said.length > longestDoubted ? undefined : hedgedIn(said)?.sentence.text
  if (claim === undefined) return []
  const whole = row.kind === 'memory' && isAllOf(claim, row.text)
  if (whole) return [found(row, 'low_confidence', 'fact', row.text, { whole })]
  return [found(row, 'low_confidence', 'clarification', claim, { mark: normal(claim) })]
}

/** What binds and has one outside source: who else says so? */
function singleSource(row: NewRow): Finding[] {
  if (row.kind !== 'memory' || !hasSingleSource(row)) return []
  if (!isBindingKind(row.body.memory_kind)) return []
  return [found(row, 'single_source', 'fact', row.text, { whole: true })]
}

export function hasSingleSource({ sources }: Pick<Envelope, 'sources'>): boolean {
  return sources.length === 1 && sources[0]?.provenance.class === 'external'
}

/**
 * What of a record may leave a question open. A decision answers the questions of its context: of one that was taken
 * only its judgment and its consequences.
 */
function asserted(row: NewRow): string {
  if (row.kind !== 'decision' || row.status === 'proposed') return row.text
  const { judgment, consequences } = row.body
  return consequences === null ? judgment : `${judgment}\n\n${consequences}`
}

function found(
  row: NewRow,
  reason: Reason,
  form: Finding['form'],
  claim: string,
  { mark, whole = isAllOf(claim, row.text) }: { mark?: string; whole?: boolean },
): Finding {
  return {
    form,
    reason,
    claim,
    audience: row.audience,
    about: [{ record: row.record_id, claim: cut(claim, 2000), whole }],
    ...priorityOf(reason, row),
    subject: subjectOf(row),
    ...(mark === undefined ? {} : { mark }),
  }
}

/** The record, and words by which it is found. */
export function subjectOf(row: Pick<Envelope, 'kind' | 'record_id' | 'title'>): QuestionBody['subject'] {
  return { kind: row.kind, id: row.record_id, query: cut(row.title, longestSubject) }
}

/** But for spaces and the signs around it. */
export function isAllOf(claim: string, text: string): boolean {
  const said = normal(claim)
  // most texts say much more: a long one need not be gone through for that
  return !hasMoreLetters(text, said.length) && said === normal(text)
}

function hasMoreLetters(text: string, most: number): boolean {
  let letters = 0
  for (const _ of text.matchAll(/[\p{L}\p{N}]/gu)) if (++letters > most) return true
  return false
}

export function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}?%€$£.]+/gu, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
}
