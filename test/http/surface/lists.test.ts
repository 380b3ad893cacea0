import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Serving, send, serve } from '../serving.ts'
import { notes } from './surface.ts'

let serving: Serving
let ann: string
beforeAll(async () => {
  serving = await serve({ routes: notes.routes, work: false })
  ann = await serving.key(['context:read'], { user: 'ann' })
})
afterAll(() => serving.stop())

const list = (query: string, key = ann): Promise<Answer> => send(serving.url, 'GET', `/api/notes?${query}`, { key })
const asked = async (query: string) => {
  const { status, body } = await list(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items[0].asked
}
const issuesOf = ({ body }: Answer) => body.details.issues
const uuids = ['0192d59f-0a11-7c22-8d33-4e445f556a66', '0192d59f-0a11-7c22-8d33-4e445f556a67']

describe('the filters of a list', () => {
  it('with fixed values, ids and numbers are repeated, separated by commas, or both', async () => {
    expect(await asked('status=open,done&status=none')).toEqual({ status: ['open', 'done', 'none'] })
    expect(await asked(`parent_id=${uuids.join(',')}`)).toEqual({ parent_id: uuids })
    expect(await asked('priority=1,2&priority=-3')).toEqual({ priority: [1, 2, -3] })
    expect(await asked('status=open')).toEqual({ status: ['open'] })
  })

  it('with names can only be repeated, because a name may contain a comma', async () => {
    expect(await asked('label=a,b&label=c')).toEqual({ label: ['a,b', 'c'] })
  })

  it('name the value that is wrong', async () => {
    const answer = await list('status=open,dome')
    expect(issuesOf(answer)).toEqual([{ path: 'status[1]', message: 'must be one of open, done, none' }])
    expect(issuesOf(await list('status='))).toEqual([expect.objectContaining({ path: 'status[0]' })])
    expect(issuesOf(await list(`label=${'x&label='.repeat(60)}x`))).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'label' })]),
    )
  })

  it('with one value are refused if they are given twice', async () => {
    expect(issuesOf(await list('q=a&q=b'))).toEqual([{ path: 'q', message: 'is given twice: give it once' }])
  })

  it('that are unknown are refused, with the one that was probably meant', async () => {
    expect(issuesOf(await list('stauts=open'))).toEqual([
      { path: 'stauts', message: 'unknown field: did you mean `status`?' },
    ])
    expect((await list('__proto__=open')).status).toBe(400)
  })
})

describe('the pages of a list', () => {
  const numbers = ({ body }: Answer) => body.items.map(({ number }: { number: number }) => number)
  const next = ({ body }: Answer) => `cursor=${body.next_cursor}`

  it('have 50 items unless the limit says otherwise, which is 1 to 200', async () => {
    expect(numbers(await list('limit=3'))).toEqual([0, 1, 2])
    expect(numbers(await list(''))).toHaveLength(10)
    expect((await list('limit=200')).status).toBe(200)
    for (const limit of ['0', '201', 'x']) expect(issuesOf(await list(`limit=${limit}`))[0].path).toBe('limit')
  })

  it('continue with the cursor, and the last page says that no more follows although it has a cursor', async () => {
    const first = await list('limit=6&status=open')
    expect(first.body.has_more).toBe(true)
    // another limit continues the same list, and so do the same values in another order
    const last = await list(`limit=7&status=open&${next(first)}`)
    expect(numbers(last)).toEqual([6, 7, 8, 9])
    expect(last.body).toMatchObject({ has_more: false, next_cursor: expect.any(String) })
    const ordered = await list('limit=1&status=done,open')
    expect(numbers(await list(`limit=1&status=open&status=done&${next(ordered)}`))).toEqual([1])
  })

  it('refuse the cursor of other filters, another caller, another workspace or another list', async () => {
    const first = await list('limit=6&status=open')
    const refused = [
      await list(`status=done&${next(first)}`),
      await list(next(first)),
      await list(`status=open&${next(first)}`, await serving.key(['context:read'], { user: 'bob' })),
      await list(`status=open&cursor=${first.body.next_cursor.slice(0, -4)}AAAA`),
      await send(serving.url, 'GET', `/v1/receipts?${next(first)}`, { key: ann }),
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(400)
      expect(issuesOf(answer)[0].path).toBe('cursor')
    }
    // a colleague with the same audiences may continue it
    expect(
      (await list(`status=open&${next(first)}`, await serving.key(['context:read'], { user: 'ann' }))).status,
    ).toBe(200)
  })
})
