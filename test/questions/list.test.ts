/** GET /v1/context/questions: order, pages, filters, and what each caller sees. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { priorities, reasons } from '../../src/questions/schema.ts'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import { answering, decided, decision, eventually, type Person, person, remembered, team } from './resolving.ts'

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

describe('the records of a question', () => {
  let other: Serving
  let eva: Person
  let fay: Person
  beforeAll(async () => {
    other = await serve()
    eva = await person(other, 'eva')
    fay = await person(other, 'fay')
  })
  afterAll(() => other.stop())

  const only = (who: Person, reason: string, words: string) =>
    eventually(async () => {
      const [found, ...more] = (await all(who, `&reason=${reason}`)).filter((one) => one.claim.includes(words))
      expect(more).toEqual([])
      return found ?? Promise.reject(new Error(`no question about ${words}`))
    })
  const withId = async (who: Person, id: string) =>
    (await page(who, `question_id=${encodeURIComponent(id)}`)).body as Body

  it('are named with the claim in question', async () => {
    const content = 'The lower gate was painted green. I think that its lock is broken.'
    const id = await remembered(eva, content, { occurred_at: '2025-05-01T00:00:00Z' })
    const { records } = await only(eva, 'low_confidence', 'lock is broken')
    expect(records).toEqual([
      {
        kind: 'memory',
        id,
        title: expect.stringContaining('The lower gate'),
        occurred_at: '2025-05-01T00:00:00.000Z',
        claim: 'I think that its lock is broken.',
      },
    ])
  })

  it('are the newer and the older one of a contradiction, in this order, whichever was recorded first', async () => {
    const newer = await remembered(eva, 'Invoices are kept for 7 years.', { occurred_at: '2025-06-02T00:00:00Z' })
    const older = await remembered(eva, 'Invoices are kept for 3 years.', { occurred_at: '2024-01-02T00:00:00Z' })
    const { records } = await only(eva, 'contradiction', 'Invoices')
    expect(records.map(({ id, claim }: Body) => [id, claim])).toEqual([
      [newer, 'Invoices are kept for 7 years.'],
      [older, 'Invoices are kept for 3 years.'],
    ])
  })

  it('are not named to others if the question is about a private record, and neither is the question', async () => {
    await remembered(eva, 'The silo door opens at 06:00.', { occurred_at: '2024-01-02T00:00:00Z' })
    const own = { occurred_at: '2025-01-02T00:00:00Z', visibility: { scope: 'private' } }
    await remembered(fay, 'The silo door opens at 08:00.', own)
    const question = await only(fay, 'contradiction', 'silo')
    expect(question.records).toHaveLength(2)
    expect(question).toMatchObject({ visibility: { scope: 'private' }, answer_visibility: { scope: 'workspace' } })
    expect(JSON.stringify(await all(eva))).not.toMatch(/silo/)
    const hidden = await withId(eva, question.question_id)
    expect(hidden).toEqual(await withId(eva, `clarification:${'0'.repeat(40)}`))
    expect(hidden).toEqual({ items: [], has_more: false })
    expect(await withId(fay, question.question_id)).toEqual({ items: [question], has_more: false })
  })

  it('are the proposed revision of a decision, not the one in force', async () => {
    const ref = { external_id: 'hedge' }
    await decided(eva, 'Cut the hedge in May', 'We cut it in May.', { ...ref, decided_at: '2024-05-01T00:00:00Z' })
    const proposal = { ...ref, status: 'proposed', decided_at: '2025-09-01T00:00:00Z' }
    const id = await decided(eva, 'Cut the hedge in September', 'We cut it in September.', proposal)
    const { records } = await only(eva, 'pending_judgment', 'September')
    expect(records).toMatchObject([
      { kind: 'decision', id, title: 'Cut the hedge in September (proposed)', occurred_at: '2025-09-01T00:00:00.000Z' },
    ])
    expect((await decision(eva, id)).title).toBe('Cut the hedge in May')
  })

  it('are undated only if their file has no date', async () => {
    const adr = { status: 'proposed', surface: 'adr' }
    await decided(eva, 'Drain the meadow', 'We drain it.', adr)
    await decided(eva, 'Fence the meadow', 'We fence it.', { ...adr, decided_at: '2026-01-05T00:00:00Z' })
    await decided(eva, 'Mow the meadow', 'We mow it.', { status: 'proposed' })
    const undatedOf = async (words: string) => (await only(eva, 'pending_judgment', words)).records[0].undated
    expect(await Promise.all(['Drain', 'Fence', 'Mow'].map(undatedOf))).toEqual([true, undefined, undefined])
  })

  it('lists a question with an id only if it is open and has the reason', async () => {
    await remembered(eva, 'Open question: who waters the palm?')
    const { question_id } = await only(eva, 'explicit_question', 'palm')
    const found = async (more = '') =>
      (await page(eva, `question_id=${encodeURIComponent(question_id)}${more}`)).body.items.length
    expect(await found()).toBe(1)
    expect(await found('&reason=explicit_question')).toBe(1)
    expect(await found('&reason=contradiction')).toBe(0)
    await answering(eva, { question_id, resolution: 'dismiss' })
    expect(await found()).toBe(0)
  })
})
