/** The question that a failed decision raises (loss_ledger_gap), through HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applied, type Body, type Serving, send, serve } from '../http/serving.ts'

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
function write(method: string, path: string, body: object): Promise<Body> {
  keys += 1
  const headers = { prefer: 'wait=20', 'idempotency-key': `loss-${keys}-of-the-test` }
  return applied(send(serving.url, method, path, { key: ann, body, headers }))
}
async function decide(title: string, more: object = {}): Promise<string> {
  const body = { title, judgment: `We choose ${title}.`, ...more }
  return (await write('POST', '/api/v2/decisions', body)).entity.id
}
const report = (id: string, outcome_status: string, more: object = {}) =>
  write('PATCH', `/api/v2/decisions/${id}/outcome`, { outcome_status, ...more })
const answer = (question_id: string, resolution: string, more: object = {}) =>
  write('POST', '/v1/context/resolve', { question_id, resolution, ...more })
/** The open questions about a decision. */
async function questionsOn(id: string, key = ann): Promise<Body[]> {
  const references = [{ type: 'decision', id }]
  return (await send(serving.url, 'POST', '/v1/context/search', { key, body: { references } })).body.open_questions
}
async function lossOn(id: string): Promise<Body> {
  const [question, ...others] = await questionsOn(id)
  expect(others).toEqual([])
  expect(question.reason).toBe('loss_ledger_gap')
  return question
}
const get = async (id: string): Promise<Body> =>
  (await send(serving.url, 'GET', `/v1/decisions/${id}`, { key: ann })).body

it('a failed decision asks what was learned; a mixed or successful one does not', async () => {
  const id = await decide('Kiosks')
  await report(id, 'mixed')
  await report(id, 'success')
  expect(await questionsOn(id)).toEqual([])
  await report(id, 'failure')
  expect(await lossOn(id)).toMatchObject({
    claim: '“Kiosks” failed. What was learned, and what replaces it?',
    priority: 'tracking',
    subject: { kind: 'decision', id },
  })
})

it('questions and doubts in the notes of an outcome raise no further question', async () => {
  const id = await decide('Doubts')
  await report(id, 'mixed', { outcome_notes: 'I think that it broke. Who will repair it?' })
  expect(await questionsOn(id)).toEqual([])
})

it('a failure observed before the leading outcome asks nothing', async () => {
  const id = await decide('Late')
  await report(id, 'success', { observed_at: '2025-05-01T00:00:00Z' })
  await report(id, 'failure', { observed_at: '2025-04-01T00:00:00Z' })
  expect(await questionsOn(id)).toEqual([])
})

it('no question is asked if the decision is deprecated, or has a successor or a pending one', async () => {
  const deprecated = await decide('Old way', { status: 'deprecated' })
  const superseded = await decide('Superseded')
  await decide('Its successor', { supersedes: [superseded] })
  const proposed = await decide('About to go')
  await decide('The proposal', { supersedes: [proposed], status: 'proposed' })
  const dated = await decide('Until June')
  await decide('From June', { supersedes: [dated], decided_at: '2099-06-01T00:00:00Z' })
  const rejected = await decide('Still standing')
  await decide('The rejected one', { supersedes: [rejected], status: 'rejected' })
  for (const id of [deprecated, superseded, proposed, dated, rejected]) await report(id, 'failure')
  const losses = async (id: string) => (await questionsOn(id)).filter(({ reason }) => reason === 'loss_ledger_gap')
  for (const id of [deprecated, superseded, proposed, dated]) expect(await losses(id)).toEqual([])
  expect(await losses(rejected)).toHaveLength(1)
})

it('a later failure asks again, once, even if the first question was dismissed', async () => {
  const id = await decide('Again')
  await report(id, 'failure', { outcome_notes: 'First.' })
  const first = await lossOn(id)
  await report(id, 'failure', { outcome_notes: 'Second.' })
  const second = await lossOn(id)
  expect(second.question_id).not.toBe(first.question_id)
  await answer(second.question_id, 'dismiss')
  expect(await questionsOn(id)).toEqual([])
  await report(id, 'failure', { outcome_notes: 'Second.' })
  expect(await questionsOn(id)).toEqual([])
  await report(id, 'failure', { outcome_notes: 'Third.' })
  expect((await lossOn(id)).question_id).not.toBe(second.question_id)
})

it('a supersession or a later success closes the question; a new revision does not', async () => {
  const replaced = await decide('Replaced')
  await report(replaced, 'failure')
  await lossOn(replaced)
  await write('POST', `/api/v2/decisions/${replaced}/supersede`, { decision: { title: 'New', judgment: 'Anew.' } })
  expect(await questionsOn(replaced)).toEqual([])
  const recovered = await decide('Recovered', { external_id: 'recovered' })
  await report(recovered, 'failure')
  const { question_id } = await lossOn(recovered)
  await decide('Recovered slowly', { external_id: 'recovered' })
  expect((await lossOn(recovered)).question_id).toBe(question_id)
  await report(recovered, 'success')
  expect(await questionsOn(recovered)).toEqual([])
})

it.each(['answer', 'correct'])(
  'the note of an answer with %s becomes a memory that cites the decision, which stays unchanged',
  async (resolution) => {
    const id = await decide(`Lessons of ${resolution}`, { visibility: { scope: 'private' } })
    await report(id, 'failure')
    const before = await get(id)
    const { question_id } = await lossOn(id)
    const note = `Glass breaks in the ${resolution} of winter.`
    const { entity } = await answer(question_id, resolution, { note })
    expect(entity.type).toBe('memory')
    const memory = (await send(serving.url, 'GET', `/v1/context/memories/${entity.id}`, { key: ann })).body
    expect(memory).toMatchObject({ kind: 'fact', content: note, in_force: true, visibility: { scope: 'private' } })
    expect(memory.sources).toContainEqual(expect.objectContaining({ type: 'decision', id }))
    const { answers, ...after } = await get(id)
    expect({ ...after, answers: [] }).toEqual({ ...before, answers: [] })
    expect(answers).toMatchObject([{ question_id, resolution, note, made: entity.id }])
    expect(await questionsOn(id)).toEqual([])
  },
)

it('confirm closes the question, and does not make the decision more credible', async () => {
  const id = await decide('Confirmed')
  await report(id, 'failure')
  const { answers: _, ...before } = await get(id)
  const { question_id } = await lossOn(id)
  await answer(question_id, 'confirm')
  const { answers, ...after } = await get(id)
  expect(after).toEqual(before)
  expect(answers).toMatchObject([{ question_id, resolution: 'confirm' }])
  expect(await questionsOn(id)).toEqual([])
})

it('only those who see the decision are asked', async () => {
  const id = await decide('Private loss', { visibility: { scope: 'private' } })
  await report(id, 'failure')
  await lossOn(id)
  expect(await questionsOn(id, bob)).toEqual([])
  const brief = (await send(serving.url, 'GET', '/v1/context/brief', { key: bob })).body
  expect(JSON.stringify(brief)).not.toContain('Private loss')
})
