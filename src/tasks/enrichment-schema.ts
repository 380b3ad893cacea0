/** The form of an enrichment, in the answer about a task and in what an executor gets. */
import { z } from 'zod'
import { briefDecision, citation } from '../context/brief/schema.ts'
import { conflict, sourceResponse } from '../context/schema.ts'
import { openQuestion } from '../questions/schema.ts'
import { outcomeStatuses } from '../records/body.ts'
import { instant } from '../validation/schema.ts'

/** Of each kind of record. */
export const mostOfEach = 5

const cited = {
  id: z.string(),
  title: z.string(),
  url: z.string().exactOptional(),
  citation,
}

const memory = z.strictObject({
  ...cited,
  kind: z.enum(['constraint', 'commitment', 'session_outcome']),
  content: z.string().describe('The passage that says most about the task, up to 1,000 characters.'),
  occurred_at: instant,
})

/** Of a decision, or of an earlier session. */
const outcome = z.strictObject({
  ...cited,
  kind: z.enum(['decision', 'session_outcome']),
  outcome_status: z.enum(outcomeStatuses).exactOptional().describe('How the decision worked out.'),
  content: z.string().describe('The notes of the outcome, or a passage of the session outcome. May be empty.'),
  occurred_at: instant,
})

export const enrichment = z.strictObject({
  markdown: z.string().describe('All of it, as a brief is written.'),
  decisions: z.array(briefDecision).max(mostOfEach).describe('In force. Those that the task names come first.'),
  constraints: z.array(memory).max(mostOfEach).describe('Constraints and commitments in force.'),
  open_questions: z.array(openQuestion).max(mostOfEach),
  outcomes: z
    .array(outcome)
    .max(mostOfEach)
    .describe('How decisions about it worked out, and what earlier sessions left.'),
  conflicts: z.array(conflict).max(mostOfEach),
  citations: z.array(sourceResponse),
  degraded: z
    .boolean()
    .describe('Search is not complete. While it is away, there is only what belongs to decision_ids.'),
})
export type Enrichment = z.output<typeof enrichment>
