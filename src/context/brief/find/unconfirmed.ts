/** Finds the memories whose writer was unsure of them (“I think that …”), and that no person has confirmed since. */
import { chunks } from '../../../ports/chunks.ts'
import { openOf } from '../../../questions/open.ts'
import { openLinks } from '../../../questions/open-links.ts'
import { scoresOf } from '../../../questions/priority.ts'
import { factPrefix } from '../../../questions/schema.ts'
import { ranksOf } from '../../../records/projections/question-links.ts'
import type { Envelope } from '../../../records/record.ts'
import type { With } from './found.ts'

/** Records of one query, and questions that it returns. */
const recordsAtOnce = 200
const questionsAtOnce = 200

/**
 * The record ids of those among `items` with an open question of the reason low_confidence about them as a whole. A longer
 * record with one unsure sentence still says something else for certain.
 */
export async function unconfirmedAmong(
  items: readonly { record: Pick<Envelope, 'record_id'> }[],
  { reads, presenting: { reader } }: With,
): Promise<Set<string>> {
  const { workspace, audiences } = reader
  const ranks = ranksOf(scoresOf('low_confidence'))
  const found = new Set<string>()
  for (const ids of chunks([...new Set(items.map(({ record }) => record.record_id))], recordsAtOnce)) {
    const where = { workspace, record_id: { in: ids }, audience: { in: audiences } }
    const links = await openLinks(reads.documents, where, { size: questionsAtOnce, ranks })
    for (const { question, about } of await openOf(links, questionsAtOnce, reader)) {
      const isAboutAll = question.question_id.startsWith(factPrefix)
      if (isAboutAll && question.reason === 'low_confidence') for (const { record_id } of about) found.add(record_id)
    }
  }
  return found
}
