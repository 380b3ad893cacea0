/** GET /v1/context/questions: order, pages, filters, and what each caller sees. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { priorities, reasons } from '../../src/questions/schema.ts'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import { answering, decided, type Person, person, remembered, team } from './resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann', [team])
  bob = await person(serving, 'bob')
  const mail = { kind: 'constraint', sources: [{ type: 'mail', id: 'm' }] }
  await remembered(ann, 'I think the sloe is blue.')
  await remembered(ann, 'Sloes are sold in boxes only.', mail)
  for (const what of ['sloes', 'medlars', 'quinces', 'cherries']) {
    await remembered(ann, `Open question: who carries the ${what}?`)
    await decided(ann, `Proposal of ${what}`, `We plant ${what}.`, { status: 'proposed' })
  }
  await decided(ann, 'A strategic proposal', 'We buy the hill.', { status: 'proposed', significance: 'strategic' })
  const own = { visibility: { scope: 'private' } }
  for (const what of ['leaks', 'squeaks', 'shines']) await remembered(ann, `I believe that my own basket ${what}.`, own)
  await remembered(ann, 'I guess that the team basket leaks.', { visibility: { scope: 'team', team_id: team } })
})
afterAll(() => serving.stop())

const page = (who: Person, query: string) => send(who.url, 'GET', `/v1/context/questions?${query}`, { key: who.key })

async function all(who: Person, query = '', limit = 200): Promise<Body[]> {
  const found: Body[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await page(who, `limit=${limit}${query}${cursor}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    expect(body.items.length).toBeLessThanOrEqual(limit)
    found.push(...body.items)
    expect(body.has_more).toBe(body.next_cursor !== undefined)
    if (body.next_cursor === undefined) return found
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

const placeOf = ({ priority, reason }: Body) => priorities.indexOf(priority) * reasons.length + reasons.indexOf(reason)

describe('the list of open questions', () => {
  it('has each question once, by priority and then by reason', async () => {
    const found = await all(ann)
    expect(new Set(found.map(({ question_id }) => question_id)).size).toBe(found.length)
    expect(found).toHaveLength(15)
    const places = found.map(placeOf)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(found[0]).toMatchObject({ priority: 'blocking', reason: 'pending_judgment' })
  })

  it.each([1, 2, 3, 7])('is the same in pages of %i', async (limit) => {
    expect(await all(ann, '', limit)).toEqual(await all(ann))
  })

  it('shows only questions with the given reasons', async () => {
    const found = await all(ann, '&reason=low_confidence&reason=single_source', 2)
    expect(found.map(({ reason }) => reason).sort()).toEqual([...Array(5).fill('low_confidence'), 'single_source'])
  })

  it('shows others nothing of private questions, in no page and no cursor', async () => {
    const found = await all(bob, '', 1)
    expect(found).toHaveLength(11)
    expect(JSON.stringify(found)).not.toMatch(/basket/)
    expect(found).toEqual((await all(ann)).filter(({ claim }) => !claim.includes('basket')))
  })

  it('says who sees an answer', async () => {
    const scopes = (await all(ann)).map(({ claim, answer_visibility }) => [
      /(own|team) basket/.exec(claim)?.[1] ?? 'all',
      answer_visibility.scope,
    ])
    const scopeOf: Record<string, string> = { own: 'private', team: 'team', all: 'workspace' }
    for (const [whose = '', scope] of scopes) expect(scope).toBe(scopeOf[whose])
  })

  it('leaves out a question once it is answered', async () => {
    const before = await all(bob)
    const gone = before.find(({ reason }) => reason === 'low_confidence') as Body
    await answering(bob, { question_id: gone.question_id, resolution: 'dismiss' })
    expect(await all(bob)).toEqual(before.filter((one) => one !== gone))
  })

  it('refuses a cursor of another caller or of other filters, an unknown reason, and a key without context:read', async () => {
    const { next_cursor } = (await page(ann, 'limit=1')).body
    const cursor = `limit=1&cursor=${encodeURIComponent(next_cursor)}`
    expect((await page(ann, cursor)).status).toBe(200)
    expect((await page(bob, cursor)).status).toBe(400)
    expect((await page(ann, `${cursor}&reason=contradiction`)).status).toBe(400)
    expect((await page(ann, 'reason=boredom')).status).toBe(400)
    const writer = { url: serving.url, key: await serving.key(['context:write'], { user: 'wil' }) }
    expect((await page(writer, '')).status).toBe(403)
  })
})
