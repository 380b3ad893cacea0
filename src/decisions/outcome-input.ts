/** The input of decision.outcome. An import reads the same fields from its files. */
import { z } from 'zod'
import { outcomeStatuses } from '../records/body.ts'
import {
  characters,
  idempotencyKey,
  ifRevision,
  instant,
  listOf,
  mostTextCharacters,
  sourceReference,
  text,
  uuid,
} from '../validation/schema.ts'

/** In a PATCH, null clears a field. An outcome is always a new record, so null is the same as leaving the field out. */
const outcomeFields = {
  outcome_status: z.enum(outcomeStatuses).describe('How the decision worked out.'),
  outcome_notes: text(1, mostTextCharacters)
    .nullable()
    .default(null)
    .describe('What happened, and what was learned. null: nothing is noted.'),
  observed_at: instant
    .nullable()
    .default(null)
    .describe('When it was observed. The outcome observed last leads. null or left out: when the service accepts it.'),
  sources: listOf(sourceReference)
    .nullable()
    .transform((sources) => sources ?? [])
    .describe('Where it is documented. null: nowhere.'),
}

/**
 * An outcome in a file of an import, which names its decision in another way. An older store may hold blank notes: then the
 * service refuses this outcome alone, and the import records the decision.
 */
export const outcomeImportItem = z.strictObject({
  ...outcomeFields,
  outcome_notes: characters(1, mostTextCharacters).nullable().default(null),
})
export type OutcomeImportItem = z.output<typeof outcomeImportItem>

export const outcomeInput = z.strictObject({
  id: uuid.describe('The decision.'),
  ...outcomeFields,
  if_revision: ifRevision,
  idempotency_key: idempotencyKey.exactOptional(),
})
export type OutcomeInput = z.output<typeof outcomeInput>
