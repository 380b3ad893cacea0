/** The newest change that a caller sees: the key of a cached brief. Hidden changes don't count. */

import { type Actor, audiencesOf } from '../../access/actor.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { feeds } from '../../records/kinds.ts'
import { records } from '../../records/record.ts'

/** All feeds are named, so that an index finds the newest row of each. */
const everyFeed = [...feeds, 'none']

/** Audiences in one query. Engines cache the plans of small queries only, and each audience and feed adds a branch. */
const audiencesAtOnce = 4

/** The highest sequence of a visible row; 0 if the actor sees none. Each change of a row raises its sequence. */
export async function lastVisible(actor: Actor, documents: Documents): Promise<number> {
  const newest = chunks(audiencesOf(actor), audiencesAtOnce).map(async (some) => {
    const [row] = await documents.find(records, {
      where: { workspace: actor.workspace, audience: { in: some }, feed: { in: everyFeed } },
      sort: [['seq', 'desc']],
      limit: 1,
      fields: ['seq'],
    })
    return row?.seq ?? 0
  })
  return Math.max(...(await Promise.all(newest)))
}
