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
  type Supersession,
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
      const targets = new Set(
        found.flatMap(({ supersedes, pending_supersedes = [] }) => [
          ...supersedes,
          ...pending_supersedes.map(({ id }) => id),
        ]),
      )
      await shown([...targets].filter((id) => !externalIds.has(id)))
      const lines = new Map<string, Line[]>()
      await forEachConcurrent(found, atOnce, async (decision) => {
        const { revisions, supersessions: since } = await wholeOf(client, decision)
        const supersessions = supersessionsOf(decision, since).flatMap(({ id, ...one }): Supersession[] => {
          const target = externalIds.get(id)
          return target === undefined ? [] : [{ target, ...one }]
        })
        const outcomes =
          withOutcomes && decision.outcome_status !== undefined
            ? ((await unlessGone(outcomesOf(client, decision.id))) ?? [])
            : []
        const all =
          revisions.length > 1 && revisions.some((one) => one.shown)
            ? revisionLines(decision, revisions, supersessions, outcomes)
            : decisionLines(decision, supersessions, outcomes)
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

interface Whole {
  revisions: RevisionResponse[]
  supersessions: { id: string; at: string; reason?: string }[]
}

/** What only decision.get returns: the revisions, and when and why each supersession took effect. */
async function wholeOf(client: Client, decision: DecisionResponse): Promise<Whole> {
  const { id, history, supersession_reason: own, prior_positions: prior = [] } = decision
  const nothing = { revisions: [], supersessions: [] }
  // most decisions have one revision, and no reasons but their own
  const hasReasons = own === undefined && prior.some((one) => one.supersession_reason !== undefined)
  if (history === undefined && !hasReasons) return nothing
  return (await unlessGone(client.call<Whole>({ method: 'GET', path: `/v1/decisions/${id}` }))) ?? nothing
}

function supersessionsOf(decision: DecisionResponse, since: Whole['supersessions']) {
  const { supersedes, pending_supersedes = [] } = decision
  const done = supersedes.map((id) => ({ ...since.find((one) => one.id === id), id, state: 'in_effect' as const }))
  const pending = pending_supersedes.map((one) => ({
    ...one,
    state: one.at === undefined ? ('on_hold' as const) : ('planned' as const),
  }))
  return [...done, ...pending]
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
