/** Finds the memories whose writer was unsure of them (“I think that …”), and that no person has confirmed since. */
import { openQuestionsOn } from '../../../questions/open.ts'
import { factPrefix } from '../../../questions/schema.ts'
import type { Envelope } from '../../../records/record.ts'
import type { With } from './found.ts'

/** The most questions that are looked at: more than the records that are compared have. */
const mostLookedAt = 1_000

/**
 * The record ids of those among `items` with an open question of the reason low_confidence about them as a whole. A longer
 * record with one unsure sentence still says something else for certain.
 */
export async function unconfirmedAmong(
  items: readonly { record: Pick<Envelope, 'record_id'> }[],
  context: With,
): Promise<Set<string>> {
  const rows = items.map(({ record }) => record)
  const doubted = await openQuestionsOn(context, rows, mostLookedAt, 'low_confidence')
  const aboutAll = doubted.filter(({ question }) => question.question_id.startsWith(factPrefix))
  return new Set(aboutAll.flatMap(({ about }) => about.map(({ record_id }) => record_id)))
}
