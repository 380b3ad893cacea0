/** The question rules that look at one record alone (SEMANTICS 6). */
import { explicitQuestionsIn } from '../../claims/left-open/explicit-questions.ts'
import { hedgedIn } from '../../claims/left-open/hedges.ts'
import { isPlaceholder } from '../../claims/left-open/placeholder.ts'
import { isAllOf, normalized } from '../../claims/normalized.ts'
import { tellsDate } from '../../claims/reading/dates.ts'
import { isStatedByRule } from '../../claims/rule-sources.ts'
import type { NewRow } from '../../deciding/outcome.ts'
import { isBindingKind, type QuestionBody, type Reason } from '../../records/body.ts'
import { isImported } from '../../records/imported.ts'
import { outsideSources } from '../../records/named.ts'
import type { Envelope } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { isApplicable, isRetracted } from '../is-applicable.ts'
import { priorityOf, type ScoredRecord } from '../priority.ts'
import type { Finding } from '../question.ts'
import { longestClaim, longestSubject } from '../schema.ts'

export function findingsOf(row: NewRow): Finding[] {
  return [...pending(row), ...explicit(row), ...hedged(row), ...singleSource(row)].filter(
    ({ reason, about }) => isApplicable(row, reason) && !about.some((one) => isRetracted(reason, one, row.mutable)),
  )
}

function pending(row: NewRow): Finding[] {
  if (row.kind !== 'decision' || row.status !== 'proposed') return []
  const { judgment } = row.body
  // the import gives a file without a judgment its title
  const isMissing = isPlaceholder(judgment) || (isImported(row) && judgment === row.title)
  if (isMissing) return []
  return [found(row, 'pending_judgment', 'judgment', `${row.title}: ${judgment}`, { whole: true })]
}

function explicit(row: NewRow): Finding[] {
  return explicitQuestionsIn(searchedText(row), row.title).map(({ question, passage, shown }) => {
    // a question is never the whole of a decision, because the title says what was decided
    const whole = row.kind === 'memory' && isAllOf(passage, row.text)
    // an answer retracts only what is asked, not the rest of its sentence
    const asked = found(row, 'explicit_question', 'clarification', question, {
      mark: normalized(question),
      whole,
    })
    return { ...asked, claim: shown }
  })
}

/** UTF-16 units. In a longer judgment a hedge is usually a side remark. */
const longestHedged = 600

function hedged(row: NewRow): Finding[] {
  const text = row.kind === 'decision' ? row.body.judgment : row.text
  const hedge = row.kind === 'decision' && text.length > longestHedged ? undefined : hedgedIn(text, row.title)
  if (hedge === undefined) return []
  const { claim, shown } = hedge
  const whole = isAllOf(claim, row.text)
  const asked =
    whole && row.kind === 'memory'
      ? found(row, 'low_confidence', 'fact', row.text, { whole })
      : found(row, 'low_confidence', 'clarification', claim, { mark: normalized(claim), whole })
  // an answer retracts only the doubted sentence
  return [shown === claim ? asked : { ...asked, claim: shown }]
}

/**
 * A constraint or commitment with a single external source, unless that source itself makes the rule. A promise with a date
 * is not asked about either: nobody else made it, and the date shows whether it was kept.
 */
function singleSource(row: NewRow): Finding[] {
  if (row.kind !== 'memory' || !hasSingleSource(row)) return []
  const { memory_kind } = row.body
  if (!isBindingKind(memory_kind) || (memory_kind === 'commitment' && tellsDate(row.text))) return []
  if (isStatedByRule({ sources: outsideSources(row), text: row.text })) return []
  return [found(row, 'single_source', 'fact', row.text, { whole: true })]
}

/** Sources that name a record don't count: some who see the question may not see that record. */
export function hasSingleSource(row: Pick<Envelope, 'sources' | 'workspace'>): boolean {
  const [source, second] = outsideSources(row)
  return source?.provenance.class === 'external' && second === undefined
}

/**
 * The text that is searched for explicit questions. Of an accepted decision only the judgment and the consequences, because
 * the decision itself answers the questions of its context.
 */
function searchedText(row: NewRow): string {
  if (row.kind !== 'decision' || row.status === 'proposed') return row.text
  const { judgment, consequences } = row.body
  return consequences === null ? judgment : `${judgment}\n\n${consequences}`
}

type Named = Pick<Envelope, 'kind' | 'record_id' | 'title'>

/** A finding about one record, for those who see it. `claim`: what is asked about. `whole`: the record says nothing else. */
export function found(
  row: ScoredRecord & Named & Pick<Envelope, 'audience'>,
  reason: Reason,
  form: Finding['form'],
  claim: string,
  { mark, whole }: { mark?: string; whole: boolean },
): Finding {
  return {
    form,
    reason,
    claim,
    audience: row.audience,
    about: [{ record: row.record_id, claim: cut(claim, longestClaim), whole }],
    ...priorityOf(reason, row),
    subject: subjectOf(row),
    ...(mark === undefined ? {} : { mark }),
  }
}

/** The record, and a query that finds it. */
export function subjectOf(row: Named): QuestionBody['subject'] {
  return { kind: row.kind, id: row.record_id, query: cut(row.title, longestSubject) }
}
