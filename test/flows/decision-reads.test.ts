/** The reads of decisions in v2, through HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, publicUrl, type Serving, send, serve, write } from '../http/serving.ts'

let serving: Serving
let ann: string
let ben: string
beforeAll(async () => {
  serving = await serve()
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
  ben = await serving.key(['context:read', 'context:write'], { user: 'ben' })
})
afterAll(() => serving.stop())

async function decide(title: string, more: object = {}, key = ann): Promise<string> {
  const body = { title, judgment: `${title}, we decide.`, ...more }
  const answer = await write(serving.url, '/v1/decisions', { key, body, headers: { prefer: 'wait=30' } })
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ state: 'applied' })
  return answer.body.entity.id
}
const read = (path: string, input: object, key?: string): Promise<Answer> =>
  send(serving.url, 'GET', `/api/v2/decisions/${path}?${new URLSearchParams({ ...input })}`, key ? { key } : {})
const ids = (items: { id: string }[]) => items.map(({ id }) => id)

describe('GET /api/v2/decisions/graph', () => {
  const graph = (input: object, key = ann) => read('graph', input, key)

  it('shows the decisions before and after one, without those that the caller may not see', async () => {
    const first = await decide('Ship by sea', { decided_at: '2024-01-01T00:00:00Z' })
    const second = await decide('Ship by rail', { decided_at: '2025-01-01T00:00:00Z', supersedes: [first] })
    const own = { scope: 'private' }
    const draft = await decide('Ship by air', { status: 'proposed', supersedes: [second] })
    const before = await decide('Ship by road', { decided_at: '2023-01-01T00:00:00Z', visibility: own })
    const third = await decide('Ship by rail at night', {
      decided_at: '2026-01-01T00:00:00Z',
      supersedes: [second, before],
    })
    const { status, body } = await graph({ root: second.toUpperCase() })
    expect(status).toBe(200)
    expect(body).toMatchObject({ root: second, truncated: false })
    expect(ids(body.nodes)).toEqual([second, third, draft, first])
    expect(body.nodes[0]).toMatchObject({
      type: 'decision',
      title: 'Ship by rail',
      in_force: false,
      depth: 0,
      url: `${publicUrl}/v1/decisions/${second}`,
    })
    expect(body.edges).toEqual([
      { from: second, to: first, type: 'supersedes', at: '2025-01-01T00:00:00.000Z' },
      { from: third, to: second, type: 'supersedes', at: '2026-01-01T00:00:00.000Z' },
      { from: draft, to: second, type: 'pending' },
    ])
    expect(ids((await graph({ root: third })).body.nodes)).toEqual([third, second, before, first])
    expect(ids((await graph({ root: third }, ben)).body.nodes)).toEqual([third, second, first])
    expect(ids((await graph({ root: second, depth: 1, direction: 'ancestors' })).body.nodes)).toEqual([second, first])
  })

  it('answers the same 404 for a root that is hidden and for one that is missing', async () => {
    const hidden = await decide('Ann alone', { visibility: { scope: 'private' } })
    const missing = '00000000-0000-7000-8000-00000000dead'
    const [one, other] = [await graph({ root: hidden }, ben), await graph({ root: missing }, ben)]
    expect(one.status).toBe(404)
    const untraced = ({ body: { instance: _, request_id: __, ...body } }: Answer) => body
    expect(untraced(one)).toEqual(untraced(other))
  })

  it.each([
    [{}, 'root'],
    [{ root: 'adr-12' }, 'root'],
    [{ depth: 0 }, 'depth'],
    [{ depth: 21 }, 'depth'],
    [{ direction: 'up' }, 'direction'],
    [{ rooot: 'x' }, 'rooot'],
  ])('refuses %j with a 400 that names the parameter', async (input, path) => {
    const root = Object.hasOwn(input, 'depth') || Object.hasOwn(input, 'direction') ? { root: crypto.randomUUID() } : {}
    const { status, body } = await graph({ ...root, ...input })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  it.each([0, 21])('names the bounds that a depth of %j is beyond', async (depth) => {
    const { issues } = (await graph({ root: crypto.randomUUID(), depth })).body.details
    expect(issues).toMatchObject([{ path: 'depth', message: expect.stringMatching(depth === 0 ? /\b1\b/ : /\b20\b/) }])
  })

  it('needs a key with the scope context:read', async () => {
    const writer = await serving.key(['context:write'], { user: 'ann' })
    expect((await read('graph', { root: crypto.randomUUID() })).status).toBe(401)
    expect((await graph({ root: crypto.randomUUID() }, writer)).status).toBe(403)
  })
})

describe('GET /api/v2/decisions/search', () => {
  const find = (input: object, key = ann) => read('search', input, key)

  it('finds decisions by a question, by ids and by filters', async () => {
    const first = await decide('Lamps burn oil', { category: 'product', decided_at: '2024-01-01T00:00:00Z' })
    const second = await decide('Lamps are electric', { category: 'product', decided_at: '2025-01-01T00:00:00Z' })
    const hidden = await decide('Lamps are red', { category: 'product', visibility: { scope: 'private' } })
    const asked = await find({ q: 'which lamps are electric', category: 'product' }, ben)
    expect(asked.status).toBe(200)
    expect(asked.body.items[0]).toMatchObject({ id: second, status: 'accepted', in_force: true, entities: [] })
    const known = await find({ ids: [first, hidden, second].join() }, ben)
    expect(ids(known.body.items)).toEqual([first, second])
    const page = await find({ category: 'product', limit: 1 }, ben)
    expect(page.body).toMatchObject({ items: [{ id: second }], has_more: true })
    const last = await find({ category: 'product', limit: 1, cursor: page.body.next_cursor }, ben)
    expect(last.body).toMatchObject({ items: [{ id: first }], has_more: false })
    expect((await find({ category: 'product', limit: 1, cursor: page.body.next_cursor })).status).toBe(400)
  })

  it('finds by entity, person, standing and time, with and without a question', async () => {
    const entities = [{ type: 'service', id: 'till, north' }]
    const one = await decide('Tills close at six', {
      entities,
      decided_by: ['Ann, Bo'],
      decided_at: '2022-01-01T00:00:00Z',
    })
    const two = await decide('Tills close at five', { status: 'proposed', decided_at: '2022-06-01T00:00:00Z' })
    const window = { since: '2021-12-31T00:00:00Z', until: '2022-12-31T00:00:00Z' }
    for (const q of [{}, { q: 'when do tills close', threshold: 0 }]) {
      const found = async (input: object) => ids((await find({ ...q, ...window, ...input })).body.items)
      expect((await found({})).sort()).toEqual([one, two].sort())
      expect(await found({ entity_id: 'till, north' })).toEqual([one])
      expect(await found({ decided_by: 'Ann, Bo', status: 'accepted,rejected' })).toEqual([one])
      expect(await found({ in_force: 'true' })).toEqual([one])
      expect(await found({ in_force: 'false', status: 'proposed' })).toEqual([two])
      expect(await found({ until: '2022-03-01T00:00:00Z' })).toEqual([one])
    }
  })

  it('finds by the outcome observed last, and by words of its notes', async () => {
    const [one, two] = [await decide('Kiosks open at nine'), await decide('Kiosks open at ten')]
    const outcome = { outcome_status: 'failure', outcome_notes: 'Gravel scratched the panes.' }
    const headers = { prefer: 'wait=30' }
    const path = `/api/v2/decisions/${one}/outcome`
    expect((await send(serving.url, 'PATCH', path, { key: ann, body: outcome, headers })).body.state).toBe('applied')
    const q = 'when do kiosks open'
    expect((await find({ q, threshold: 0, outcome_status: 'failure,mixed' })).body.items).toMatchObject([
      { id: one, ...outcome },
    ])
    expect(ids((await find({ q, threshold: 0, outcome_status: 'none' })).body.items)).toEqual([two])
    expect(ids((await find({ outcome_status: 'failure' })).body.items)).toEqual([one])
    expect(ids((await find({ q: 'scratched panes', in_force: 'true' })).body.items)).toEqual([one])
    const { nodes } = (await read('graph', { root: one }, ann)).body
    expect(nodes).toMatchObject([{ id: one, outcome_status: 'failure' }])
  })

  it('names the values of a filter that refuses one', async () => {
    const { issues } = (await find({ outcome_status: 'great' })).body.details
    expect(issues[0].message).toMatch(/success.*failure.*mixed.*none/)
  })

  it.each([
    [{}, 'q'],
    [{ category: 'product,colour' }, 'category[1]'],
    [{ in_force: 'yes' }, 'in_force'],
    [{ ids: 'adr-12' }, 'ids[0]'],
    [{ outcome_status: 'failure,great' }, 'outcome_status[1]'],
    [{ outcome: 'failure' }, 'outcome'],
    [{ limit: 201, q: 'x' }, 'limit'],
    [{ categry: 'product' }, 'categry'],
  ])('refuses %j with a 400 that names the parameter', async (input, path) => {
    const { status, body } = await find(input)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })
})
