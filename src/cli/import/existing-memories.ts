/**
 * Finds the memories of an export that are already in this store. Without this check, corrections and session outcomes
 * would be recorded twice.
 */
import type { RememberInput } from '../../memories/input.ts'
import { titleFrom } from '../../records/title.ts'
import { canonicalJson } from '../../text/canonical.ts'
import type { Client } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { ifAllowed } from '../client/if-allowed.ts'
import { feed } from '../export/feed.ts'
import type { MemoryResponse } from '../export/lines.ts'
import { Failure } from '../terminal/failure.ts'

const atOnce = 8

/** Maps ids of the export to ids in this store. With a key that may not read, the map is empty. */
export type ExistingMemories = (items: readonly { id?: string; input: RememberInput }[]) => Promise<Map<string, string>>

/** Reads the store once, when the first memory with an id comes: a search for each of them would take much longer. */
export function existingMemories(client: Client): ExistingMemories {
  let memoriesHere: Promise<MemoriesHere> | undefined

  return async (items) => {
    const here = new Map<string, string>()
    const byId = new Map(items.flatMap(({ id, input }) => (id === undefined ? [] : [[id, input] as const])))
    if (byId.size === 0) return here
    memoriesHere ??= ifAllowed(memoriesOf(client)).then((found) => found ?? { ids: new Set(), alike: new Map() })
    const { ids, alike } = await memoriesHere
    // many may have the same title and instant: each is read once
    const read = new Map<string, Promise<MemoryResponse | undefined>>()

    /** A memory with the same text and the same instant, in force or corrected since. */
    async function sameMemory(input: RememberInput): Promise<string | undefined> {
      for (const id of alike.get(keyOf(input.occurred_at, input.title ?? titleFrom(input.content))) ?? []) {
        const memory = read.get(id) ?? memoryWithId(id, client)
        read.set(id, memory)
        const found = await memory
        if (found && isSame(found, input)) return id
      }
      return undefined
    }

    await forEachConcurrent([...byId], atOnce, async ([id, input]) => {
      const found = ids.has(id) ? id : await sameMemory(input)
      if (found !== undefined) here.set(id, found)
    })
    return here
  }
}

interface MemoriesHere {
  ids: ReadonlySet<string>
  /** Ids by instant and title. */
  alike: ReadonlyMap<string, readonly string[]>
}

const keyOf = (occurredAt: string | undefined, title: string) => `${occurredAt} ${title}`

async function memoriesOf(client: Client): Promise<MemoriesHere> {
  const ids = new Set<string>()
  const alike = new Map<string, string[]>()
  for await (const { knowledge } of feed(client)) {
    for (const { id, title, source } of knowledge) {
      // a memory that changes meanwhile comes again
      if (ids.has(id)) continue
      ids.add(id)
      const key = keyOf(source.occurred_at, title)
      const others = alike.get(key)
      if (others) others.push(id)
      else alike.set(key, [id])
    }
  }
  return { ids, alike }
}

function isSame(memory: MemoryResponse, { kind, content, visibility }: RememberInput): boolean {
  if (memory.kind !== kind || memory.content !== content) return false
  return visibility === undefined || canonicalJson(memory.visibility) === canonicalJson(visibility)
}

async function memoryWithId(id: string, client: Client): Promise<MemoryResponse | undefined> {
  try {
    return await client.call<MemoryResponse>({ method: 'GET', path: `/v1/context/memories/${id}` })
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
