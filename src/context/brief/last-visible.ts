/** The newest change that a caller sees: what a kept brief depends on, and nothing that others keep for themselves. */
import { type Actor, audiencesOf } from '../../access/actor.ts'
import type { Documents } from '../../ports/documents.ts'
import { chunks } from '../../records/read.ts'
import { type Feed, records } from '../../records/record.ts'

/** All: an index finds the newest row of each. */
const feeds: readonly Feed[] = ['knowledge', 'decisions', 'work', 'none']

/** Each audience and feed is a part of a query of its own; an engine keeps how it answers small queries alone. */
const audiencesAtOnce = 4

/** Its sequence; 0 where the actor sees no record. Each change of a record moves its row to a higher sequence. */
export async function lastVisible(actor: Actor, documents: Documents): Promise<number> {
  const newest = chunks(audiencesOf(actor), audiencesAtOnce).map(async (some) => {
    const [row] = await documents.find(records, {
      where: { workspace: actor.workspace, audience: { in: some }, feed: { in: feeds } },
      sort: [['seq', 'desc']],
      limit: 1,
      fields: ['seq'],
    })
    return row?.seq ?? 0
  })
  return Math.max(...(await Promise.all(newest)))
}
