/** Stores a question as a record of kind question, with an id derived from what it asks (SEMANTICS 6). */
import { createHash } from 'node:crypto'
import { v5 } from 'uuid'
import type { DecideContext } from '../deciding/context.ts'
import { newRow } from '../deciding/new-row.ts'
import type { NewRow, RowUpdate } from '../deciding/outcome.ts'
import type { Audience, RecordId } from '../ids.ts'
import { type About, type QuestionBody, type Reason, recordsNamedBy } from '../records/body.ts'
import { exactHash } from '../records/content-hash.ts'
import { recordOfQuestion } from '../records/named.ts'
import type { RecordOf } from '../records/record.ts'
import { cut } from '../records/title.ts'
import { factPrefix, groupPrefix, judgmentPrefix, longestClaim } from './schema.ts'

type Form = 'fact' | 'judgment' | 'clarification'

/** Whether an answer can change what is in force. The other reasons ask how to read records: these stay as they are. */
export function asksOfClaims(reason: Reason): boolean {
  return reason !== 'ambiguous_identity' && reason !== 'high_grade_supersession' && reason !== 'loss_ledger_gap'
}

export interface Finding extends Omit<QuestionBody, 'question_id' | 'claim'> {
  form: Form
  claim: string
  audience: Audience
  /** Distinguishes it from other questions of the same rule about the same records. */
  mark?: string
}

const factNamespace = '6f8b6c3e-2d0f-5c43-9a57-0f3f1c2f7a11'

/** The same rule, records and mark always give the same id, so a question is never created twice. */
export function questionIdOf({
  form,
  reason,
  about,
  mark = '',
}: Pick<Finding, 'form' | 'reason' | 'mark'> & { about: readonly Pick<About, 'record'>[] }): string {
  const ids = about.map(({ record }) => record)
  if (form === 'judgment') return judgmentIdOf(ids[0] as RecordId)
  if (reason === 'pending_judgment') return `${groupPrefix}${mark}`
  const parts = JSON.stringify([reason, ids.sort(), mark])
  if (form === 'fact') return `${factPrefix}${v5(parts, factNamespace)}`
  return `clarification:${createHash('sha256').update(parts).digest('hex').slice(0, 40)}`
}

export function judgmentIdOf(proposal: RecordId): string {
  return `${judgmentPrefix}${proposal}`
}

export function bodyOfFinding(finding: Finding): QuestionBody {
  const { form: _, mark: __, audience: ___, ...rest } = finding
  return { ...rest, question_id: questionIdOf(finding), claim: cut(finding.claim, longestClaim) }
}

export function questionRow<Input>(context: DecideContext<Input>, finding: Finding): NewRow {
  const body = bodyOfFinding(finding)
  return newRow(context, {
    record_id: recordOfQuestion(context.receipt.workspace, body.question_id),
    kind: 'question',
    audience: finding.audience,
    ...textsOf(body),
    confidence: finding.confidence,
    content_hash: exactHash(body.question_id),
    body,
    mutable: { records: recordsNamedBy(body), answer: null },
  })
}

function textsOf({ claim }: QuestionBody) {
  return { title: cut(claim, 300), text: claim }
}

/** The change by which an open or a closed question is asked in these words from now on. */
export function rewording(question: RecordOf<'question'>, body: QuestionBody, at: string, answers = {}): RowUpdate {
  // with those that it named before, so that their links close
  const records = [...new Set([...recordsNamedBy(question.body), ...recordsNamedBy(body)])]
  return {
    id: question.id,
    set: {
      ...{ kind: 'question', valid_to: null, updated_at: at, body, ...textsOf(body) },
      mutable: { ...question.mutable, ...answers, records },
      // lets projection update the rank
      created_at: question.created_at,
    },
  }
}

/** The change that closes a question. */
export function closing(
  { id, mutable: before }: Pick<RecordOf<'question'>, 'id' | 'mutable'>,
  at: string,
  { valid_to = at, mutable = before }: Partial<Pick<RecordOf<'question'>, 'mutable'>> & { valid_to?: string } = {},
): RowUpdate {
  // the kind and the mutable fields tell projection which links to close
  return { id, set: { kind: 'question', valid_to, mutable, updated_at: at } }
}
