/** The links that the graph of decisions follows beside the supersessions that rows name. */
import type { RecordId } from '../ids.ts'
import { chunks } from '../ports/chunks.ts'
import type { Documents, Where } from '../ports/documents.ts'
import { type Link, links } from '../records/link.ts'
import type { RecordReader } from '../records/read/reader.ts'
import { idsAtOnce } from '../records/read/seen-record.ts'
import { type Succession, successionId, successions } from '../records/succession.ts'

/** Links of `idsAtOnce` records. */
const mostLinksAtOnce = 10_000

export type LinkSeen = Pick<Link, 'successor' | 'target' | 'state' | 'due' | 'reason'>
type LinksById = ReadonlyMap<RecordId, readonly LinkSeen[]>

/** Two records, one of which took the place of the other. */
interface Between {
  from: RecordId
  to: RecordId
}
type Effect = Pick<Succession, 'valid_from' | 'reason'>

/**
 * Reads links between records. Those that wait for a record that does not exist yet lead to no node. Each id is read
 * once in each direction.
 */
export interface LinkReader {
  /** Those of successors: waiting, or known to the link alone (LinkState: taken). */
  from(successors: readonly RecordId[]): Promise<LinksById>
  /** Those that wait to supersede these. */
  to(targets: readonly RecordId[]): Promise<LinksById>
  /** When and why these supersessions took effect, if a document of its own says it (records/succession.ts). */
  further<Step extends Between>(steps: readonly Step[]): Promise<Map<Step, Effect>>
  /** Some were not read, because there were too many. */
  isCut(): boolean
}

export function linkReader({ workspace }: RecordReader, documents: Documents): LinkReader {
  let isCut = false
  const reading = (field: 'successor' | 'target', states: readonly Link['state'][]) => {
    const known = new Map<RecordId, LinkSeen[]>()
    return async (ids: readonly RecordId[]) => {
      for (const some of chunks(
        ids.filter((id) => !known.has(id)),
        idsAtOnce,
      )) {
        for (const id of some) known.set(id, [])
        const where: Where<Link> = { workspace, [field]: { in: some }, state: { in: states } }
        const fields = ['successor', 'target', 'state', 'due', 'reason'] as const
        const found = await documents.find(links, { where, limit: mostLinksAtOnce, fields })
        isCut ||= found.length === mostLinksAtOnce
        for (const link of found.sort(earliestFirst)) known.get(link[field] as RecordId)?.push(link)
      }
      return known
    }
  }
  return {
    from: reading('successor', ['taken', 'dated', 'on_hold']),
    to: reading('target', ['dated', 'on_hold']),
    further: (steps) => effectsOf(steps, documents),
    isCut: () => isCut,
  }
}

async function effectsOf<Step extends Between>(
  steps: readonly Step[],
  documents: Documents,
): Promise<Map<Step, Effect>> {
  const byId = new Map(steps.map((step) => [successionId(step.from, step.to), step]))
  const found = new Map<Step, Effect>()
  for (const ids of chunks([...byId.keys()], idsAtOnce)) {
    const where = { id: { in: ids } }
    const fields = ['id', 'valid_from', 'reason'] as const
    for (const { id, ...effect } of await documents.find(successions, { where, limit: ids.length, fields })) {
      found.set(byId.get(id) as Step, effect)
    }
  }
  return found
}

/** The store returns them in no order. */
function earliestFirst(a: LinkSeen, b: LinkSeen): number {
  const [one, other] = [a, b].map(({ due, successor, target }) => [due, successor, target].join())
  return (one as string) < (other as string) ? -1 : 1
}
