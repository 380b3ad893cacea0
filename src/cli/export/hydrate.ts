/** Reads whole records by their ids, and turns them into lines of an export. */
import { chunks } from '../../ports/chunks.ts'
import type { GetTaskOutput } from '../../tasks/schema.ts'
import type { Client } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { Failure } from '../terminal/failure.ts'
import {
  type DecisionResponse,
  decisionLines,
  externalIdOf,
  type Line,
  type MemoryResponse,
  memoryLines,
  type RevisionResponse,
  revisionLines,
  taskLine,
} from './lines.ts'
import { outcomesOf } from './outcomes.ts'

/** Ids that one request may have (specification 8). */
const idsAtOnce = 50
const atOnce = 8

export interface Hydration {
  /** Lines by id. A record that the key can't see any more has no lines. A decision with revisions has several. */
  decisions(ids: readonly string[]): Promise<Map<string, Line[]>>
  /** Without memories whose end an import could not make: imported, they would be in force again. */
  memories(ids: readonly string[]): Promise<Map<string, Line[]>>
  tasks(ids: readonly string[]): Promise<Map<string, Line[]>>
  /** Of the memories asked for so far: those that were left out. */
  endedMemories(): number
}

/** `withOutcomes`: whether the lines of decisions hold their outcomes. */
export function hydration(client: Client, withOutcomes = true): Hydration {
  // the external id of every decision read so far: lines name the decisions that they supersede by it
  const externalIds = new Map<string, string>()

  async function shown(ids: readonly string[]): Promise<DecisionResponse[]> {
    const found = await decisionsWithIds(ids, client)
    for (const decision of found) externalIds.set(decision.id, externalIdOf(decision))
    return found
  }

  const exportedById = new Map<string, Promise<boolean>>()
  let endedMemories = 0

  const memoryWithId = (id: string) =>
    unlessGone(client.call<MemoryResponse>({ method: 'GET', path: `/v1/context/memories/${id}` }))

  function isExported(memory: MemoryResponse): Promise<boolean> {
    const known = exportedById.get(memory.id) ?? isInForceOrCorrected(memory)
    exportedById.set(memory.id, known)
    return known
  }

  /** A line can name only one memory that it replaces, in `corrects_memory_id`. An answer may replace others too. */
  async function isInForceOrCorrected({ id, superseded_by }: MemoryResponse): Promise<boolean> {
    if (superseded_by.length === 0) return true
    for (const by of superseded_by) {
      const successor = by.type === 'memory' && by.id !== undefined ? await memoryWithId(by.id) : undefined
      if (successor?.corrects_memory_id === id && (await isExported(successor))) return true
    }
    return false
  }

  return {
    endedMemories: () => endedMemories,

    async decisions(ids) {
      const found = await shown(ids)
      const targets = new Set(found.flatMap(({ supersedes }) => supersedes))
      await shown([...targets].filter((id) => !externalIds.has(id)))
      const lines = new Map<string, Line[]>()
      await forEachConcurrent(found, atOnce, async (decision) => {
        const supersedes = decision.supersedes.flatMap((id) => externalIds.get(id) ?? [])
        const revisions = decision.history === undefined ? [] : await revisionsOf(client, decision.id)
        const outcomes =
          withOutcomes && decision.outcome_status !== undefined
            ? ((await unlessGone(outcomesOf(client, decision.id))) ?? [])
            : []
        const all = revisions.some((one) => one.shown)
          ? revisionLines(decision, revisions, supersedes, outcomes)
          : decisionLines(decision, supersedes, outcomes)
        lines.set(decision.id, all)
      })
      return lines
    },

    async memories(ids) {
      const lines = new Map<string, Line[]>()
      await forEachConcurrent(ids, atOnce, async (id) => {
        const memory = await memoryWithId(id)
        if (!memory) return
        if (await isExported(memory)) lines.set(id, memoryLines(memory))
        else endedMemories += 1
      })
      return lines
    },

    async tasks(ids) {
      const found: GetTaskOutput[] = []
      await forEachConcurrent(ids, atOnce, async (id) => {
        const task = await unlessGone(
          client.call<GetTaskOutput>({ method: 'GET', path: `/api/v2/tasks/${id}?enrichment=none` }),
        )
        if (task) found.push(task)
      })
      const named = new Set(found.flatMap(({ decision_ids }) => decision_ids))
      await shown([...named].filter((id) => !externalIds.has(id)))
      return new Map(found.map((task) => [task.id, [taskLine(task, (id) => externalIds.get(id) ?? id)]]))
    },
  }
}

export async function decisionsWithIds(ids: readonly string[], client: Client): Promise<DecisionResponse[]> {
  const found: DecisionResponse[] = []
  for (const some of chunks(ids, idsAtOnce)) {
    const call = { method: 'POST', path: '/v1/decisions/search', body: { ids: some }, reads: true } as const
    found.push(...(await client.call<{ items: DecisionResponse[] }>(call)).items)
  }
  return found
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
