import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { createTask } from '../../src/tasks/create.ts'
import { listTasks } from '../../src/tasks/list.ts'
import { promise, quiet, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { ada, change, comment, eve, listed, make } from './tasks.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const page = async (input: object, actor = ada) => ask(await readsOf(on), listTasks, input, actor)

describe('a list of tasks', () => {
  it('shows all fields but the description', async () => {
    const id = await make(on, { name: 'Paint', description: 'Green.', labels: ['a'] })
    const { items, has_more } = await page({})
    expect(items).toMatchObject([{ id, name: 'Paint', labels: ['a'], revision: 1, created_by: 'ada' }])
    expect(items[0]).not.toHaveProperty('description')
    expect(has_more).toBe(false)
  })

  it('me is the user of the caller', async () => {
    const mine = await make(on, { assignees: ['me'] })
    const others = await make(on, { assignees: ['me'] }, eve)
    expect(await listed(on, { assignee: ['me'] })).toEqual([mine])
    expect(await listed(on, { assignee: ['me'] }, eve)).toEqual([others])
    expect(await listed(on, { assignee: ['eve', 'me'] })).toEqual([mine, others])
  })

  it('has several values of a filter for any of them, and several filters for all', async () => {
    const a = await make(on, { labels: ['x', 'y'], status: 'todo' })
    const b = await make(on, { labels: ['y'], status: 'done' })
    await make(on, { labels: ['z'], status: 'todo' })
    expect(await listed(on, { label: ['x', 'y'] })).toEqual([a, b])
    expect(await listed(on, { label: ['x', 'y'], status: ['todo'] })).toEqual([a])
  })

  it('can be polled by its last page: nothing is missed, and nothing comes without a change', async () => {
    const [first, second] = [await make(on), await make(on)]
    const start = await page({})
    expect(start.has_more).toBe(false)
    const poll = (cursor: string | undefined) => page({ cursor })
    const none = await poll(start.next_cursor)
    expect(none).toMatchObject({ items: [], has_more: false })
    await comment(on, first, 'Hello.')
    const third = await make(on)
    const changed = await poll(none.next_cursor)
    expect(changed.items.map(({ id }) => id)).toEqual([first, third])
    await change(on, second, { status: 'done' })
    expect((await poll(changed.next_cursor)).items.map(({ id }) => id)).toEqual([second])
  })

  it('can be polled from the first page on, even if it is empty', async () => {
    const { items, next_cursor } = await page({ status: ['done'] })
    expect(items).toEqual([])
    const id = await make(on, { status: 'done' })
    expect((await page({ status: ['done'], cursor: next_cursor })).items).toMatchObject([{ id }])
  })

  it('ends where the projection ends, so that a poller never passes a change that is not there yet', async () => {
    const ids = [await make(on), await make(on), await make(on)]
    const { projected_seq } = await checkpointOf(on.documents, workspace)
    const projected = (seq: number) => on.documents.update(checkpoints, workspace, { set: { projected_seq: seq } })
    await projected(projected_seq - 2)
    const first = await page({})
    expect(first).toMatchObject({ items: [{ id: ids[0] }], has_more: false })
    await projected(projected_seq)
    expect((await page({ cursor: first.next_cursor })).items).toMatchObject([{ id: ids[1] }, { id: ids[2] }])
  })

  it('has no cursor at the end of another order', async () => {
    await make(on)
    expect(await page({ sort: 'due' })).not.toHaveProperty('next_cursor')
  })

  it('since an instant begins with the tasks that changed then', async () => {
    const ids: string[] = []
    let ahead = 0
    const { now } = on.clock
    on.clock.now = () => now() + ahead
    for (let n = 0; n < 4; n++) {
      ids.push(await make(on))
      ahead += 30 * 60_000
    }
    const instants = (await page({})).items.map(({ updated_at }) => updated_at)
    expect(await listed(on, { updated_since: instants[2] as string })).toEqual(ids.slice(2))
    expect(await listed(on, { updated_since: '1970-01-01T00:00:00Z' })).toEqual(ids)
    expect(await listed(on, { updated_since: '0000-01-01T00:00:00Z', sort: 'created' })).toEqual(ids)
    expect(await listed(on, { updated_since: '2999-01-01T00:00:00Z' })).toEqual([])
  })

  it('since an instant shows each task once over several pages, in every order', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await make(on, { labels: ['x', 'y'], priority: 'high' }))
    for (const sort of ['updated', 'created', 'due', 'priority']) {
      const asked = { updated_since: '1970-01-01T00:00:00Z', label: ['x', 'y'], sort }
      for (const limit of [1, 2]) expect(await listed(on, { ...asked, limit })).toEqual(ids)
    }
  })

  it('refuses a cursor of other filters, of another order and of another caller', async () => {
    await make(on)
    await make(on)
    const { next_cursor: cursor } = await page({ limit: 1, status: ['todo'] })
    for (const input of [{ cursor }, { cursor, status: ['done'] }, { cursor, status: ['todo'], sort: 'due' }]) {
      await expect(page(input)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: [{ path: 'cursor' }] },
      })
    }
    await expect(page({ cursor, status: ['todo'] }, eve)).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await page({ cursor, status: ['todo', 'todo'] })).items).toHaveLength(1)
  })

  it('of thousands of keys that do not pass has short pages with a cursor', async () => {
    for (let n = 0; n < 1_050; n++) {
      const last = n === 1_049 ? { status: 'done' } : {}
      await promise(on, createTask, { name: `Task ${n}`, labels: ['all'], ...last }, ada)
    }
    await quiet(on)
    const filters = { label: ['all'], status: ['done'], sort: 'created' }
    const first = await page(filters)
    expect(first).toMatchObject({ items: [], has_more: true })
    const second = await page({ ...filters, cursor: first.next_cursor })
    expect(second).toMatchObject({ items: [{ name: 'Task 1049' }], has_more: false })
  })
})

describe('a query', () => {
  it('finds words of the name and of the description, the best match first', async () => {
    const name = await make(on, { name: 'Harbour lights' })
    const text = await make(on, {
      name: 'Lamps',
      description: 'They stand at the harbour, among many other things that are there.',
    })
    await make(on, { name: 'Trains' })
    expect(await listed(on, { q: 'harbour' })).toEqual([name, text])
  })

  it('applies every filter inside the engine', async () => {
    // more tasks match the words than the engine proposes
    for (let n = 0; n < 210; n++) await promise(on, createTask, { name: 'Harbour lights' }, ada)
    const parent_id = await make(on)
    const more = {
      status: 'blocked',
      priority: 'low',
      project: 'p',
      labels: ['a'],
      assignees: ['me'],
      inbox_status: 'read',
    }
    const id = await make(on, { name: 'The lights of the harbour, long after the others', ...more, parent_id })
    await quiet(on)
    const filters = {
      ...{ status: ['blocked'], priority: ['low'], project: ['p'], label: ['a'], assignee: ['me'] },
      ...{ inbox_status: ['read'], parent_id: [parent_id] },
    }
    for (const [filter, values] of Object.entries(filters)) {
      expect(await listed(on, { q: 'harbour', [filter]: values })).toEqual([id])
    }
    expect(await listed(on, { q: 'harbour', ...filters })).toEqual([id])
    expect(await listed(on, { q: 'harbour', ...filters, status: ['done'] })).toEqual([])
    await change(on, id, { status: 'done' })
    expect(await listed(on, { q: 'harbour', status: ['blocked'] })).toEqual([])
    expect(await listed(on, { q: 'harbour', status: ['done'] })).toEqual([id])
  })

  it('has no order of another kind', async () => {
    await expect(page({ q: 'harbour', sort: 'due' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'sort' }] },
    })
  })
})
