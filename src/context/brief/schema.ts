/** What context.brief takes and answers, to the letter of the specification (2 and 4). */
import { z } from 'zod'
import { mostQuestions, openQuestion } from '../../questions/schema.ts'
import { instant, text } from '../../records/schema.ts'
import { conflict, sourceResponse, supersededClaims } from '../schema.ts'
import { trust } from '../trust-schema.ts'

export const lens = z.enum(['handoff'])

export const briefInput = z.strictObject({
  query: text(1, 2000).exactOptional().describe('What the brief is about. Left out: what one should know right now.'),
  limit: z.int().min(1).max(20).default(10).describe('Matching decisions, at most.'),
  lens: lens
    .exactOptional()
    .describe('handoff: responsibilities, commitments, positioning, relationships, unresolved decisions.'),
})
export type BriefInput = z.output<typeof briefInput>

export const mostFailureReasons = 50

export const diagnostics = z.strictObject({
  empty_corpus: z.boolean().describe('Nothing is recorded that the caller may see.'),
  degraded: z.boolean().describe('Something of the service is away, and the brief is less than it would be.'),
  failure_reasons: z.array(text(1, 500)).max(mostFailureReasons).default([]),
  brownout: z.boolean().exactOptional(),
  redacted_count: z.int().min(0).exactOptional(),
  primary_relevance: z
    .enum(['matched', 'weak', 'none', 'unscoped', 'unknown'])
    .exactOptional()
    .describe('unscoped: without a query; unknown: search is away; weak: the nearest, which may not answer it.'),
})
export type Diagnostics = z.output<typeof diagnostics>

/** Any fields are allowed: these are there. */
export const briefDecision = z.looseObject({
  id: z.string(),
  title: z.string(),
  judgment: z.string().describe('Cut to 1,000 characters: decision.get has the whole.'),
  decided_at: instant,
  superseded_claims: supersededClaims.exactOptional(),
  citation: z.int().min(1).describe('Its number in the Markdown and, from 1, its place in citations.'),
})

export const briefOutput = z.strictObject({
  markdown: z.string(),
  generated_at: instant,
  citations: z.array(sourceResponse),
  lens: lens.exactOptional(),
  conflicts: z.array(conflict).default([]),
  decisions: z.array(briefDecision).default([]),
  work: z.array(z.looseObject({})).default([]),
  open_questions: z.array(openQuestion).max(mostQuestions).default([]),
  trust: trust.exactOptional(),
  diagnostics: diagnostics.exactOptional(),
})
export type BriefOutput = z.output<typeof briefOutput>
