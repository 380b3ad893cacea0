/**
 * Finds what tasks name by external ids: other tasks and decisions of this store. An external id is unique among the
 * records of one visibility only.
 */
import type { ListTasksOutput } from '../../tasks/schema.ts'
import { canonicalJson } from '../../text/canonical.ts'
import type { Client } from '../client/client.ts'
import { ifAllowed } from '../client/if-allowed.ts'
import { feed } from '../export/feed.ts'
import { decisionsWithIds } from '../export/hydrate.ts'
import { externalIdOf } from '../export/lines.ts'

interface HasVisibility {
  visibility?: unknown
}

export interface Named extends HasVisibility {
  id: string
}

/** The records with each external id. */
export type ByExternalId = ReadonlyMap<string, readonly Named[]>

/** The one that the same people see, else one that everyone sees. */
export function bestOf<One extends HasVisibility>(found: readonly One[], wanted: HasVisibility): One | undefined {
  return (
    found.find((one) => isSeenAlike(one, wanted)) ??
    found.find((one) => isSeenAlike(one, { visibility: { scope: 'workspace' } })) ??
    found[0]
  )
}

export function isSeenAlike(one: HasVisibility, other: HasVisibility): boolean {
  return canonicalJson(one.visibility ?? null) === canonicalJson(other.visibility ?? null)
}

export function grouped<One>(all: Iterable<readonly [string, One]>): Map<string, One[]> {
  const groups = new Map<string, One[]>()
  for (const [key, one] of all) {
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** The decisions that the key may see and that have one of these external ids. */
export async function decisionsNamed(wanted: ReadonlySet<string>, client: Client): Promise<ByExternalId> {
  // by id: the feed may name a decision more than once
  const found = new Map<string, [string, Named]>()
  const read = async () => {
    for await (const { decisions } of feed(client)) {
      for (const decision of await decisionsWithIds([...new Set(decisions.map(({ id }) => id))], client)) {
        const externalId = externalIdOf(decision)
        if (wanted.has(externalId)) found.set(decision.id, [externalId, namedBy(decision)])
      }
    }
  }
  if (wanted.size > 0) await ifAllowed(read())
  return grouped(found.values())
}

export interface TasksHere {
  ids: ReadonlySet<string>
  byExternalId: ByExternalId
}

/** Of the tasks that the key may see: those with one of these ids or external ids. */
export async function tasksHere(
  wanted: { ids: ReadonlySet<string>; externalIds: ReadonlySet<string> },
  client: Client,
): Promise<TasksHere> {
  const ids = new Set<string>()
  const named: [string, Named][] = []
  const read = async () => {
    for await (const task of listedTasks({ sort: 'created' }, client)) {
      if (wanted.ids.has(task.id)) ids.add(task.id)
      const { external_id } = task
      if (external_id !== undefined && wanted.externalIds.has(external_id)) named.push([external_id, namedBy(task)])
    }
  }
  if (wanted.ids.size + wanted.externalIds.size > 0) await ifAllowed(read())
  return { ids, byExternalId: grouped(named) }
}

const namedBy = ({ id, visibility }: Named): Named => ({ id, visibility })

/**
 * How many of these tasks a write has made or changed. `accepted`: by id, when the last write of each was accepted.
 * Undefined if the key may not read tasks.
 */
export async function countChanged(accepted: ReadonlyMap<string, string>, client: Client): Promise<number | undefined> {
  if (accepted.size === 0) return 0
  const since = [...accepted.values()].reduce((first, one) => (one < first ? one : first))
  const changed = new Set<string>()
  const read = async () => {
    for await (const { id, updated_at } of listedTasks({ updated_since: since }, client)) {
      const at = accepted.get(id)
      if (at !== undefined && updated_at >= at) changed.add(id)
    }
    return changed.size
  }
  return ifAllowed(read())
}

async function* listedTasks(asked: Record<string, string>, client: Client) {
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ ...asked, limit: '200', ...(cursor === undefined ? {} : { cursor }) })
    const page = await client.call<ListTasksOutput>({ method: 'GET', path: `/api/v2/tasks?${query}` })
    yield* page.items
    if (!page.has_more) return
    cursor = page.next_cursor
  }
}
