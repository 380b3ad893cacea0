/** POST /api/v2/decisions/:id/supersede through HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, applied, type Body, type Serving, send, serve } from '../http/serving.ts'

const team = '11111111-1111-7111-8111-111111111111'
const missing = '00000000-0000-7000-8000-00000000dead'
let serving: Serving
let ann: string
let bob: string
beforeAll(async () => {
  serving = await serve()
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann', teams: [team] })
  bob = await serving.key(['context:read', 'context:write'], { user: 'bob' })
})
afterAll(() => serving.stop())

const post = (path: string, body: object, key = ann, headers: Record<string, string> = {}): Promise<Answer> =>
  send(serving.url, 'POST', `/api/v2/decisions${path}`, { key, body, headers: { prefer: 'wait=20', ...headers } })
const supersede = (id: string, body: object, key = ann, headers = {}) => post(`/${id}/supersede`, body, key, headers)

async function decide(title: string, more: object = {}, key = ann): Promise<string> {
  return (await applied(post('', { title, judgment: `We choose ${title}.`, ...more }, key))).entity.id
}
async function get(id: string, key = ann): Promise<Body> {
  return (await send(serving.url, 'GET', `/v1/decisions/${id}`, { key })).body
}

it('without an idempotency key, each call records another decision', async () => {
  const [one, other] = [await decide('Tabs'), await decide('Tabs')]
  expect(other).not.toBe(one)
})

describe('superseding by an existing decision', () => {
  it('ends the older one, and shows the reason', async () => {
    const older = await decide('Rail', { decided_at: '2024-01-01T00:00:00Z' })
    const newer = await decide('Road', { decided_at: '2025-01-01T00:00:00Z' })
    const { status, body } = await supersede(older, { superseded_by: newer, reason: 'Rail is closed.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ operation: 'decision.supersede', state: 'applied', entity: { id: newer } })
    expect(await get(older)).toMatchObject({
      in_force: false,
      valid_to: '2025-01-01T00:00:00.000Z',
      superseded_by_decision_id: newer,
    })
    const { supersedes, prior_positions } = await get(newer)
    expect({ supersedes, prior_positions }).toMatchObject({
      supersedes: [older],
      prior_positions: [{ id: older, supersession_reason: 'Rail is closed.' }],
    })
  })

  it('takes effect once a proposal is accepted', async () => {
    const older = await decide('Paper')
    const newer = await decide('Screens', { status: 'proposed' })
    expect((await supersede(older, { superseded_by: newer, reason: 'Trees.' })).body.state).toBe('applied')
    expect((await get(older)).in_force).toBe(true)
    const answer = { question_id: `judgment:${newer}`, resolution: 'confirm' }
    const headers = { prefer: 'wait=20', 'idempotency-key': 'accept-the-screens' }
    await send(serving.url, 'POST', '/v1/context/resolve', { key: ann, body: answer, headers })
    expect(await get(older)).toMatchObject({ in_force: false, superseded_by_decision_id: newer })
    expect((await get(newer)).prior_positions).toMatchObject([{ id: older, supersession_reason: 'Trees.' }])
  })

  it('fails if the older one supersedes the newer one, or is the same', async () => {
    const older = await decide('Ferry')
    const newer = await decide('Bridge', { supersedes: [older] })
    for (const [id, by] of [
      [newer, older],
      [newer, newer],
    ] as const) {
      const { body } = await supersede(id, { superseded_by: by })
      expect(body).toMatchObject({ state: 'failed', error: { code: 'would_cycle' } })
    }
  })

  it('does not reveal the older one to readers who see only the newer one', async () => {
    const older = await decide('Quiet', { visibility: { scope: 'team', team_id: team } })
    const newer = await decide('Loud')
    const before = await get(newer, bob)
    expect((await supersede(older, { superseded_by: newer })).body.state).toBe('applied')
    expect(await get(newer, bob)).toEqual(before)
    expect((await get(newer)).supersedes).toEqual([older])
    expect((await get(older)).in_force).toBe(false)
  })
})

describe('superseding by a new decision', () => {
  it('records the new decision in the same step, and reason overrides supersession_reason', async () => {
    const older = await decide('Steam')
    const other = await decide('Horses')
    const decision = {
      title: 'Diesel',
      judgment: 'We buy diesel engines.',
      supersession_reason: 'Newer.',
      supersedes: [other],
    }
    const { body } = await supersede(older, { decision, reason: 'Cheaper.' })
    expect(body).toMatchObject({ state: 'applied', entity: { type: 'decision', label: 'Diesel' } })
    const made = await get(body.entity.id)
    expect(made).toMatchObject({ in_force: true, supersession_reason: 'Cheaper.' })
    expect(made.supersedes.sort()).toEqual([older, other].sort())
    expect((await get(older)).in_force).toBe(false)
  })

  it('takes effect on the date of the newer one', async () => {
    const older = await decide('Winter hours')
    const decision = { title: 'Summer hours', judgment: 'From eight.', decided_at: '2099-06-01T00:00:00Z' }
    expect((await supersede(older, { decision })).body.state).toBe('applied')
    expect(await get(older)).toMatchObject({ in_force: true, superseded_by: [] })
  })

  it('rejects a new decision with a credential, and stores nothing', async () => {
    const older = await decide('Secrets')
    const decision = { title: 'Key', judgment: `Use ${'AKIA'}${'QYLPMN5HHHFPZAM2'} for it.` }
    const { body } = await supersede(older, { decision })
    expect(body).toMatchObject({ state: 'rejected', error: { details: { place: 'decision.judgment' } } })
    expect((await get(older)).in_force).toBe(true)
  })
})

it('superseding a superseded decision fails and names the visible head', async () => {
  const first = await decide('First')
  const second = await decide('Second', { supersedes: [first] })
  const third = await decide('Third', { supersedes: [second] })
  const other = await decide('Other')
  const count = (await send(serving.url, 'POST', '/v1/decisions/search', { key: ann, body: { ids: [first] } })).body
  for (const body of [{ superseded_by: other }, { decision: { title: 'More', judgment: 'More of it.' } }]) {
    const { status, body: receipt } = await supersede(first, body)
    expect(status).toBe(200)
    expect(receipt).toMatchObject({
      state: 'failed',
      error: { code: 'already_superseded', details: { head: { type: 'decision', id: third } } },
    })
  }
  expect((await send(serving.url, 'POST', '/v1/decisions/search', { key: ann, body: { ids: [first] } })).body).toEqual(
    count,
  )
})

describe('the supersede call refuses', () => {
  const proposed = { title: 'Maybe', judgment: 'Perhaps.', status: 'proposed' }
  const made = { title: 'Sure', judgment: 'Certainly.' }
  it.each([
    ['a body without a successor', {}, 'superseded_by'],
    ['a body with two successors', { superseded_by: missing, decision: made }, 'decision'],
    ['a proposed decision', { decision: proposed }, 'decision.status'],
    ['an unknown field of the decision', { decision: { ...made, titel: 'x' } }, 'decision.titel'],
    ['a reason that is too long', { superseded_by: missing, reason: 'x'.repeat(2001) }, 'reason'],
    ['an id in the body', { id: missing, superseded_by: missing }, 'id'],
    [
      'a decision that fewer people see',
      { decision: { ...made, visibility: { scope: 'private' } } },
      'decision.visibility',
    ],
  ])('%s', async (_, body, path) => {
    const id = await decide('Refused')
    const answer = await supersede(id, body)
    expect(answer.status).toBe(400)
    expect(answer.body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    expect((await get(id)).in_force).toBe(true)
  })

  it('a hidden decision like a missing one, in the path and in the body', async () => {
    const hidden = await decide('Hidden', { visibility: { scope: 'private' } })
    const own = await decide('Own', {}, bob)
    const without = ({ status, body: { instance: _, ...problem } }: Answer) => ({ status, problem })
    const ofPath = await supersede(missing, { superseded_by: own }, bob)
    expect(ofPath.status).toBe(404)
    expect(without(await supersede(hidden, { superseded_by: own }, bob))).toEqual(without(ofPath))
    const ofBody = await supersede(own, { superseded_by: missing }, bob)
    expect(ofBody.status).toBe(404)
    expect(without(await supersede(own, { superseded_by: hidden }, bob))).toEqual(without(ofBody))
  })

  it('another revision than the one in If-Match', async () => {
    const id = await decide('Revised', { external_id: 'revised' })
    await decide('Revised again', { external_id: 'revised' })
    const by = await decide('Replacement')
    const old = await supersede(id, { superseded_by: by }, ann, { 'if-match': '"1"' })
    expect([old.status, old.body.code]).toEqual([409, 'revision_conflict'])
    const now = await supersede(id, { superseded_by: by }, ann, { 'if-match': '"2"' })
    expect([now.status, now.body.state]).toEqual([200, 'applied'])
  })
})

it('the same key and input give the same receipt, and the same key for another id a conflict', async () => {
  const [older, other, newer] = [await decide('One'), await decide('Two'), await decide('Three')]
  const headers = { 'idempotency-key': 'supersede-once' }
  const first = await supersede(older, { superseded_by: newer }, ann, headers)
  const again = await supersede(older, { superseded_by: newer }, ann, headers)
  expect(again.body.receipt_id).toBe(first.body.receipt_id)
  expect((await supersede(other, { superseded_by: newer }, ann, headers)).status).toBe(409)
})
