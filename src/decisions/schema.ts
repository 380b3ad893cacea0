/** Inputs and outputs of decision.search and decision.get (specification 2 and 4, SEMANTICS 4 and 7). */
import { z } from 'zod'
import { cursor, plannedSuccessors, sourceResponse, supersededClaims } from '../context/schema.ts'
import { answerResponse } from '../questions/answers.ts'
import { outcomeStatuses } from '../records/body.ts'
import { answers } from '../text/scorer.ts'
import { atMost, characters, instant, text, uuid, visibility } from '../validation/schema.ts'
import { categories, decisionStatuses, entityReference, significances, structuredContext, surfaces } from './input.ts'

/** Of the leading outcome. */
const outcomeShown = {
  outcome_status: z.enum(outcomeStatuses).exactOptional().describe('How it worked out, by the outcome observed last.'),
  outcome_notes: z.string().exactOptional().describe('Notes of that outcome, at most 2,000 characters.'),
}

const undated = z
  .literal(true)
  .exactOptional()
  .describe('It was imported from a file without a date: decided_at is the instant of the import.')

const priorPosition = z.looseObject({
  id: uuid,
  title: z.string(),
  judgment: z.string().exactOptional(),
  decided_at: instant.exactOptional(),
  supersession_reason: z.string().exactOptional(),
  undated,
  ...outcomeShown,
})

/** The fields of the specification, then our own: the specification allows further fields. */
export const decisionRecord = z.looseObject({
  id: uuid,
  title: z.string(),
  judgment: z.string(),
  context: z
    .string()
    .describe('The context as one text; empty if there is none. A structured context is joined to one text.'),
  decided_at: instant,
  undated,
  rationale: z.string().exactOptional(),
  category: z.string().exactOptional(),
  significance: z.string().exactOptional(),
  superseded_by_decision_id: uuid.exactOptional(),
  sources: z.array(sourceResponse).default([]),
  prior_positions: z
    .array(priorPosition)
    .exactOptional()
    .describe('The decisions that it superseded, directly or transitively; newest first.'),
  history: z.string().exactOptional().describe('Its last ten revisions, newest first.'),

  url: z.string().exactOptional(),
  status: z.enum(decisionStatuses),
  in_force: z.boolean(),
  revision: z.int().min(1),
  valid_to: instant.exactOptional().describe('When it ceased to be in force.'),
  recorded_at: instant,
  updated_at: instant,
  external_id: z.string().exactOptional(),
  decided_by: z.array(z.string()),
  consequences: z.string().exactOptional(),
  context_parts: structuredContext.exactOptional(),
  entities: z.array(entityReference),
  surface: z.string().exactOptional(),
  visibility,
  supersedes: z.array(uuid),
  dismissed: z
    .literal(true)
    .exactOptional()
    .describe('A person rejected this proposal: its rationale speaks for it, and rejection_note says why not.'),
  rejection_note: z.string().exactOptional(),
  successors: z.array(uuid).describe('The decisions and memories that supersede it, the earliest first.'),
  superseded_by: z.array(sourceResponse).describe('The same records as source references, with titles.'),
  pending_supersedes: z
    .array(z.strictObject({ id: uuid, at: instant.exactOptional(), reason: z.string().exactOptional() }))
    .exactOptional()
    .describe('What it will supersede: from the instant at on, or once it is accepted. Left out: nothing.'),
  planned_successors: plannedSuccessors,
  supersession_reason: z.string().exactOptional(),
  superseded_claims: supersededClaims,
  ...outcomeShown,
  score: z.number().min(0).max(1).exactOptional().describe('How well it answers q. 0.5 or more: it answers q.'),
})

export const decisionSearchInput = z
  .strictObject({
    q: characters(1, 2000).exactOptional().describe('A question in natural language; required unless ids is given.'),
    ids: atMost(50, z.array(uuid).min(1))
      .exactOptional()
      .describe('Ids of decisions. All visible ones are returned; q, limit, threshold and filters do not apply.'),
    limit: z.int().min(1).max(50).default(10).describe('Decisions of one page, at most.'),
    threshold: z.number().min(0).max(1).default(answers).describe('The least score.'),
    category: z.enum(categories).exactOptional().describe('Only decisions of this category.'),
    significance: z.enum(significances).exactOptional().describe('Only decisions of this significance.'),
    surface: z.enum(surfaces).exactOptional().describe('Only decisions that were made or recorded there.'),
    entity_type: text(1, 100).exactOptional().describe('Only decisions that name an entity of this type.'),
    since: instant.exactOptional().describe('Only decisions after this instant.'),
    cursor: cursor.exactOptional().describe('next_cursor of the previous page, with the same query.'),
  })
  .check((context) => {
    const { q, ids } = context.value
    if (q !== undefined || ids !== undefined) return
    context.issues.push({ code: 'custom', path: ['q'], message: 'is required unless ids is given', input: q })
  })
export type DecisionSearchInput = z.output<typeof decisionSearchInput>

export const decisionSearchOutput = z.strictObject({
  items: z.array(decisionRecord),
  next_cursor: cursor.exactOptional().describe('Send it as cursor, with the same query, to get the next page.'),
})
export type DecisionSearchOutput = z.output<typeof decisionSearchOutput>

const revision = z.strictObject({
  revision: z.int().min(1),
  title: z.string(),
  judgment: z.string(),
  context: z.string(),
  rationale: z.string().exactOptional(),
  consequences: z.string().exactOptional(),
  status: z.enum(decisionStatuses),
  decided_at: instant,
  valid_to: instant.exactOptional(),
  recorded_at: instant,
  shown: z.boolean().describe('true: the fields of the decision show this revision.'),
})

const outcome = z.strictObject({
  id: uuid,
  outcome_status: z.enum(outcomeStatuses),
  outcome_notes: z.string().exactOptional(),
  observed_at: instant,
  recorded_at: instant,
  sources: z.array(sourceResponse),
})

export const decisionGetOutput = decisionRecord.extend({
  supersessions: z
    .array(z.strictObject({ id: uuid, at: instant, reason: z.string().exactOptional() }))
    .describe('For each id in supersedes: when it was superseded, and why.'),
  revisions: z.array(revision).describe('The last fifty, newest first.'),
  void_links: z
    .array(z.strictObject({ target: z.string(), reason: z.enum(['narrower_audience', 'would_cycle']) }))
    .describe('Supersessions without effect: the id or external_id of the other decision, and the reason.'),
  outcome: outcome.exactOptional().describe('The leading outcome: the one observed last.'),
  outcomes: z
    .strictObject({
      items: z.array(outcome),
      count: z.int().min(0).describe('Of all outcomes, not only of this page.'),
      next_cursor: cursor.exactOptional().describe('Send it as outcomes_cursor to get the next page.'),
    })
    .describe('How it worked out, the outcome observed last first; 50 a page.'),
  answers: z
    .array(answerResponse)
    .describe('The answers to questions about it, with who answered and how; the latest first.'),
})
export type DecisionGetOutput = z.output<typeof decisionGetOutput>

export const getInput = z.strictObject({
  id: uuid.describe('The id of the decision.'),
  outcomes_cursor: cursor.exactOptional().describe('outcomes.next_cursor of the page before, for the same decision.'),
})
