/** Answers that keep what is recorded: one of two claims, or a decision whose supersession was not meant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenQuestion } from '../../../src/questions/schema.ts'
import { type Serving, send, serve } from '../../http/serving.ts'
import {
  answering,
  asked,
  decided,
  decision,
  eventually,
  memory,
  onlyAsked,
  type Person,
  person,
  remembered,
  search,
} from '../resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann')
  bob = await person(serving, 'bob')
})
afterAll(() => serving.stop())

const kept = (what: string, years: number) => `Copies of the ${what} ledger are kept for ${years} years.`
const at = (year: number) => ({ occurred_at: `${year}-01-01T00:00:00Z` })

async function contradiction(what: string, more: object = {}) {
  const older = await remembered(ann, kept(what, 3), at(2024))
  const newer = await remembered(ann, `We keep copies of the ${what} ledger for 7 years.`, { ...at(2025), ...more })
  const { question_id } = await eventually(() => onlyAsked(ann, 'memory', newer))
  return { older, newer, question_id }
}

describe('keeping one claim of a contradiction', () => {
  it.each([
    ['keep the older', 'ash'],
    ['Keep the older.', 'birch'],
    ['the older holds', 'alder'],
    ['Keep the old one', 'larch'],
    ['The earlier statement is still right.', 'hazel'],
    ['The older record is correct; the newer was a mistake.', 'aspen'],
  ])('keeps the older one and creates no record: %s', async (note, what) => {
    const { older, newer, question_id } = await contradiction(what)
    const { body } = await answering(bob, { question_id, resolution: 'correct', note })
    expect(body.entity).toMatchObject({ type: 'memory', id: older })
    expect(await memory(ann, older)).toMatchObject({
      in_force: true,
      superseded_by: [],
      confirmed_at: expect.any(String),
    })
    const replaced = await memory(ann, newer)
    expect(replaced).toMatchObject({ in_force: false, superseded_by: [{ id: older }], answers: [{ note }] })
    const late = await answering(bob, { question_id, resolution: 'dismiss' })
    expect(late).toMatchObject({ status: 409, body: { details: { state: 'answered', closed_by: 'bob' } } })
    expect(replaced.answers[0].made).toBeUndefined()
    expect(await asked(ann, 'memory', older)).toEqual([])
  })

  it('tells that the claim of a longer record ceased to hold with the answer, not when the older record began', async () => {
    const older = await remembered(ann, kept('holm oak', 3), at(2024))
    const claim = 'We keep copies of the holm oak ledger for 7 years.'
    const newer = await remembered(ann, `Met Emil. ${claim}`, at(2025))
    const { question_id } = await eventually(() => onlyAsked(ann, 'memory', newer))
    await answering(bob, { question_id, resolution: 'correct', note: 'keep the older' })
    const { in_force, superseded_claims } = await memory(ann, newer)
    expect({ in_force, superseded_claims }).toMatchObject({
      in_force: true,
      superseded_claims: [{ claim, by: { id: older }, since: expect.stringMatching(/^20(?!2[45])/) }],
    })
  })

  it('retracts only the clause with the other value, and a brief tells the rest as current', async () => {
    const claim = 'Refunds of up to 150 EUR may be approved by any support agent'
    const older = await remembered(ann, `${claim}; above that a team lead signs.`, { kind: 'constraint', ...at(2024) })
    const newer = await remembered(ann, 'The refund limit for support agents was raised to 250 EUR.', at(2025))
    const question = await eventually(() => onlyAsked(ann, 'memory', newer))
    expect(question.claim).toContain(`or “${claim}” (2024`)
    await answering(bob, { question_id: question.question_id, resolution: 'confirm' })
    const found = await memory(ann, older)
    expect(found).toMatchObject({ in_force: true, superseded_claims: [{ claim, by: { id: newer } }] })
    const { body } = await send(ann.url, 'GET', '/v1/context/brief?query=who+approves+refunds+of+support+agents', ann)
    const line = body.markdown.split('\n').find((one: string) => one.includes('above that a team lead signs'))
    expect(line).toBeDefined()
    expect(line).not.toContain('150 EUR')
    expect((await search(ann, { query: 'refunds team lead' })).conflicts).toMatchObject([{ source: { id: older } }])
  })

  it.each([
    ['yes', 'maple'],
    ['The first one.', 'willow'],
    ['both hold', 'poplar'],
    ['no', 'linden'],
    ['Both hold: one is the ledger of the press, the other that of the shop.', 'chestnut'],
    ['They do not contradict each other.', 'walnut'],
    ['I don’t know.', 'cedar'],
    ['No idea, ask Calum', 'cypress'],
    ['It’s still 3 years.', 'spruce'],
    ['6', 'juniper'],
    ['The older holds only on paper.', 'hawthorn'],
    ['the newer one is right, except for the press', 'sycamore'],
  ])('refuses a note that does not say what is right: %s', async (note, what) => {
    const { older, newer, question_id } = await contradiction(what)
    const refused = await answering(bob, { question_id, resolution: 'correct', note })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail: expect.stringMatching(/^note: .*dismiss$/) },
    })
    for (const id of [older, newer]) expect(await memory(ann, id)).toMatchObject({ in_force: true })
  })

  it('replaces both by a note that names what it is about', async () => {
    const { older, newer, question_id } = await contradiction('rowan')
    const note = 'Copies of the rowan ledger are kept for 5 years.'
    const { body } = await answering(bob, { question_id, resolution: 'correct', note })
    expect(await memory(ann, body.entity.id)).toMatchObject({ content: note, in_force: true })
    for (const id of [older, newer]) expect(await memory(ann, id)).toMatchObject({ in_force: false })
  })

  it('keeps the newer one like confirm', async () => {
    const { older, newer, question_id } = await contradiction('elm')
    await answering(bob, { question_id, resolution: 'answer', note: 'The newer one is right, Calum confirmed it.' })
    expect(await memory(ann, newer)).toMatchObject({ in_force: true })
    expect(await memory(ann, older)).toMatchObject({ in_force: false, superseded_by: [{ id: newer }] })
  })

  it('answers once if two people answer at the same time, and refuses later answers', async () => {
    const { older, newer, question_id } = await contradiction('yew')
    const answers = await Promise.all(
      ['keep the older', 'keep the newer'].map((note) => answering(bob, { question_id, resolution: 'correct', note })),
    )
    const applied = answers.filter(({ body }) => body.state === 'applied')
    expect(applied).toHaveLength(1)
    const inForce = await Promise.all([older, newer].map(async (id) => (await memory(ann, id)).in_force))
    expect(inForce.filter(Boolean)).toHaveLength(1)
    const late = await answering(bob, { question_id, resolution: 'correct', note: 'keep the older' })
    expect(late).toMatchObject({ status: 409, body: { code: 'revision_conflict' } })
  })

  it('is refused if not everyone who sees the replaced record sees the kept one, and with a visibility', async () => {
    const own = { visibility: { scope: 'private' } }
    const older = await remembered(ann, kept('oak', 3), { ...at(2024), ...own })
    const newer = await remembered(ann, 'We keep copies of the oak ledger for 7 years.', at(2025))
    const { question_id } = await eventually(() => onlyAsked(ann, 'memory', newer))
    const wrong = { question_id, resolution: 'correct', note: 'keep the older' }
    expect((await answering(ann, wrong)).status).toBe(400)
    const { status, body } = await answering(ann, { ...wrong, note: 'keep the newer', ...own })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('visibility')])
    expect(await memory(ann, older)).toMatchObject({ in_force: true })
  })

  it('stays a text of its own in answer to another question', async () => {
    const id = await remembered(ann, 'I think the press room closes at six.')
    const { question_id } = await onlyAsked(ann, 'memory', id)
    const { body } = await answering(bob, { question_id, resolution: 'correct', note: 'keep the older' })
    expect(await memory(ann, body.entity.id)).toMatchObject({ content: 'keep the older' })
  })
})

it.each(['I don’t know', 'no idea, ask Ada', '???'])(
  'refuses to record that somebody does not know: %s',
  async (note) => {
    const id = await remembered(ann, `I think press room ${note.length} closes at six.`)
    const { question_id } = await onlyAsked(ann, 'memory', id)
    const { status, body } = await answering(bob, { question_id, resolution: 'correct', note })
    expect([status, body.detail]).toEqual([400, expect.stringContaining('leave the question open')])
  },
)

describe('questions that ask the same', () => {
  it('are closed by one answer: a doubtful constraint of a single source', async () => {
    const content = 'I think crates must be weighed.'
    const id = await remembered(ann, content, { kind: 'constraint', sources: [{ type: 'mail', id: 'mail-9' }] })
    const { question_id, reason } = await onlyAsked(ann, 'memory', id)
    expect(reason).toBe('low_confidence')
    await answering(bob, { question_id, resolution: 'confirm' })
    expect(await asked(ann, 'memory', id)).toEqual([])
    // one answer closed both: the second one is about single_source, which asks the same
    expect((await memory(ann, id)).answers).toMatchObject([{ question_id, resolution: 'confirm' }])
    const { body } = await send(ann.url, 'GET', '/v1/context/brief?query=crates%20weighed', { key: ann.key })
    expect(body.markdown).toMatch(/crates must be weighed\. \(\d{4}-\d\d-\d\d, confirmed \d{4}-\d\d-\d\d\)/)
  })
})

describe('an answer that also closes a question asking the same the other way round', () => {
  const raked = (times: number) => `The sand of the arena is raked ${times} times a day.`
  const inMonth = (month: number) => ({ occurred_at: `2024-0${month}-01T00:00:00Z` })
  const asOfJuly = async () =>
    (await search(ann, { q: 'sand of the arena raked', as_of: '2024-07-01T00:00:00Z' })).items.map(
      (item: { id: string }) => item.id,
    )

  /** January says 5, March says 3, and June says 5 again. */
  async function threeRecords() {
    const january = await remembered(ann, raked(5), inMonth(1))
    const march = await remembered(ann, raked(3), inMonth(3))
    const june = await remembered(ann, raked(5), { ...inMonth(6), title: 'Arena' })
    const [about, swapped] = await eventually(() =>
      Promise.all([january, june].map((id) => onlyAsked(ann, 'memory', id))),
    )
    return { january, march, june, about: about as OpenQuestion, swapped: swapped as OpenQuestion }
  }

  it('ends the record that is newer than the kept one now, and records the answer with the question that it was given to', async () => {
    const { january, march, june, about, swapped } = await threeRecords()
    expect((await asOfJuly()).sort()).toEqual([january, march, june].sort())
    await answering(bob, { question_id: about.question_id, resolution: 'confirm' })
    expect(await memory(ann, march)).toMatchObject({ in_force: true, answers: [{ claim: about.claim }] })
    const [first, last] = [await memory(ann, january), await memory(ann, june)]
    expect(first).toMatchObject({ in_force: false, valid_to: '2024-03-01T00:00:00.000Z' })
    expect(last).toMatchObject({ in_force: false, superseded_by: [{ id: march }] })
    expect((await asOfJuly()).sort()).toEqual([march, june].sort())
    for (const { answers } of [first, last]) {
      expect(answers).toMatchObject([
        { question_id: about.question_id, claim: about.claim, resolution: 'confirm', answered_by: 'bob' },
      ])
      expect(answers).toHaveLength(1)
    }
    const late = await answering(ann, { question_id: swapped.question_id, resolution: 'dismiss' })
    const { answered_at } = last.answers[0]
    expect(late).toMatchObject({
      status: 409,
      body: {
        detail: `The question ${swapped.question_id} is closed: it asks the same as ${about.question_id}, which was confirmed by bob at ${answered_at}.`,
        details: { question_id: swapped.question_id, state: 'closed', closed_at: answered_at, closed_by: 'bob' },
      },
    })
  })
})

describe('correcting the supersession of a strategic decision', () => {
  const replaced = async (title: string) => {
    const old = await decided(ann, title, `We do it by ${title}.`, { significance: 'strategic' })
    const id = await decided(ann, `Not ${title}`, 'We do it otherwise.', { supersedes: [old], status: 'proposed' })
    await answering(bob, { question_id: `judgment:${id}`, resolution: 'confirm' })
    const { question_id } = await onlyAsked(ann, 'decision', id)
    return { old, id, question_id }
  }

  it('puts the older decision in force again as a new revision, and leaves the newer one in force', async () => {
    const { old, id, question_id } = await replaced('hand press')
    const between = new Date().toISOString()
    const note = 'Only the shop in May.'
    const { body } = await answering(bob, { question_id, resolution: 'correct', note })
    expect(body).toMatchObject({ state: 'applied', entity: { type: 'memory' } })
    expect(await decision(ann, old)).toMatchObject({ in_force: true, revision: 2, superseded_by: [] })
    expect(await decision(ann, id)).toMatchObject({ in_force: true, supersedes: [] })
    expect(await memory(ann, body.entity.id)).toMatchObject({ content: note, in_force: true })
    const idsOf = async (more: object) =>
      (await search(ann, { q: 'hand press', ...more })).items.map((item: { id: string }) => item.id)
    expect(await idsOf({})).toContain(old)
    expect(await idsOf({ as_of: between })).not.toContain(old)
    // it can be superseded again
    const next = await decided(ann, 'Engine press', 'By engine.', { supersedes: [old] })
    expect(await decision(ann, old)).toMatchObject({ in_force: false, superseded_by_decision_id: next })
    expect(await idsOf({ as_of: between })).not.toContain(old)
  })

  it('changes nothing twice: a second answer is refused', async () => {
    const { old, question_id } = await replaced('foot press')
    const answer = { question_id, resolution: 'correct', note: 'It was not meant.' }
    const states = (await Promise.all([answering(ann, answer), answering(bob, answer)])).map(({ body }) => body.state)
    expect(states.filter((state) => state === 'applied')).toHaveLength(1)
    expect(await decision(ann, old)).toMatchObject({ in_force: true, revision: 2 })
  })

  it('only explains if the older decision has another successor too', async () => {
    const { old, id, question_id } = await replaced('screw press')
    const other = await decided(ann, 'No press', 'We press nothing.', { supersedes: [id] })
    await decided(ann, 'Also no press', 'None.', { supersedes: [old] })
    expect(other).toBeDefined()
    await answering(bob, { question_id, resolution: 'correct', note: 'It was not meant.' })
    expect(await decision(ann, old)).toMatchObject({ in_force: false })
  })
})
