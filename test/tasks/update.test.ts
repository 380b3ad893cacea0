import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { receipts } from '../../src/receipt.ts'
import { createTask } from '../../src/tasks/create.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { apply, promise, quiet, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { ada, change, done, eve, get, listed, make } from './tasks.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const entriesOf = (): Promise<Entry[]> =>
  on.documents.find(entries, { where: { workspace, emptied: false }, sort: [['number', 'asc']], limit: 100 })

describe('a change', () => {
  it('changes the fields given, counts a revision, and is shown as activity', async () => {
    const id = await make(on, { name: 'Paint', labels: ['a'], description: 'Green.' })
    const receipt = await change(on, id, { status: 'in_progress', labels: ['a', 'b'], assignees: ['me'] })
    expect(receipt).toMatchObject({ format: 2, entity: { type: 'task', id, label: 'Paint' } })
    const task = await get(on, id)
    expect(task).toMatchObject({ name: 'Paint', description: 'Green.', status: 'in_progress', revision: 2 })
    expect(task.activity.items).toEqual([
      {
        id: expect.any(String),
        type: 'change',
        at: task.updated_at,
        by: 'ada',
        revision: 2,
        changes: [
          { field: 'status', from: 'todo', to: 'in_progress' },
          { field: 'assignees', to: ['ada'] },
          { field: 'labels', from: ['a'], to: ['a', 'b'] },
        ],
      },
    ])
  })

  it('by null returns a field to its default', async () => {
    const decision = (await done(on, recordDecision, { title: 'T', judgment: 'J.' })).entity?.id
    const full = {
      ...{ description: 'Green.', priority: 'high', assignees: ['bob'], project: 'p', labels: ['a'] },
      ...{ start_at: '2026-01-01T00:00:00Z', due_at: '2026-01-02T00:00:00Z', repo_full_name: 'a/b' },
      ...{ parent_id: await make(on), decision_ids: [decision] },
      execution: { mode: 'none', executor: 'coder', instructions: 'Be quick.' },
    }
    const plain = await get(on, await make(on))
    const id = await make(on, full)
    await change(on, id, Object.fromEntries(Object.keys(full).map((field) => [field, null])))
    const { id: _, url: __, created_at: ___, updated_at: ____, activity, ...cleared } = await get(on, id)
    expect({ ...plain, ...cleared, revision: 1 }).toEqual(plain)
    expect(Object.keys(cleared).sort()).toEqual(
      Object.keys(plain)
        .filter((field) => !['id', 'url', 'created_at', 'updated_at', 'activity'].includes(field))
        .sort(),
    )
    expect(activity.items[0]?.changes).toHaveLength(Object.keys(full).length)
  })

  it('of how it is run is shown, with the executor and the instructions', async () => {
    const id = await make(on)
    const execution = { mode: 'plan', executor: 'coder', instructions: 'Be quick.' }
    await change(on, id, { execution })
    await change(on, id, { execution: { mode: 'auto' } })
    const task = await get(on, id)
    expect(task).toMatchObject({ execution: { mode: 'auto' }, revision: 3 })
    const shown = ['mode: plan', 'executor: coder', 'instructions: Be quick.']
    expect(task.activity.items.map(({ changes }) => changes)).toEqual([
      [{ field: 'execution', from: shown, to: ['mode: auto'] }],
      [{ field: 'execution', to: shown }],
    ])
  })

  it('that says what is so already changes nothing', async () => {
    const id = await make(on, { labels: ['a'], priority: 'low' })
    const before = await get(on, id)
    for (const same of [{}, { labels: ['a', 'a'] }, { project: null }, { priority: 'low', inbox_status: 'unread' }]) {
      expect(await change(on, id, same)).toMatchObject({ entity: { id } })
    }
    expect(await get(on, id)).toEqual(before)
  })

  it('of the inbox status alone makes no revision and no activity, but moves the task in the order of changes', async () => {
    const [first, second] = [await make(on), await make(on)]
    await change(on, first, { inbox_status: 'archived' })
    expect(await get(on, first)).toMatchObject({ inbox_status: 'archived', revision: 1, activity: { items: [] } })
    expect(await listed(on)).toEqual([second, first])
  })

  it('stores the description again only if it has changed', async () => {
    const description = 'A long text. '.repeat(100)
    const id = await make(on, { description })
    await change(on, id, { status: 'done' })
    await change(on, id, { description: 'Short.' })
    const [, second, third] = (await entriesOf()).map(({ records }) => JSON.stringify(records))
    expect(second).not.toContain('A long text.')
    expect(third).toContain('Short.')
    expect((await get(on, id)).description).toBe('Short.')
    // the activity is cut
    expect((await get(on, id)).activity.items[0]?.changes?.[0]?.from).toHaveLength(500)
  })

  it.each([
    ['name', null],
    ['status', null],
    ['inbox_status', null],
    ['visibility', { scope: 'workspace' }],
    ['external_id', 'T-1'],
  ])('is refused for its %s', async (field, value) => {
    const id = await make(on)
    await expect(promise(on, updateTask, { id, [field]: value }, ada)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(field),
    })
  })

  it('is refused if one date then contradicts the other one', async () => {
    const id = await make(on, { start_at: '2026-02-01T00:00:00Z' })
    await expect(promise(on, updateTask, { id, due_at: '2026-01-01T00:00:00Z' }, ada)).rejects.toMatchObject({
      details: { issues: [{ path: 'due_at' }] },
    })
    await change(on, id, { due_at: '2026-02-01T00:00:00Z' })
    await expect(promise(on, updateTask, { id, start_at: '2026-02-02T00:00:00Z' }, ada)).rejects.toMatchObject({
      details: { issues: [{ path: 'start_at' }] },
    })
  })

  it('is checked again when it is decided', async () => {
    const id = await make(on)
    await promise(on, updateTask, { id, start_at: '2026-02-01T00:00:00Z' }, ada)
    const receipt = await apply(on, updateTask, { id, due_at: '2026-01-01T00:00:00Z' }, ada)
    expect(receipt).toMatchObject({ state: 'failed', error: { code: 'invalid_request' } })
  })

  it('of a hidden task is refused like one of a missing task', async () => {
    const id = await make(on, { visibility: { scope: 'private' } })
    const refused = (of: string) =>
      promise(on, updateTask, { id: of, status: 'done' }, eve).catch(({ code, message }) => [code, message])
    expect(await refused(id)).toEqual(await refused(missing))
    expect(await refused(id)).toMatchObject(['not_found', expect.any(String)])
  })

  it('keeps a decision that it named before', async () => {
    const visibility = { scope: 'private' }
    const id = (await done(on, recordDecision, { title: 'T', judgment: 'J.', visibility })).entity?.id
    const task = await make(on, { visibility, decision_ids: [id] })
    await change(on, task, { decision_ids: [id], name: 'B' })
    await expect(promise(on, updateTask, { id: task, decision_ids: [id, missing] }, ada)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('decision_ids[1]'),
    })
  })
})

describe('a change with the revision that was read', () => {
  it('wins if no other change was faster', async () => {
    const id = await make(on)
    await change(on, id, { if_revision: 1, assignees: ['me'] })
    await expect(promise(on, updateTask, { id, if_revision: 1, assignees: ['me'] }, eve)).rejects.toMatchObject({
      code: 'revision_conflict',
      message: 'The task has revision 2 by now, not 1. Read it again.',
    })
  })

  it('loses in the journal if both were accepted: one of two wins', async () => {
    const id = await make(on)
    const both = [
      await promise(on, updateTask, { id, if_revision: 1, assignees: ['me'] }, eve),
      await promise(on, updateTask, { id, if_revision: 1, assignees: ['me'] }, ada),
    ]
    await quiet(on)
    const ended = await Promise.all(both.map((one) => on.documents.get(receipts, one.id, ['state', 'error'])))
    expect(ended.map((one) => one?.state).sort()).toEqual(['applied', 'failed'])
    expect(ended.find((one) => one?.state === 'failed')?.error).toMatchObject({ code: 'revision_conflict' })
    const [winner] = (await get(on, id)).assignees
    expect(winner).toBe(ended[0]?.state === 'applied' ? 'eve' : 'ada')
  })

  it('does not lose to a comment or a look at it', async () => {
    const id = await make(on)
    await change(on, id, { inbox_status: 'read' })
    await change(on, id, { if_revision: 1, status: 'done' })
    expect((await get(on, id)).revision).toBe(2)
  })
})

describe('a changed task', () => {
  it('is found by its new texts, and not by its old ones', async () => {
    const id = await make(on, { name: 'Paint the fence', description: 'Use harbour green.' })
    const search = async (q: string, more = {}) =>
      (await ask(await readsOf(on), searchContext, { q, ...more }, ada)).items
    expect(await search('harbour')).toMatchObject([
      { id, title: 'Paint the fence', snippet: 'Use harbour green.', source: { type: 'task', id } },
    ])
    await change(on, id, { name: 'Paint the gate', description: null })
    expect(await search('harbour')).toEqual([])
    expect(await search('gate')).toMatchObject([{ id, snippet: 'Paint the gate' }])
    expect(await search('gate', { as_of: '2020-01-01T00:00:00Z' })).toEqual([])
  })

  it('is an upsert in the work of sync', async () => {
    const sync = async (cursor?: string) => ask(await readsOf(on), syncContext, cursor ? { cursor } : {}, ada)
    const id = await make(on)
    const first = await sync()
    expect(first.changes).toMatchObject({
      knowledge: [],
      decisions: [],
      work: [{ id, kind: 'task', change_type: 'upsert' }],
    })
    await change(on, id, { name: 'Renamed' })
    expect((await sync(first.cursor)).changes.work).toMatchObject([{ id, title: 'Renamed', change_type: 'upsert' }])
  })

  it('has all changes of one entry', async () => {
    await promise(on, createTask, { name: 'A', external_id: 'T-1', labels: ['a'] }, ada)
    await promise(on, createTask, { name: 'B', external_id: 'T-1', labels: ['b'] }, ada)
    await promise(on, createTask, { name: 'C', external_id: 'T-1', description: 'Now.' }, ada)
    await quiet(on)
    expect(await entriesOf()).toHaveLength(1)
    const [id] = await listed(on)
    const task = await get(on, id as string)
    expect(task).toMatchObject({ name: 'C', description: 'Now.', labels: ['b'], revision: 3 })
    expect(task.activity.items.map(({ revision }) => revision)).toEqual([3, 2])
    expect(await listed(on, { label: ['a'] })).toEqual([])
    expect(await listed(on, { label: ['b'] })).toEqual([id])
  })
})
