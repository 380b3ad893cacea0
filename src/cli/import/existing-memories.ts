/**
 * Finds the memories of an export that are already in this store. Without this check, corrections and session outcomes
 * would be recorded twice.
 */
import type { RememberInput } from '../../memories/input.ts'
import { titleFrom } from '../../records/title.ts'
import { canonicalJson } from '../../text/canonical.ts'
import type { Client } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import type { MemoryResponse } from '../export/lines.ts'
import { Failure } from '../terminal/failure.ts'

const atOnce = 8
/** Characters of the content that are used as the query. */
const longestQuery = 300

interface Hit {
  title?: string
  source: { type: string; id?: string; occurred_at?: string }
}

/** Maps ids of the export to ids in this store. With a key that may not read, the map is empty. */
export async function existingMemories(
  items: readonly { id?: string; input: RememberInput }[],
  client: Client,
): Promise<Map<string, string>> {
  const here = new Map<string, string>()
  const byId = new Map(items.flatMap(({ id, input }) => (id === undefined ? [] : [[id, input] as const])))
  try {
    await forEachConcurrent([...byId], atOnce, async ([id, input]) => {
      const found = (await memoryWithId(id, client)) ? id : await sameMemory(input, client)
      if (found !== undefined) here.set(id, found)
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'insufficient_scope') throw error
  }
  return here
}

/**
 * A memory with the same text and the same instant. It is searched as of this instant, because it may have been
 * corrected later.
 */
async function sameMemory(input: RememberInput, client: Client): Promise<string | undefined> {
  const { occurred_at, content } = input
  if (occurred_at === undefined) return undefined
  const title = input.title ?? titleFrom(content)
  const body = { q: beginningOf(input.title ?? content), as_of: occurred_at, limit: 50 }
  const path = '/v1/context/search'
  const { items } = await client.call<{ items: Hit[] }>({ method: 'POST', path, body, reads: true })
  for (const { source, title: shown } of items) {
    if (source.type !== 'memory' || source.occurred_at !== occurred_at || shown !== title || !source.id) continue
    const memory = await memoryWithId(source.id, client)
    if (memory && isSame(memory, input)) return memory.id
  }
  return undefined
}

/** Cuts by code points, so that no character is split. */
function beginningOf(text: string): string {
  return [...text.slice(0, 2 * longestQuery)].slice(0, longestQuery - 1).join('')
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
