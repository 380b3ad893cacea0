/** Tasks of the test's own world, without HTTP. */
import { expect } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import type { Operation } from '../../src/operation.ts'
import type { ReceiptSeen } from '../../src/receipt.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { createTask } from '../../src/tasks/create.ts'
import { getTask } from '../../src/tasks/get.ts'
import { listTasks } from '../../src/tasks/list.ts'
import type { GetTaskOutput } from '../../src/tasks/schema.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { actorAda, apply, type World } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'

/** In the first team. */
export const ada: Actor = { ...actorAda, scopes: ['context:read', 'context:write', 'tasks:read', 'tasks:write'] }
export const eve: Actor = { ...ada, user: 'eve', credential: 'key-of-eve', teams: [] }
export const team = ada.teams[0] as string

export async function done<Input>(
  on: World,
  operation: Operation<Input>,
  input: object,
  actor = ada,
): Promise<ReceiptSeen> {
  const receipt = await apply(on, operation, input, actor)
  expect(receipt.state, JSON.stringify(receipt.error)).toBe('applied')
  return receipt
}

/** Returns the id. */
export async function make(on: World, input: object = {}, actor = ada): Promise<string> {
  return (await done(on, createTask, { name: 'A task', ...input }, actor)).entity?.id as string
}

export const change = (on: World, id: string, input: object, actor = ada) =>
  done(on, updateTask, { id, ...input }, actor)
export const comment = (on: World, id: string, body: string, actor = ada) =>
  done(on, commentOnTask, { id, body }, actor)

export async function get(on: World, id: string, actor = ada, more: object = {}): Promise<GetTaskOutput> {
  return ask(await readsOf(on), getTask, { id, ...more }, actor)
}

/** The ids of all pages, in order. */
export async function listed(on: World, input: object = {}, actor = ada): Promise<string[]> {
  const pages: string[][] = []
  let cursor: string | undefined
  for (;;) {
    const page = await ask(await readsOf(on), listTasks, { ...input, ...(cursor ? { cursor } : {}) }, actor)
    pages.push(page.items.map(({ id }) => id))
    cursor = page.next_cursor
    expect(pages.length).toBeLessThan(500)
    if (!page.has_more) return pages.flat()
  }
}

export { pagesOf }
