/** Input and output of context.brief, exactly as in the specification (2 and 4). */
import { z } from 'zod'
import { mostQuestions, openQuestion } from '../../questions/schema.ts'
import { characters, instant, text } from '../../validation/schema.ts'
import { conflict, sourceResponse, supersededClaims } from '../schema.ts'
import { trust } from '../trust-schema.ts'

export const lens = z.enum(['handoff'])

export const briefInput = z.strictObject({
  query: characters(1, 2000)
    .exactOptional()
    .describe('The topic of the brief, or the id of an open question. Absent: what one should know right now.'),
  limit: z.int().min(1).max(20).default(10).describe('The greatest number of matching decisions.'),
  lens: lens
    .exactOptional()
    .describe('handoff: responsibilities, commitments, positioning, relationships, unresolved decisions.'),
})
export type BriefInput = z.output<typeof briefInput>

export const mostFailureReasons = 50

export const diagnostics = z.strictObject({
  empty_corpus: z.boolean().describe('There is no record that the caller may see.'),
  degraded: z.boolean().describe('A part of the service is unavailable, so the brief is less complete.'),
  failure_reasons: z.array(text(1, 500)).max(mostFailureReasons).default([]),
  brownout: z.boolean().exactOptional(),
  redacted_count: z.int().min(0).exactOptional(),
  primary_relevance: z
    .enum(['matched', 'weak', 'none', 'unscoped', 'unknown'])
    .exactOptional()
    .describe(
      'unscoped: no query; unknown: search is unavailable; weak: the closest records, which may not answer it.',
    ),
})

export const citation = z
  .int()
  .min(1)
  .describe('Its number in the Markdown, and its position in citations, counted from 1.')

/** The specification allows any fields; these are always or sometimes present. */
export const briefDecision = z.looseObject({
  id: z.string(),
  title: z.string(),
  judgment: z.string().describe('Cut to 1,000 characters; decision.get has all of it.'),
  decided_at: instant,
  superseded_claims: supersededClaims.exactOptional(),
  citation,
})

const taskInHand = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  priority: z.string(),
  citation,
})

export const briefOutput = z.strictObject({
  markdown: z.string(),
  generated_at: instant,
  citations: z.array(sourceResponse),
  lens: lens.exactOptional(),
  conflicts: z.array(conflict).default([]),
  decisions: z.array(briefDecision).default([]),
  work: z
    .array(taskInHand)
    .default([])
    .describe(
      'Tasks in progress, blocked or awaiting approval, as lists of tasks show them. Empty without the scope tasks:read.',
    ),
  open_questions: z.array(openQuestion).max(mostQuestions).default([]),
  trust: trust.exactOptional(),
  diagnostics: diagnostics.exactOptional(),
})
export type BriefOutput = z.output<typeof briefOutput>
