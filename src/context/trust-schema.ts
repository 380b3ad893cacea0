/** The trust of a brief, exactly as in the specification (2, Trust). docs/trust.md has the formulas. */
import { z } from 'zod'
import { text } from '../validation/schema.ts'

const share = () => z.number().min(0).max(1)

/** Contradictions in one answer, and clarification triggers. */
export const mostTold = 20

export const trust = z.strictObject({
  confidence: share(),
  freshness: share(),
  is_stale: z.boolean(),
  contradiction_count: z.int().min(0),
  contradictions: z
    .array(z.strictObject({ fact_id: text(1, 100), claim: text(1, 2000) }))
    .max(mostTold)
    .default([]),
  evidence_mix: z
    .strictObject({
      primary_observation: share().exactOptional(),
      synthesis: share().exactOptional(),
      speculation: share().exactOptional(),
      decision_directive: share().exactOptional(),
    })
    .exactOptional()
    .describe('Shares of the records used. Their sum is 1.'),
  confirmation_urgency: z.enum(['low', 'medium', 'high']).exactOptional(),
  clarification_triggers: z
    .array(z.strictObject({ question: text(1, 2000), confidence: share().exactOptional() }))
    .max(mostTold)
    .default([]),
  quarantined_held_count: z.int().min(0).exactOptional().describe('Proposals that were found and wait for a judgment.'),
})
export type Trust = z.output<typeof trust>
