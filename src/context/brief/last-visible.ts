/** The newest change that a caller sees: what a kept brief depends on, and nothing that others keep for themselves. */
import { type Actor, audiencesOf } from '../../access/actor.ts'
import type { Documents } from '../../ports/documents.ts'
import { type Feed, records } from '../../records/record.ts'

/** All: an index finds the newest row of each. */
const feeds: readonly Feed[] = ['knowledge', 'decisions', 'work', 'none']

/** Its sequence; 0 where the actor sees no record. Each change of a record moves its row to a higher sequence. */
export async function lastVisible(actor: Actor, documents: Documents): Promise<number> {
  const [newest] = await documents.find(records, {
    where: { workspace: actor.workspace, audience: { in: audiencesOf(actor) }, feed: { in: feeds } },
    sort: [['seq', 'desc']],
    limit: 1,
    fields: ['seq'],
  })
  return newest?.seq ?? 0
}
