/** Which tasks the lines of an import are, and which tasks they name. */
import { uuidPattern } from '../../ids.ts'
import type { TaskImportItem } from '../../tasks/import-item.ts'
import { madeFromId } from '../export/lines.ts'
import { Failure } from '../terminal/failure.ts'
import { type ByExternalId, bestOf, grouped, isSeenAlike, type TasksHere } from './named.ts'
import type { Place } from './refusal.ts'

export interface SendableTask extends Place {
  task: TaskImportItem
  /** Its id in the store that it was exported from. Other lines refer to it by this id. */
  id?: string
}

export interface Kept extends SendableTask {
  /** From 0, in the order of the source. Part of its idempotency keys. */
  number: number
}

/** What is known while tasks are sent. */
export interface Known {
  /** The line of the parent of each task whose parent is in the import. */
  parents: ReadonlyMap<Kept, Kept>
  /** The ids in this store of the tasks that were sent. */
  ids: ReadonlyMap<Kept, string>
  here: TasksHere
  decisions: ByExternalId
}

export interface Sendable {
  /** The id of the task in this store, if it is there already. */
  here: string | undefined
  /** Names tasks and decisions by their ids in this store. */
  body: TaskImportItem
}

/** Throws Failure if the task names what is not there. */
export function sendableOf(item: Kept, known: Known): Sendable {
  const { parent_id, decision_ids } = item.task
  const body = { ...item.task }
  if (parent_id) body.parent_id = parentOf(item, parent_id, known)
  if (decision_ids) body.decision_ids = decision_ids.map((one, at) => decisionOf(item, one, at, known))
  return { here: hereOf(item, known.here), body }
}

function parentOf(item: Kept, named: string, { parents, ids, here }: Known): string {
  const line = parents.get(item)
  const sent = line && ids.get(line)
  if (sent !== undefined) return sent
  if (line) throw refused(`parent_id: its parent in line ${line.line} was not imported.`)
  const found = bestOf(here.byExternalId.get(named) ?? [], item.task)
  if (found) return found.id
  if (uuidPattern.test(named)) return named
  throw refused(`parent_id: no task that this key may see has the id or external_id ${JSON.stringify(named)}.`)
}

function decisionOf(item: Kept, named: string, at: number, { decisions }: Known): string {
  if (uuidPattern.test(named)) return named
  const found = bestOf(decisions.get(named) ?? [], item.task)
  if (found) return found.id
  const why = `no decision that this key may see has the id or external_id ${JSON.stringify(named)}.`
  throw refused(`decision_ids[${at}]: ${why}`)
}

function refused(message: string): Failure {
  return new Failure('failed', 'not_found', message)
}

/** Of several lines of one task only the first is kept: lines are sent at the same time, so none of them is the last. */
export function withoutRepeats(items: readonly Kept[], refuse: (item: Kept) => void): Kept[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const { external_id, visibility } = item.task
    const names = [JSON.stringify([external_id, visibility ?? null]), ...(item.id === undefined ? [] : [item.id])]
    const isRepeated = names.some((one) => seen.has(one))
    if (isRepeated) refuse(item)
    else for (const one of names) seen.add(one)
    return !isRepeated
  })
}

/** The line of the parent of each task whose parent is in the import. */
export function parentsIn(items: readonly Kept[]): Map<Kept, Kept> {
  const lines = (nameOf: (item: Kept) => string | undefined) =>
    grouped(
      items.flatMap((item) => {
        const name = nameOf(item)
        return name === undefined ? [] : [[name, { visibility: item.task.visibility, item }] as const]
      }),
    )
  const byId = lines(({ id }) => id)
  const byExternalId = lines(({ task }) => task.external_id)
  const parents = new Map<Kept, Kept>()
  for (const item of items) {
    const named = item.task.parent_id
    if (typeof named !== 'string') continue
    const parent = bestOf(byId.get(named.toLowerCase()) ?? byExternalId.get(named) ?? [], item.task)
    if (parent) parents.set(item, parent.item)
  }
  return parents
}

/** What may be in this store already. Nothing: it need not be read. */
export function wantedOf(items: readonly Kept[], parents: ReadonlyMap<Kept, Kept>) {
  const ids = new Set<string>()
  const externalIds = new Set<string>()
  for (const item of items) {
    const { task, id } = item
    for (const one of [id, idWithin(task.external_id)]) if (one !== undefined) ids.add(one)
    const clears = Object.values(task).includes(null)
    if (id !== undefined || clears) externalIds.add(task.external_id)
    if (typeof task.parent_id === 'string' && !parents.has(item)) externalIds.add(task.parent_id)
  }
  return { ids, externalIds }
}

/** The id of the task in this store. A task that was exported from this store without an external id is known by its id. */
function hereOf({ id, task }: Kept, here: TasksHere): string | undefined {
  const known = [id, idWithin(task.external_id)].find((one) => one !== undefined && here.ids.has(one))
  if (known !== undefined) return known
  const named = here.byExternalId.get(task.external_id) ?? []
  if (task.visibility === undefined) return named.length === 1 ? named[0]?.id : undefined
  return named.find((one) => isSeenAlike(one, task))?.id
}

function idWithin(externalId: string): string | undefined {
  const id = externalId.startsWith(madeFromId) ? externalId.slice(madeFromId.length) : ''
  return uuidPattern.test(id) ? id : undefined
}
