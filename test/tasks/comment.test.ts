import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { headOf } from '../../src/journal/head.ts'
import { getReceipt } from '../../src/receipts/get.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { getTask } from '../../src/tasks/get.ts'
import { apply, promise, quiet, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { ada, change, comment, eve, get, listed, make } from './tasks.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

describe('a comment', () => {
  it('is shown with the task, which becomes unread and keeps its revision', async () => {
    const [id, other] = [await make(on), await make(on)]
    await change(on, id, { inbox_status: 'read' })
    await change(on, other, { inbox_status: 'read' })
    const receipt = await comment(on, id, 'Done by noon. Or later.', eve)
    expect(receipt).toMatchObject({ format: 2, entity: { type: 'comment', label: 'Done by noon.' } })
    const task = await get(on, id)
    expect(task).toMatchObject({ inbox_status: 'unread', revision: 1 })
    expect(task.comments.items).toEqual([
      { id: receipt.entity?.id, body: 'Done by noon. Or later.', created_at: task.updated_at, created_by: 'eve' },
    ])
    expect(await listed(on)).toEqual([other, id])
    expect(await listed(on, { inbox_status: ['unread'] })).toEqual([id])
  })

  it('moves a task that was unread already', async () => {
    const [id, other] = [await make(on), await make(on)]
    await comment(on, id, 'Hello.')
    expect(await listed(on)).toEqual([other, id])
  })

  it('is the entity of its receipt, without a url', async () => {
    const receipt = await comment(on, await make(on), 'Hello.')
    const shown = await ask(await readsOf(on), getReceipt, { id: receipt.id, wait: 0 }, ada)
    expect(shown).toMatchObject({ state: 'applied', entity: { type: 'comment', label: 'Hello.' } })
    expect(shown.entity).not.toHaveProperty('url')
    expect(shown).not.toHaveProperty('correction')
  })

  it('on a hidden task is refused like one on a missing task', async () => {
    const id = await make(on, { visibility: { scope: 'private' } })
    const refused = (of: string) =>
      promise(on, commentOnTask, { id: of, body: 'Hi.' }, eve).catch(({ code, message }) => [code, message])
    expect(await refused(id)).toEqual(await refused(missing))
    expect(await refused(id)).toMatchObject(['not_found', expect.any(String)])
  })

  it.each([[''], ['x'.repeat(20_001)]])('is refused if it is empty or too long', async (body) => {
    const id = await make(on)
    await expect(promise(on, commentOnTask, { id, body }, ada)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('is not stored if it holds a credential', async () => {
    const id = await make(on)
    const body = `Use ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)} for it.`
    expect(await apply(on, commentOnTask, { id, body }, ada)).toMatchObject({ state: 'rejected' })
    expect((await get(on, id)).comments.items).toEqual([])
  })
})

describe('comments and changes', () => {
  it('come in pages, the newest first', async () => {
    const id = await make(on)
    // many in one entry, and some in entries of their own
    for (let n = 0; n < 120; n++) await promise(on, commentOnTask, { id, body: `Comment ${n}` }, ada)
    await quiet(on)
    await comment(on, id, 'Comment 120')
    for (let n = 0; n < 60; n++) await change(on, id, { name: `Name ${n}` })
    expect((await headOf(on.documents, workspace)).number).toBeLessThan(70)
    const all = async <Item>(list: 'comments' | 'activity', shown: (item: never) => Item): Promise<Item[]> => {
      const items: Item[] = []
      for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
        const task = await get(on, id, ada, cursor ? { [`${list}_cursor`]: cursor } : {})
        expect(task[list].items.length).toBeLessThanOrEqual(50)
        items.push(...(task[list].items as never[]).map(shown))
        cursor = task[list].next_cursor
      }
      return items
    }
    const comments = await all('comments', ({ body }: { body: string }) => body)
    const revisions = await all('activity', ({ revision }: { revision: number }) => revision)
    expect(comments).toEqual(Array.from({ length: 121 }, (_, n) => `Comment ${120 - n}`))
    expect(revisions).toEqual(Array.from({ length: 60 }, (_, n) => 61 - n))
  })

  it('have cursors that continue nothing else', async () => {
    const [id, other] = [await make(on), await make(on)]
    for (let n = 0; n < 51; n++) await promise(on, commentOnTask, { id, body: `Comment ${n}` }, ada)
    await quiet(on)
    const cursor = (await get(on, id)).comments.next_cursor as string
    const reads = await readsOf(on)
    for (const input of [
      { id: other, comments_cursor: cursor },
      { id, activity_cursor: cursor },
      { id, comments_cursor: 'x' },
    ]) {
      await expect(ask(reads, getTask, input, ada)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })
})
