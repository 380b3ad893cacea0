/** The input of a decision, alone or in a batch (SEMANTICS 7, decision input). */
import { z } from 'zod'
import { uuidPattern } from '../ids.ts'
import {
  atMost,
  idempotencyKey,
  instant,
  listOf,
  mostItems,
  mostTextCharacters,
  name,
  sourceReference,
  text,
  visibility,
} from '../validation/schema.ts'

export const decisionStatuses = ['proposed', 'accepted', 'rejected', 'deprecated'] as const

export const categories = [
  'architecture',
  'compliance',
  'customer',
  'domain',
  'engineering',
  'finance',
  'go_to_market',
  'hiring',
  'legal',
  'market',
  'operations',
  'partnership',
  'people',
  'policy',
  'pricing',
  'process',
  'product',
  'research',
  'sales',
  'security',
  'strategy',
  'strategic',
  'support',
  'technical',
] as const

export const significances = ['routine', 'significant', 'strategic'] as const

export const surfaces = [
  'substrate',
  'supervisor',
  'supervisor_decision',
  'triage',
  'correction',
  'strategy',
  'marketing',
  'meeting',
  'account',
  'manual',
  'session_debrief',
  'backfill',
  'code',
  'adr',
  'mcp',
] as const

/** Code points of a decision's texts. */
export const decisionBounds = {
  title: 300,
  judgment: mostTextCharacters,
  context: 50_000,
  text: mostTextCharacters,
  supersessionReason: 2000,
  externalId: 300,
} as const

const long = () => text(1, mostTextCharacters)
const longs = () => atMost(mostItems, z.array(long()))

export const structuredContext = z.strictObject({
  summary: long().exactOptional().describe('The situation in a few sentences.'),
  constraints: longs().exactOptional().describe('What limited the choice.'),
  alternatives: atMost(
    mostItems,
    z.array(
      z.strictObject({
        title: name().describe('The alternative in a few words.'),
        why_not: long().exactOptional().describe('Why it was not chosen.'),
      }),
    ),
  )
    .exactOptional()
    .describe('What else was considered.'),
  assumptions: longs().exactOptional().describe('What was taken for true without proof.'),
})

export const entityReference = z.strictObject({
  type: text(1, 100).describe('The kind of entity, such as customer, service or product.'),
  id: name().exactOptional().describe('The id of the entity in its own system.'),
  name: name().exactOptional().describe('The name of the entity, for people.'),
})

export const externalId = text(1, decisionBounds.externalId)

/** A decision's id, stored in lower case, or an external_id, stored unchanged. */
export const decisionTarget = text(1, 300).overwrite((value) => (uuidPattern.test(value) ? value.toLowerCase() : value))

export const decisionInput = z.strictObject({
  title: text(1, decisionBounds.title).describe('What was decided on, in a few words.'),
  judgment: text(1, decisionBounds.judgment).describe('What was decided.'),
  context: z
    .union([text(1, decisionBounds.context), structuredContext])
    .exactOptional()
    .describe('The situation in which it was decided: a text, or an object of its parts.'),
  rationale: long().exactOptional().describe('Why it was decided so.'),
  consequences: long().exactOptional().describe('What follows from it.'),
  decided_at: instant
    .exactOptional()
    .describe('When it was decided. It holds from then on. Left out: from when the service accepts it.'),
  decided_by: listOf(name()).describe('The people who decided.'),
  status: z
    .enum(decisionStatuses)
    .default('accepted')
    .describe('Only accepted decisions are in force. A proposed one asks for a judgment.'),
  category: z.enum(categories).exactOptional().describe('The field that it belongs to.'),
  significance: z.enum(significances).exactOptional().describe('How much depends on it.'),
  surface: z.enum(surfaces).exactOptional().describe('Where it was made or recorded: a label to filter by.'),
  entities: listOf(entityReference).describe('The customers, services, products and so on that it is about.'),
  sources: listOf(sourceReference).describe('Where it is documented.'),
  supersedes: listOf(decisionTarget).describe('The decisions that it replaces, by id or external_id.'),
  supersession_reason: text(1, decisionBounds.supersessionReason)
    .exactOptional()
    .describe('Why it replaces those in supersedes.'),
  visibility: visibility
    .exactOptional()
    .describe('Who sees the decision. Left out: workspace, or private in a personal workspace.'),
  external_id: externalId
    .exactOptional()
    .describe('Its id in your own system. Sent again, it makes a new revision of the decision.'),
  idempotency_key: idempotencyKey.exactOptional(),
})

/** A decision of a batch. external_id is required, because the idempotency key is derived from it. */
export const decisionImportItem = decisionInput.omit({ idempotency_key: true }).extend({
  external_id: externalId.describe('Its id in your own system. Sent again in a later batch it makes a new revision.'),
})

export type DecisionInput = z.output<typeof decisionInput>
