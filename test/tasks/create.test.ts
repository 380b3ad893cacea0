import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { headOf } from '../../src/journal/head.ts'
import { createTask } from '../../src/tasks/create.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { apply, promise, quiet, row, rows, type World, workspace, world } from '../support/apply.ts'
import { ada, change, done, eve, get, make, team } from './tasks.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const decide = async (visibility: object, by = ada) =>
  (await done(on, recordDecision, { title: 'Trains', judgment: 'We take trains.', visibility }, by)).entity
    ?.id as string

const everyone = { visibility: { scope: 'workspace' } }
const mine = { visibility: { scope: 'private' } }

describe('a new task', () => {
  it('has the defaults of the fields that are left out', async () => {
    const id = await make(on, { name: 'Paint the fence' })
    const at = expect.any(String)
    expect(await get(on, id, ada, { enrichment: 'none' })).toEqual({
      id,
      url: `http://precedent.test/api/v2/tasks/${id}`,
      name: 'Paint the fence',
      description: '',
      status: 'todo',
      priority: 'none',
      assignees: [],
      labels: [],
      decision_ids: [],
      inbox_status: 'unread',
      execution: { mode: 'none' },
      visibility: { scope: 'workspace' },
      revision: 1,
      created_at: at,
      created_by: 'ada',
      updated_at: at,
      subtasks: { items: [], count: 0 },
      comments: { items: [] },
      run: null,
      activity: { items: [] },
    })
  })

  it('has all fields that are given, each value of a list once', async () => {
    const decision = await decide({ scope: 'workspace' })
    const parent = await make(on)
    const fields = {
      name: 'Paint the fence',
      description: 'In **green**.',
      status: 'in_progress',
      priority: 'high',
      project: 'garden',
      start_at: '2026-01-01T00:00:00.000Z',
      due_at: '2026-02-01T00:00:00.000Z',
      parent_id: parent,
      repo_full_name: 'acme/fence',
      inbox_status: 'read',
      external_id: 'T-1',
      visibility: { scope: 'team', team_id: team },
    }
    const lists = {
      labels: ['wood', 'wood', 'paint'],
      assignees: ['me', 'bob', 'ada'],
      decision_ids: [decision, decision],
    }
    const id = await make(on, { ...fields, ...lists })
    expect(await get(on, id)).toMatchObject({
      ...fields,
      labels: ['wood', 'paint'],
      assignees: ['ada', 'bob'],
      decision_ids: [decision],
    })
  })

  it('is written by a receipt and an entry that older workers leave alone', async () => {
    const receipt = await done(on, createTask, { name: 'A' })
    const head = await headOf(on.documents, workspace)
    expect([receipt.format, head.number]).toEqual([2, 1])
    expect(receipt).toMatchObject({ operation: 'task.create', entity: { type: 'task', label: 'A' } })
    expect(await row(on, receipt)).toMatchObject({ kind: 'task', feed: 'work', title: 'A', audience: 'workspace' })
  })

  it.each([
    ['execution.mode', { execution: { mode: 'now' } }],
    ['execution.instructions', { execution: { mode: 'none', instructions: 'x'.repeat(20_001) } }],
    ['name', { name: '' }],
    ['name', { name: null }],
    ['description', { description: 'x'.repeat(50_001) }],
    ['status', { status: 'open' }],
    ['priority', { priority: 'asap' }],
    ['assignees', { assignees: new Array(21).fill('bob') }],
    ['labels', { labels: new Array(31).fill('x') }],
    ['labels[0]', { labels: ['x'.repeat(101)] }],
    ['decision_ids', { decision_ids: new Array(51).fill(missing) }],
    ['due_at', { start_at: '2026-02-01T00:00:00Z', due_at: '2026-01-01T00:00:00Z' }],
    ['external_id', { external_id: 'x'.repeat(301) }],
    ['revision', { revision: 2 }],
  ])('is refused for its %s', async (path, input) => {
    await expect(promise(on, createTask, { name: 'A', ...input }, ada)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [expect.objectContaining({ path })] },
    })
  })

  it('is refused for a field that belongs to no task', async () => {
    await expect(promise(on, createTask, { name: 'A', run_state: 'none' }, ada)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('is not stored if a text holds a credential', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    const receipt = await apply(on, createTask, { name: 'A', labels: [`x ${secret}`] }, ada)
    expect(receipt).toMatchObject({
      state: 'rejected',
      error: { code: 'secret_detected', details: { place: 'labels[0]' } },
    })
    expect(await rows(on)).toEqual([])
  })
})

describe('what a task names', () => {
  it.each([
    ['parent_id', async () => ({ parent_id: await make(on, mine, eve) })],
    ['decision_ids[0]', async () => ({ decision_ids: [await decide({ scope: 'private' }, eve)] })],
  ])('is not found if it is hidden or missing: %s', async (path, hidden) => {
    const detail = { code: 'not_found', message: expect.stringContaining(path) }
    await expect(promise(on, createTask, { name: 'A', ...(await hidden()) }, ada)).rejects.toMatchObject(detail)
    const none = path === 'parent_id' ? { parent_id: missing } : { decision_ids: [missing] }
    await expect(promise(on, createTask, { name: 'A', ...none }, ada)).rejects.toMatchObject(detail)
  })

  it.each([
    ['parent_id', async () => ({ parent_id: await make(on, mine) })],
    ['decision_ids[0]', async () => ({ decision_ids: [await decide({ scope: 'private' })] })],
  ])('is refused if fewer people see it than the task: %s', async (path, narrow) => {
    await expect(promise(on, createTask, { name: 'A', ...everyone, ...(await narrow()) }, ada)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path }] },
    })
    // everyone who sees the private task is its user
    await make(on, { ...mine, ...(await narrow()) })
  })
})

describe('a chain of parents', () => {
  /** From the topmost to the deepest. */
  async function chain(length: number, more: object = everyone, top?: string): Promise<string[]> {
    const ids = top === undefined ? [] : [top]
    for (let at = 0; at < length; at++)
      ids.push(await make(on, { ...more, ...(ids.length > 0 ? { parent_id: ids.at(-1) } : {}) }))
    return top === undefined ? ids : ids.slice(1)
  }

  it('has at most ten tasks', async () => {
    const ids = await chain(10)
    const receipt = await apply(on, createTask, { name: 'A', parent_id: ids[9] }, ada)
    expect(receipt).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_request', details: { issues: [{ path: 'parent_id' }] } },
    })
  })

  it('counts the parts of a task that gets another parent', async () => {
    const [above, below] = [await chain(6), await chain(5)]
    const move = (parent: number) => apply(on, updateTask, { id: below[0], parent_id: above[parent] }, ada)
    expect(await move(5)).toMatchObject({ state: 'failed', error: { code: 'invalid_request' } })
    expect((await get(on, below[0] as string)).revision).toBe(1)
    expect(await move(4)).toMatchObject({ state: 'applied' })
    // the deepest one was moved with it
    expect(await apply(on, createTask, { name: 'A', parent_id: below[4] }, ada)).toMatchObject({ state: 'failed' })
  })

  it('does not count parts that the caller does not see', async () => {
    const [top] = await chain(1)
    await chain(5, mine, top)
    const above = await chain(6)
    const receipt = await apply(on, updateTask, { id: top, parent_id: above[5] }, eve)
    expect(receipt.state, JSON.stringify(receipt.error)).toBe('applied')
  })

  it('has no cycle', async () => {
    const ids = await chain(3)
    for (const parent_id of [ids[0], ids[2]]) {
      const receipt = await apply(on, updateTask, { id: ids[0], parent_id }, ada)
      expect(receipt).toMatchObject({ state: 'failed', error: { code: 'would_cycle' } })
    }
    // not below any more
    await change(on, ids[1] as string, { parent_id: null })
    await change(on, ids[0] as string, { parent_id: ids[2] })
    expect((await get(on, ids[2] as string)).subtasks).toMatchObject({ items: [{ id: ids[0] }], count: 1 })
    expect((await get(on, ids[0] as string)).subtasks.count).toBe(0)
  })

  it('is checked on tasks of the same entry', async () => {
    const [a, b] = [await make(on), await make(on)]
    const both = [
      await promise(on, updateTask, { id: a, parent_id: b }, ada),
      await promise(on, updateTask, { id: b, parent_id: a }, ada),
    ]
    await quiet(on)
    expect(both).toHaveLength(2)
    const found = [await get(on, a), await get(on, b)].map(({ parent_id }) => parent_id)
    expect(found).toEqual([b, undefined])
  })
})

describe('an external_id', () => {
  it('changes the task that has it, by the fields given', async () => {
    const first = await make(on, { external_id: 'T-1', description: 'Green.', priority: 'low', labels: ['a'] })
    const again = await make(on, { external_id: 'T-1', name: 'Paint', labels: [] })
    expect(again).toBe(first)
    expect(await get(on, first)).toMatchObject({
      name: 'Paint',
      description: 'Green.',
      priority: 'low',
      labels: [],
      revision: 2,
    })
    await make(on, { external_id: 'T-1', name: 'Paint' })
    expect(await get(on, first)).toMatchObject({ revision: 2 })
  })

  it('belongs to one audience and to tasks', async () => {
    const shared = await make(on, { external_id: 'T-1' })
    const own = await make(on, { external_id: 'T-1', ...mine })
    const others = await make(on, { external_id: 'T-1', ...mine }, eve)
    await done(on, recordDecision, { title: 'T', judgment: 'J.', external_id: 'T-1' })
    expect(new Set([shared, own, others]).size).toBe(3)
    expect(await make(on, { external_id: 'T-1', ...mine })).toBe(own)
  })

  it('makes one task if it is posted twice before either is decided', async () => {
    const both = [
      await promise(on, createTask, { name: 'A', external_id: 'T-1' }, ada),
      await promise(on, createTask, { name: 'B', external_id: 'T-1' }, eve),
    ]
    expect(both).toHaveLength(2)
    await quiet(on)
    expect(await rows(on)).toMatchObject([{ title: 'B', revision: 2 }])
  })
})
