/** PATCH /api/v2/decisions/:id/outcome through HTTP, and where outcomes are shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, applied, type Body, type Serving, send, serve } from '../http/serving.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
let serving: Serving
let ann: string
let bob: string
beforeAll(async () => {
  serving = await serve()
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
  bob = await serving.key(['context:read', 'context:write'], { user: 'bob' })
})
afterAll(() => serving.stop())

let keys = 0
const write = (method: string, path: string, body: object, key = ann, more: Record<string, string> = {}) => {
  keys += 1
  const headers = { prefer: 'wait=20', 'idempotency-key': `outcome-${keys}`, ...more }
  return send(serving.url, method, path, { key, body, headers })
}
const report = (id: string, body: object, key = ann, headers = {}): Promise<Answer> =>
  write('PATCH', `/api/v2/decisions/${id}/outcome`, body, key, headers)

async function decide(title: string, more: object = {}, key = ann): Promise<string> {
  const body = { title, judgment: `We choose ${title}.`, ...more }
  return (await applied(write('POST', '/api/v2/decisions', body, key))).entity.id
}
async function get(id: string, key = ann, more = ''): Promise<Body> {
  return (await send(serving.url, 'GET', `/v1/decisions/${id}${more}`, { key })).body
}
const search = async (body: object): Promise<Body> =>
  (await send(serving.url, 'POST', '/v1/context/search', { key: ann, body })).body
const find = async (body: object): Promise<Body> =>
  (await send(serving.url, 'POST', '/v1/decisions/search', { key: ann, body })).body

describe('an outcome', () => {
  it('is shown by get, search and decision search, and leaves the decision as it is', async () => {
    const id = await decide('Kiosk pilot', { external_id: 'kiosk' })
    const before = await get(id)
    const source = { type: 'ticket', id: 'KIOSK-7', title: 'Broken screens' }
    const input = {
      outcome_status: 'mixed',
      outcome_notes: 'The touchscreens were scratched by gravel.',
      observed_at: '2026-02-01T00:00:00Z',
      sources: [source],
    }
    const receipt = await applied(report(id, input))
    expect(receipt).toMatchObject({ operation: 'decision.outcome', entity: { type: 'decision', id } })
    const after = await get(id)
    const outcome = {
      outcome_status: 'mixed',
      outcome_notes: input.outcome_notes,
      observed_at: '2026-02-01T00:00:00.000Z',
      sources: [{ ...source, provenance: { class: 'external' } }],
    }
    expect(after).toMatchObject({ outcome, outcomes: { items: [outcome], count: 1 } })
    const shown = { outcome_status: 'mixed', outcome_notes: input.outcome_notes }
    const { updated_at: _, ...unchanged } = before
    expect(after).toMatchObject({ ...unchanged, outcomes: after.outcomes, ...shown })
    expect((await find({ ids: [id] })).items).toMatchObject([{ id, ...shown }])
    // found as the decision, with the passage of the notes
    const [hit] = (await search({ q: 'gravel scratched touchscreens' })).items
    expect(hit).toMatchObject({ id, title: 'Kiosk pilot', source: { type: 'decision', id }, ...shown })
    expect(hit.snippet).toContain('gravel')
    expect((await find({ q: 'gravel scratched touchscreens' })).items).toMatchObject([{ id }])
    for (const reference of [
      { type: 'ticket', id: 'KIOSK-7' },
      { type: 'outcome', id: after.outcome.id },
    ]) {
      expect((await search({ references: [reference] })).items).toMatchObject([{ id, source: { type: 'decision' } }])
    }
  })

  it('has the default of each optional field that is null, as if it were left out', async () => {
    const id = await decide('Nulls')
    const nulls = { outcome_status: 'success', outcome_notes: null, observed_at: null, sources: null }
    const { paths, components } = (await send(serving.url, 'GET', '/api/v2/openapi.json')).body
    const { content } = paths['/api/v2/decisions/{id}/outcome'].patch.requestBody
    const schema = components.schemas[content['application/json'].schema.$ref.split('/').at(-1)]
    for (const name of ['outcome_notes', 'observed_at', 'sources']) {
      expect(JSON.stringify(schema.properties[name]), name).toContain('"type":"null"')
    }
    expect(schema.required).toEqual(['outcome_status'])
    const key = { 'idempotency-key': 'the-key-of-nulls' }
    const receipt = await applied(report(id, nulls, ann, key))
    const { outcome } = await get(id)
    expect(outcome).toMatchObject({ outcome_status: 'success', observed_at: receipt.accepted_at, sources: [] })
    expect(outcome).not.toHaveProperty('outcome_notes')
    // the same input, so the same key gives the same receipt
    const again = await applied(report(id, { outcome_status: 'success' }, ann, key))
    expect(again.receipt_id).toBe(receipt.receipt_id)
    for (const field of ['outcome_status', 'if_revision']) {
      const refused = await report(id, { ...nulls, [field]: null })
      expect(refused.body.details.issues.map((issue: Body) => issue.path)).toEqual([field])
    }
  })

  it('stays with the decision when it is revised or superseded, and is shown as prior position', async () => {
    const id = await decide('Bus lanes', { external_id: 'lanes' })
    await applied(report(id, { outcome_status: 'mixed', outcome_notes: 'Faster buses.' }))
    await decide('Bus lanes everywhere', { external_id: 'lanes' })
    const revised = await get(id)
    expect(revised).toMatchObject({ revision: 2, outcome_status: 'mixed', outcomes: { count: 1 } })
    const newer = await decide('Trams', { supersedes: [id] })
    await applied(report(id, { outcome_status: 'failure', outcome_notes: 'Too few buses.' }))
    expect(await get(id)).toMatchObject({ in_force: false, outcome_status: 'failure', outcomes: { count: 2 } })
    expect((await get(newer)).prior_positions).toMatchObject([{ id, outcome_status: 'failure' }])
  })

  it('stays with the decision when a proposed revision is accepted', async () => {
    const id = await decide('Night trains', { external_id: 'night' })
    await applied(report(id, { outcome_status: 'success' }))
    await decide('More night trains', { external_id: 'night', status: 'proposed' })
    const answer = { question_id: `judgment:${id}`, resolution: 'confirm' }
    await applied(write('POST', '/v1/context/resolve', answer))
    expect(await get(id)).toMatchObject({ revision: 2, status: 'accepted', outcome_status: 'success' })
  })

  it('changes the decision in sync', async () => {
    const id = await decide('Synced')
    const sync = async (cursor?: string) => {
      const body = { limit: 200, ...(cursor ? { cursor } : {}) }
      return (await send(serving.url, 'POST', '/v1/context/sync', { key: ann, body })).body
    }
    const { cursor } = await sync()
    await applied(report(id, { outcome_status: 'success' }))
    const { decisions, knowledge, work } = (await sync(cursor)).changes
    expect(decisions).toMatchObject([{ id, change_type: 'upsert' }])
    expect([knowledge, work]).toEqual([[], []])
  })

  it('is found by search only if it was observed by as_of', async () => {
    const id = await decide('Glass roof', { decided_at: '2020-01-01T00:00:00Z' })
    const notes = 'Pigeons nested below the girders.'
    await applied(
      report(id, { outcome_status: 'mixed', outcome_notes: 'Bright.', observed_at: '2021-01-01T00:00:00Z' }),
    )
    await applied(report(id, { outcome_status: 'failure', outcome_notes: notes, observed_at: '2023-01-01T00:00:00Z' }))
    const q = 'pigeons nested girders'
    expect((await search({ q, as_of: '2022-01-01T00:00:00Z' })).items).toEqual([])
    expect((await search({ q, as_of: '2024-01-01T00:00:00Z' })).items).toMatchObject([
      { id, outcome_status: 'failure' },
    ])
    const [then] = (await search({ q: 'glass roof', as_of: '2022-01-01T00:00:00Z' })).items
    expect(then).toMatchObject({ id, outcome_status: 'mixed', outcome_notes: 'Bright.' })
    const [before] = (await search({ q: 'glass roof', as_of: '2020-06-01T00:00:00Z' })).items
    expect(before.id).toBe(id)
    expect(before).not.toHaveProperty('outcome_status')
  })
})

describe('the leading outcome', () => {
  it('is the one observed last, or if two are equal the one accepted last', async () => {
    const id = await decide('Leading')
    const steps = [
      ['success', '2025-06-01', 'success'],
      ['failure', '2025-03-01', 'success'],
      ['mixed', '2025-06-01', 'mixed'],
    ] as const
    for (const [outcome_status, day, leading] of steps) {
      await applied(report(id, { outcome_status, observed_at: `${day}T00:00:00Z` }))
      expect((await get(id)).outcome.outcome_status).toBe(leading)
    }
    const { items, count } = (await get(id)).outcomes
    expect(items.map((one: Body) => one.outcome_status)).toEqual(['mixed', 'success', 'failure'])
    expect(count).toBe(3)
  })

  it('is not recorded again if it is repeated, with or without its date', async () => {
    const id = await decide('Repeated')
    const said = { outcome_status: 'success', outcome_notes: 'Fine.', observed_at: '2025-06-01T00:00:00Z' }
    await applied(report(id, said))
    const before = await get(id)
    const { observed_at: _, ...undated } = said
    for (const again of [said, undated]) {
      expect((await applied(report(id, again))).entity.id).toBe(id)
      expect(await get(id)).toEqual(before)
    }
    await applied(report(id, { ...said, observed_at: '2025-07-01T00:00:00Z' }))
    await applied(report(id, { ...said, outcome_notes: 'Very fine.' }))
    expect((await get(id)).outcomes.count).toBe(3)
  })

  it('is shown with notes of 2,000 characters in lists, and whole by get', async () => {
    const id = await decide('Long')
    const outcome_notes = 'x'.repeat(20_000)
    await applied(report(id, { outcome_status: 'success', outcome_notes }))
    const decision = await get(id)
    expect(decision.outcome.outcome_notes).toBe(outcome_notes)
    expect([...decision.outcome_notes]).toHaveLength(2_000)
  })
})

it('get shows 50 outcomes a page, the newest first', async () => {
  const id = await decide('Many')
  const days = Array.from({ length: 53 }, (_, n) => new Date(Date.UTC(2020, 0, 1 + Math.floor(n / 2))).toISOString())
  await Promise.all(
    days.map((observed_at, n) =>
      applied(report(id, { outcome_status: 'mixed', outcome_notes: `Day ${n}`, observed_at })),
    ),
  )
  const first = (await get(id)).outcomes
  expect([first.items.length, first.count]).toEqual([50, 53])
  const rest = (await get(id, ann, `?outcomes_cursor=${encodeURIComponent(first.next_cursor)}`)).outcomes
  expect(rest.next_cursor).toBeUndefined()
  const all = [...first.items, ...rest.items]
  expect(all.map((one: Body) => one.observed_at)).toEqual([...days].sort().reverse())
  expect(new Set(all.map((one: Body) => one.id)).size).toBe(53)
  const other = await get(await decide('Few'), ann, `?outcomes_cursor=${encodeURIComponent(first.next_cursor)}`)
  expect(other.code).toBe('invalid_request')
})

describe('the brief', () => {
  const failed = '## What failed before'
  const brief = async (query: string, key = ann): Promise<Body> =>
    (await send(serving.url, 'GET', `/v1/context/brief?query=${encodeURIComponent(query)}`, { key })).body

  it('lists failed decisions that match the query by their own words or by those of the notes', async () => {
    const id = await decide('Heated pavements', { judgment: 'We heat the pavements with waste water.' })
    await applied(report(id, { outcome_status: 'success' }))
    expect((await brief('heated pavements')).markdown).not.toContain(failed)
    await applied(report(id, { outcome_status: 'failure', outcome_notes: 'Limescale clogged every conduit.' }))
    for (const query of ['heated pavements', 'limescale clogged conduit']) {
      const { markdown, citations } = await brief(query)
      const section = markdown.split(failed)[1]
      expect(section, query).toContain('Heated pavements')
      expect(section).toContain('Limescale clogged every conduit.')
      expect(citations.map((one: Body) => one.id)).toContain(id)
    }
    expect((await brief('kiosk pilot touchscreens')).markdown).not.toContain('Heated pavements')
  })

  it('lists a failed decision that was replaced, but not for callers who may not see it', async () => {
    const visibility = { scope: 'private' }
    const id = await decide('Cargo bicycles', { visibility, judgment: 'Cargo bicycles bring the parcels.' })
    await applied(report(id, { outcome_status: 'failure', outcome_notes: 'Brakes wore out.' }))
    await decide('Cargo vans', { visibility, judgment: 'Vans bring the parcels, no cargo bicycles.', supersedes: [id] })
    expect((await brief('cargo bicycles parcels')).markdown.split(failed)[1]).toContain('Brakes wore out.')
    expect((await brief('cargo bicycles parcels', bob)).markdown).not.toContain('Brakes wore out.')
  })
})

describe('recording an outcome refuses', () => {
  it('an outcome of a decision that was not made', async () => {
    for (const status of ['proposed', 'rejected']) {
      const id = await decide(`Only ${status}`, { status })
      const { status: code, body } = await report(id, { outcome_status: 'success' })
      expect([code, body.code]).toEqual([409, 'not_decided'])
    }
    const deprecated = await decide('Deprecated', { status: 'deprecated' })
    await applied(report(deprecated, { outcome_status: 'mixed' }))
  })

  it.each([
    ['no status', {}, 'outcome_status'],
    ['an unknown status', { outcome_status: 'great' }, 'outcome_status'],
    ['empty notes', { outcome_status: 'success', outcome_notes: '' }, 'outcome_notes'],
    ['notes that are too long', { outcome_status: 'success', outcome_notes: 'x'.repeat(20_001) }, 'outcome_notes'],
    ['too many sources', { outcome_status: 'success', sources: Array(51).fill({ type: 'page' }) }, 'sources'],
    ['an unknown field', { outcome_status: 'success', notes: 'x' }, 'notes'],
  ])('%s', async (_, body, path) => {
    const answer = await report(await decide('Refused'), body)
    expect(answer.status).toBe(400)
    expect(answer.body.details.issues.map((issue: Body) => issue.path)).toContain(path)
  })

  it('a date in the future', async () => {
    const answer = await report(await decide('Ahead'), {
      outcome_status: 'success',
      observed_at: '2099-01-01T00:00:00Z',
    })
    expect(answer.body).toMatchObject({ state: 'failed', error: { code: 'invalid_request' } })
  })

  it('a hidden decision like a missing one', async () => {
    const hidden = await decide('Hidden', { visibility: { scope: 'private' } })
    const without = ({ status, body: { instance: _, ...problem } }: Answer) => ({ status, problem })
    const expected = await report(missing, { outcome_status: 'success' }, bob)
    expect(expected.status).toBe(404)
    expect(without(await report(hidden, { outcome_status: 'success' }, bob))).toEqual(without(expected))
    await applied(report(hidden, { outcome_status: 'mixed', outcome_notes: 'A secret zeppelin.' }))
    const answer = await send(serving.url, 'POST', '/v1/context/search', { key: bob, body: { q: 'secret zeppelin' } })
    expect(answer.body.items).toEqual([])
  })

  it('another revision than the one in If-Match', async () => {
    const id = await decide('Revised', { external_id: 'revised' })
    await decide('Revised again', { external_id: 'revised' })
    const old = await report(id, { outcome_status: 'success' }, ann, { 'if-match': '"1"' })
    expect([old.status, old.body.code]).toEqual([409, 'revision_conflict'])
    await applied(report(id, { outcome_status: 'success' }, ann, { 'if-match': '"2"' }))
  })

  it('a credential in the notes', async () => {
    const id = await decide('Secret')
    const outcome_notes = `It leaked ${'AKIA'}${'QYLPMN5HHHFPZAM2'}.`
    const { body } = await report(id, { outcome_status: 'failure', outcome_notes })
    expect(body).toMatchObject({ state: 'rejected', error: { code: 'secret_detected' } })
    expect((await get(id)).outcomes.count).toBe(0)
  })
})
