/** An open question as responses show it, exactly as specified (2, Open question). */
import { z } from 'zod'
import type { Priority, Reason } from '../records/body.ts'
import { text } from '../validation/schema.ts'

export const priorities = ['blocking', 'tracking', 'watching'] as const satisfies readonly Priority[]

export const reasons = [
  'explicit_question',
  'low_confidence',
  'contradiction',
  'ambiguous_identity',
  'high_grade_supersession',
  'single_source',
  'loss_ledger_gap',
  'pending_judgment',
] as const satisfies readonly Reason[]

/** Open questions in one response. */
export const mostQuestions = 10

/** The id of a question about a whole memory begins with it. */
export const factPrefix = 'fact:'
/** The id of a question that asks to accept or reject one proposal begins with it. */
export const judgmentPrefix = 'judgment:'
/** The id of a question about all old proposals of a source begins with it (raise/old-proposals.ts). */
export const groupPrefix = 'clarification:proposals-'

export function isJudgment({ question_id }: { question_id: string }): boolean {
  return question_id.startsWith(judgmentPrefix)
}

export function isAboutOldProposals({ question_id }: { question_id: string }): boolean {
  return question_id.startsWith(groupPrefix)
}

/** Limits of a question's texts, in code points. */
export const longestClaim = 2000
export const longestSubject = 500

const share = () => z.number().min(0).max(1)

export const openQuestion = z
  .strictObject({
    question_id: text(1, 200),
    claim: text(1, longestClaim),
    priority: z.enum(priorities),
    confidence: share(),
    reason: z.enum(reasons).exactOptional(),
    score: share().exactOptional().describe('Higher: ask first.'),
    subject: z
      .strictObject({
        kind: text(1, 40),
        query: text(1, longestSubject).exactOptional(),
        entity_kind: text(1, 100).exactOptional(),
        id: text(1, 300).exactOptional(),
      })
      .exactOptional()
      .describe(
        'What it is about. Of a contradiction this is the newer record: confirm keeps its claim, correct with the note `keep the older` keeps the other.',
      ),
  })
  .describe('Ask a person about it instead of guessing.')

export type OpenQuestion = z.output<typeof openQuestion>
