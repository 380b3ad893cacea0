/** What a caller sends to record a decision (SEMANTICS 7, decision input), alone or in a batch. */
import { z } from 'zod'
import { uuidPattern } from '../records/ids.ts'
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
} from '../records/schema.ts'

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

/** Bounds of a decision's texts, in code points. */
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
  summary: long().exactOptional(),
  constraints: longs().exactOptional(),
  alternatives: atMost(
    mostItems,
    z.array(z.strictObject({ title: name(), why_not: long().exactOptional() })),
  ).exactOptional(),
  assumptions: longs().exactOptional(),
})

export const entityReference = z.strictObject({
  type: text(1, 100),
  id: name().exactOptional(),
  name: name().exactOptional(),
})

export const externalId = text(1, decisionBounds.externalId)

/** A decision's id, in lower case, or an external_id as it is. */
export const decisionTarget = text(1, 300).overwrite((value) => (uuidPattern.test(value) ? value.toLowerCase() : value))

export const decisionInput = z.strictObject({
  title: text(1, decisionBounds.title),
  judgment: text(1, decisionBounds.judgment),
  context: z.union([text(1, decisionBounds.context), structuredContext]).exactOptional(),
  rationale: long().exactOptional(),
  consequences: long().exactOptional(),
  /** When it was decided: it holds from then on. Left out: from when it is accepted by the service. */
  decided_at: instant.exactOptional(),
  decided_by: listOf(name()),
  status: z.enum(decisionStatuses).default('accepted'),
  category: z.enum(categories).exactOptional(),
  significance: z.enum(significances).exactOptional(),
  surface: z
    .enum(surfaces)
    .exactOptional()
    .describe('Where it was taken: a label to filter by. It switches nothing on.'),
  entities: listOf(entityReference),
  sources: listOf(sourceReference),
  supersedes: listOf(decisionTarget),
  supersession_reason: text(1, decisionBounds.supersessionReason).exactOptional(),
  visibility: visibility.exactOptional(),
  external_id: externalId.exactOptional(),
  idempotency_key: idempotencyKey.exactOptional(),
})

/** One of a batch: external_id is required, for its idempotency key is made of it. */
export const decisionImportItem = decisionInput.omit({ idempotency_key: true }).extend({ external_id: externalId })

export type DecisionInput = z.output<typeof decisionInput>
export type DecisionImportItem = z.output<typeof decisionImportItem>
