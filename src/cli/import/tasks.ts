/**
 * Sends tasks one by one, several at a time, once the decisions of the import have ended. A task waits until its parent is
 * recorded. A task that is already in this store gets the fields of its line; its other fields stay.
 */
import { uuidPattern } from '../../ids.ts'
import type { Call } from '../client/client.ts'
import { Failure } from '../terminal/failure.ts'
import type { Sending } from './decisions.ts'
import { follower } from './follow.ts'
import { type ByExternalId, countChanged, decisionsNamed, tasksHere } from './named.ts'
import type { Place, Refusal } from './refusal.ts'
import { singleWrites } from './single-writes.ts'
import {
  type Kept,
  type Known,
  parentsIn,
  type Sendable,
  type SendableTask,
  sendableOf,
  wantedOf,
  withoutRepeats,
} from './task-lines.ts'

export interface TasksSent {
  /** Accepted, and not rejected at once. Some of them may be refused later, when they are applied. */
  accepted: number
  /** Made or changed by this import, or already as in the file. */
  applied: number
  /** Of `applied`: already as in the file. Undefined if the key may not read tasks. */
  unchanged: number | undefined
  refused: Refusal[]
}

export interface TaskSender {
  keep(items: readonly SendableTask[]): void
  /** `batchIds`: of the decisions of this import, which tasks may name. */
  finish(batchIds: readonly string[]): Promise<TasksSent>
  sent(): number
  ended(): number
}

/** Tasks of an import, and characters of their JSON. They are in memory until all decisions have ended. */
const mostTasks = 200_000
const mostCharacters = 256_000_000
const path = '/api/v2/tasks'

interface Ready extends Sendable, Place {
  kept: Kept
}

export function taskSender({ client, signal, runKey, wait, onProgress }: Sending): TaskSender {
  const kept: Kept[] = []
  let number = 0
  let characters = 0
  /** The ids in this store of tasks that were sent, and when they were accepted. */
  const ids = new Map<Kept, string>()
  const acceptedAt = new Map<string, string>()
  let awaited: ReadonlySet<Kept> = new Set()
  const writes = singleWrites<Ready>({
    client,
    callOf: (ready) => callOf(ready, runKey),
    isAwaited: (ready) => wait || awaited.has(ready.kept),
    onApplied(ready, { entity, accepted_at }) {
      if (!entity) return
      ids.set(ready.kept, entity.id)
      acceptedAt.set(entity.id, accepted_at)
    },
    onProgress,
  })

  async function decisionsOf(items: readonly Kept[], batchIds: readonly string[]): Promise<ByExternalId> {
    const wanted = new Set(
      items.flatMap(({ task }) => (task.decision_ids ?? []).filter((one) => !uuidPattern.test(one))),
    )
    if (wanted.size > 0 && !wait) {
      const follow = follower(client, signal, () => false, onProgress)
      for (const batchId of batchIds) await follow.add(batchId, false)
    }
    return decisionsNamed(wanted, client)
  }

  return {
    keep(items) {
      for (const item of items) {
        characters += JSON.stringify(item.task).length
        const fits = kept.length < mostTasks && characters < mostCharacters
        if (fits) kept.push({ ...item, number: number++ })
        else writes.refuse(item, 'payload_too_large', tooMany)
      }
    },

    async finish(batchIds) {
      const items = withoutRepeats(kept, (item) => writes.refuse(item, 'invalid_request', repeated))
      const parents = parentsIn(items)
      awaited = new Set(parents.values())
      const here = await tasksHere(wantedOf(items, parents), client)
      const known = { here, parents, ids, decisions: await decisionsOf(items, batchIds) }
      const open = new Set(items)
      while (open.size > 0) {
        const next = [...open].filter((item) => !open.has(parents.get(item) as Kept))
        if (next.length === 0) break
        for (const item of next) open.delete(item)
        await writes.send(next.flatMap((item) => readyOf(item, known, writes.refuse)))
      }
      for (const item of open) writes.refuse(item, 'would_cycle', cycle)
      const changed = wait ? await countChanged(acceptedAt, client) : 0
      const { applied } = writes.sent
      return { ...writes.sent, unchanged: changed === undefined ? undefined : applied - changed }
    },

    sent: () => writes.sent.accepted + writes.sent.refused.length - writes.refusedLater(),
    ended: () => writes.sent.applied + writes.sent.refused.length,
  }
}

/** Nothing if the task names what is not there: then it is refused. */
function readyOf(kept: Kept, known: Known, refuse: (item: Place, code: string, message: string) => void): Ready[] {
  try {
    return [{ ...sendableOf(kept, known), kept, file: kept.file, line: kept.line }]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    refuse(kept, error.code, error.message)
    return []
  }
}

const tooMany = `One import takes at most ${mostTasks.toLocaleString('en')} tasks with ${mostCharacters / 1_000_000} million characters: put this one into another file.`
const repeated = 'An earlier line is the same task: give each task once.'
const cycle = 'A task cannot be a part of itself, directly or through its parents.'

/**
 * New: POST without nulls, which only clear fields, and with mode none, so that no run starts. There already: PATCH, whose
 * key differs, so an import can resume. It leaves out how the task is run, because the file does not tell the mode.
 */
function callOf({ kept: { number }, here, body }: Ready, runKey: string): Call {
  const { execution, ...rest } = body
  if (here === undefined) {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
    const run = execution ? { execution: { ...execution, mode: 'none' } } : {}
    return { method: 'POST', path, body: { ...given, ...run }, idempotencyKey: `${runKey}.task.${number}` }
  }
  const { external_id: _, visibility: __, ...changes } = rest
  return { method: 'PATCH', path: `${path}/${here}`, body: changes, idempotencyKey: `${runKey}.task.${number}.change` }
}
