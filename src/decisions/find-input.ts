/** What decision.find is asked: a question, ids, or filters. */
import { z } from 'zod'
import { listFields } from '../access/list.ts'
import { outcomeStatuses } from '../records/body.ts'
import type { TagName } from '../records/search-document.ts'
import { atMost, instant, name, text } from '../validation/schema.ts'
import { categories, decisionStatuses, externalId, significances, surfaces } from './input.ts'
import { decisionSearchInput } from './schema.ts'

/** Values of one filter. */
const mostValues = 20

const anyOf = <Value extends z.ZodType>(value: Value) => atMost(mostValues, z.array(value).min(1)).exactOptional()

/** The filters that name tags of a decision (records/search-document.ts). */
const tagFilters = {
  category: anyOf(z.enum(categories)).describe('Only decisions of one of these categories.'),
  significance: anyOf(z.enum(significances)).describe('Only decisions of one of these significances.'),
  surface: anyOf(z.enum(surfaces)).describe('Only decisions that were made or recorded at one of these.'),
  status: anyOf(z.enum(decisionStatuses)).describe(
    'Only decisions with one of these statuses. Superseded ones are then found themselves.',
  ),
  entity_type: anyOf(text(1, 100)).describe('Only decisions that name an entity of one of these types.'),
  entity_id: anyOf(name()).describe('Only decisions that name an entity with one of these ids.'),
  decided_by: anyOf(name()).describe('Only decisions that one of these people took.'),
  outcome_status: anyOf(z.enum([...outcomeStatuses, 'none'])).describe(
    'Only decisions that worked out like this, by the outcome observed last. none: no outcome is recorded. Superseded ones are then found themselves.',
  ),
}
export const tagNames = {
  category: 'category',
  significance: 'significance',
  surface: 'surface',
  status: 'status',
  entity_type: 'entity_type',
  entity_id: 'entity',
  decided_by: 'decided_by',
  outcome_status: 'outcome',
} as const satisfies Record<keyof typeof tagFilters, TagName>

const { q, ids, threshold } = decisionSearchInput.shape

export const findInput = z
  .strictObject({
    q: q.describe('A question in natural language. Left out: the newest decisions that pass the filters.'),
    ids: ids.describe('Ids of decisions. All visible ones are returned; the other parameters do not apply.'),
    threshold: threshold.describe('The least score, with q.'),
    ...tagFilters,
    in_force: z
      .boolean()
      .exactOptional()
      .describe('true: only decisions in force. false: only others. Superseded ones are then found themselves.'),
    since: instant.exactOptional().describe('Only decisions after this instant.'),
    until: instant.exactOptional().describe('Only decisions at this instant or before.'),
    external_id: externalId
      .exactOptional()
      .describe('Only decisions with this external_id: one for each visibility. Not with q.'),
    ...listFields,
  })
  .check((context) => {
    const { limit: _, cursor: __, threshold: ___, ...asked } = context.value
    if (asked.q !== undefined && asked.external_id !== undefined) {
      const message = 'must be left out if q is given'
      context.issues.push({ code: 'custom', path: ['external_id'], message, input: asked })
    }
    if (Object.keys(asked).length > 0) return
    context.issues.push({ code: 'custom', path: ['q'], message: isRequired, input: asked })
  })

const isRequired = 'is required without ids and filters: send q, ids, or a filter such as status, in_force or since'

export type FindInput = z.output<typeof findInput>
