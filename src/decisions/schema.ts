/** What the reads of decisions take and answer (specification 2 and 4, SEMANTICS 4 and 7). */
import { z } from 'zod'
import { cursor, shownSource, supersededClaims } from '../context/schema.ts'
import { shownAnswer } from '../questions/answers.ts'
import { atMost, instant, text, uuid, visibility } from '../records/schema.ts'
import { answers } from '../text/scorer.ts'
import { categories, decisionStatuses, entityReference, significances, structuredContext, surfaces } from './input.ts'

const priorPosition = z.looseObject({
  id: uuid,
  title: z.string(),
  judgment: z.string().exactOptional(),
  decided_at: instant.exactOptional(),
  supersession_reason: z.string().exactOptional(),
})

/** The specified fields, then ours: further ones are allowed. */
export const decisionRecord = z.looseObject({
  id: uuid,
  title: z.string(),
  judgment: z.string(),
  context: z.string().describe('Empty where none was given; of a structured context the text of its parts.'),
  decided_at: instant,
  rationale: z.string().exactOptional(),
  category: z.string().exactOptional(),
  significance: z.string().exactOptional(),
  superseded_by_decision_id: uuid.exactOptional(),
  sources: z.array(shownSource).default([]),
  prior_positions: z
    .array(priorPosition)
    .exactOptional()
    .describe('What it superseded, directly or not; newest first.'),
  history: z.string().exactOptional().describe('Its last ten revisions, newest first.'),

  url: z.string().exactOptional(),
  status: z.enum(decisionStatuses),
  in_force: z.boolean(),
  revision: z.int().min(1),
  valid_to: instant.exactOptional().describe('When it ceased to hold.'),
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
  successors: z.array(uuid).describe('All that supersede it, the earliest first.'),
  superseded_by: z.array(shownSource).describe('The same with their titles; a memory may be among them.'),
  supersession_reason: z.string().exactOptional(),
  superseded_claims: supersededClaims,
  score: z.number().min(0).max(1).exactOptional().describe('How well it answers q, from 0.5 on.'),
})

export const decisionSearchInput = z
  .strictObject({
    q: text(1, 2000).exactOptional().describe('A question in natural language; required unless ids is given.'),
    ids: atMost(50, z.array(uuid).min(1))
      .exactOptional()
      .describe('These decisions as they are, all that are visible; q, limit, threshold and filters do not apply.'),
    limit: z.int().min(1).max(50).default(10).describe('Decisions of one page, at most.'),
    threshold: z.number().min(0).max(1).default(answers).describe('The least score.'),
    category: z.enum(categories).exactOptional().describe('Only decisions of this category.'),
    significance: z.enum(significances).exactOptional().describe('Only decisions of this significance.'),
    surface: z.enum(surfaces).exactOptional().describe('Only decisions that were made or recorded there.'),
    entity_type: text(1, 100).exactOptional().describe('Only decisions that name an entity of this type.'),
    since: instant.exactOptional().describe('Only decisions after this instant.'),
    cursor: cursor.exactOptional().describe('next_cursor of the page before, with the same query.'),
  })
  .check((context) => {
    const { q, ids } = context.value
    if (q !== undefined || ids !== undefined) return
    context.issues.push({ code: 'custom', path: ['q'], message: 'is required unless ids is given', input: q })
  })
export type DecisionSearchInput = z.output<typeof decisionSearchInput>

export const decisionSearchOutput = z.strictObject({
  items: z.array(decisionRecord),
  next_cursor: cursor.exactOptional().describe('To be sent back as cursor, with the same query.'),
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
  shown: z.boolean().describe('It is the one that the fields of the decision show.'),
})

export const decisionGetOutput = decisionRecord.extend({
  revisions: z.array(revision).describe('The last fifty, newest first.'),
  void_links: z
    .array(z.strictObject({ target: z.string(), reason: z.enum(['narrower_audience', 'would_cycle']) }))
    .describe('Supersessions that were asked for and have no effect: the id or external_id at the other end, and why.'),
  answers: z.array(shownAnswer).describe('To questions about it: who gave them, how and why; the latest first.'),
})
export type DecisionGetOutput = z.output<typeof decisionGetOutput>

export const getInput = z.strictObject({ id: uuid.describe('The id of the decision.') })
