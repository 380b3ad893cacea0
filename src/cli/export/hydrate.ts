/** Whole records by their ids, as the key may see them. */
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { inFlight } from '../in-flight.ts'
import {
  type DecisionResponse,
  decisionLine,
  externalIdOf,
  type Line,
  type MemoryResponse,
  memoryLines,
  type RevisionResponse,
  revisionLines,
} from './lines.ts'

/** What one hydration takes (specification 8). */
const idsAtOnce = 50
const atOnce = 8

export interface Hydration {
  /** Lines by id; of one that can't be seen any more none. Of a decision with revisions several. */
  decisions(ids: readonly string[]): Promise<Map<string, Line[]>>
  memories(ids: readonly string[]): Promise<Map<string, Line[]>>
}

export function hydration(client: Client): Hydration {
  // of every decision that was met: what the lines of others name it by
  const externalIds = new Map<string, string>()

  async function shown(ids: readonly string[]): Promise<DecisionResponse[]> {
    const found: DecisionResponse[] = []
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const body = { ids: ids.slice(at, at + idsAtOnce) }
      const path = '/v1/decisions/search'
      const { items } = await client.call<{ items: DecisionResponse[] }>({ method: 'POST', path, body, reads: true })
      found.push(...items)
    }
    for (const decision of found) externalIds.set(decision.id, externalIdOf(decision))
    return found
  }

  return {
    async decisions(ids) {
      const found = await shown(ids)
      const targets = new Set(found.flatMap(({ supersedes }) => supersedes))
      await shown([...targets].filter((id) => !externalIds.has(id)))
      const lines = new Map<string, Line[]>()
      await inFlight(found, atOnce, async (decision) => {
        const supersedes = decision.supersedes.flatMap((id) => externalIds.get(id) ?? [])
        const revisions = decision.history === undefined ? [] : await revisionsOf(client, decision.id)
        const all = revisions.some((one) => one.shown)
          ? revisionLines(decision, revisions, supersedes)
          : [decisionLine(decision, supersedes)]
        lines.set(decision.id, all)
      })
      return lines
    },

    async memories(ids) {
      const lines = new Map<string, Line[]>()
      await inFlight(ids, atOnce, async (id) => {
        const memory = await unlessGone(
          client.call<MemoryResponse>({ method: 'GET', path: `/v1/context/memories/${id}` }),
        )
        if (memory) lines.set(id, memoryLines(memory))
      })
      return lines
    },
  }
}

async function revisionsOf(client: Client, id: string): Promise<RevisionResponse[]> {
  const whole = await unlessGone(
    client.call<{ revisions: RevisionResponse[] }>({ method: 'GET', path: `/v1/decisions/${id}` }),
  )
  return whole?.revisions ?? []
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
