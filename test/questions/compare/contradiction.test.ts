import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenQuestion } from '../../../src/questions/schema.ts'
import { type Body, type Serving, serve } from '../../http/serving.ts'
import { answering, asked, changeOf, memory, type Person, person, remembered, search } from '../resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann')
  bob = await person(serving, 'bob')
})
afterAll(() => serving.stop())

/** Waits for the question, because comparing runs after the write was applied. */
async function contradiction(who: Person, id: string): Promise<OpenQuestion> {
  for (let times = 0; times < 200; times++) {
    const found = (await asked(who, 'memory', id)).find(({ reason }) => reason === 'contradiction')
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no contradiction was found within 10 s')
}

const rest = '\n\nThe archive is in the cellar, and Emil has the key.'

describe('asking about a contradiction', () => {
  it('asks about a fact and the report of a session, but not about two reports', async () => {
    const [five, seven] = ['five', 'seven'].map((n) => `The night shift of the reports crew has ${n} people.`)
    const report = (content: string) => remembered(ann, content, { kind: 'session_outcome' })
    const older = await report(five as string)
    const newer = await report(seven as string)
    const fact = await remembered(ann, 'The night shift of the reports crew has nine people.')
    await contradiction(ann, fact)
    const about = [...(await asked(ann, 'memory', older)), ...(await asked(ann, 'memory', newer))]
    const claims = about.filter(({ reason }) => reason === 'contradiction').map(({ claim }) => claim)
    expect(claims.length).toBeGreaterThan(0)
    for (const claim of claims) expect(claim).toContain('nine people')
  })
})

describe('answering a contradiction', () => {
  const two = async (what: string, more: { older?: object; newer?: object; longer?: boolean } = {}) => {
    const day = (n: number) => `2025-0${n}-01T00:00:00Z`
    const older = await remembered(
      ann,
      `Copies of the ${what} ledger are kept for 3 years.${more.longer ? rest : ''}`,
      {
        occurred_at: day(1),
        ...more.older,
      },
    )
    const content = `We keep copies of the ${what} ledger for 7 years.`
    const newer = await remembered(ann, content, { occurred_at: day(2), ...more.newer })
    return { older, newer, question: await contradiction(ann, newer) }
  }

  it('supersedes the older record by the newer one if it is confirmed', async () => {
    const { older, newer, question } = await two('linden')
    expect(question.subject).toMatchObject({ kind: 'memory', id: newer })
    expect(await asked(ann, 'memory', older)).toEqual([question])
    const { body } = await answering(bob, {
      question_id: question.question_id,
      resolution: 'confirm',
      note: 'Asked Emil.',
    })
    expect(body.entity.id).toBe(newer)
    const now = await memory(ann, newer)
    expect(now).toMatchObject({ in_force: true, corrects: [{ id: older }], answers: [{ note: 'Asked Emil.' }] })
    expect(now.confirmed_at).toBeDefined()
    expect(await memory(ann, older)).toMatchObject({ in_force: false, superseded_by: [{ id: newer }] })
    const found = await search(ann, { q: 'copies of the linden ledger' })
    const ids = found.items.map(({ id }: Body) => id)
    expect([newer, older].map((id) => ids.includes(id))).toEqual([true, false])
    expect(found.conflicts).toMatchObject([{ source: { id: older }, superseded_by: { id: newer } }])
    expect(await changeOf(ann, older)).toMatchObject({ change_type: 'superseded', replacement_id: newer })
    expect(await asked(ann, 'memory', newer)).toEqual([])
  })

  it('is not asked by a search as of an instant before the newer record', async () => {
    const { older, newer, question } = await two('cedar')
    const asOf = async (as_of: string) => {
      const { items, open_questions } = await search(ann, { q: 'copies of the cedar ledger', as_of })
      const found = items.map(({ id }: Body) => id)
      return { found: [older, newer].filter((id) => found.includes(id)), open_questions }
    }
    expect(await asOf('2025-01-15T00:00:00Z')).toEqual({ found: [older], open_questions: [] })
    expect(await asOf('2025-02-15T00:00:00Z')).toEqual({ found: [older, newer], open_questions: [question] })
  })

  it('retracts only the claim if the older record says more than that', async () => {
    const { older, newer, question } = await two('birch', { longer: true })
    await answering(bob, { question_id: question.question_id, resolution: 'confirm' })
    expect(await memory(ann, older)).toMatchObject({ in_force: true, superseded_by: [] })
    const { conflicts } = await search(ann, { q: 'archive cellar key birch' })
    const conflict = conflicts.find((one: Body) => one.source.id === older)
    expect(conflict).toMatchObject({ superseded_by: { id: newer } })
    expect(conflict.message).toContain('kept for 3 years')
  })

  it.each(['correct', 'answer'])('supersedes both records by the note (%s)', async (resolution) => {
    const what = resolution === 'correct' ? 'maple' : 'poplar'
    const { older, newer, question } = await two(what)
    const note = `Copies of the ${what} ledger are kept for 5 years.`
    const { body } = await answering(bob, { question_id: question.question_id, resolution, note })
    const made = body.entity.id
    for (const id of [older, newer])
      expect(await memory(ann, id)).toMatchObject({ in_force: false, superseded_by: [{ id: made }] })
    expect((await memory(ann, made)).corrects.map(({ id }: Body) => id).sort()).toEqual([older, newer].sort())
    const found = await search(ann, { q: `copies of the ${what} ledger` })
    const ids = found.items.map(({ id }: Body) => id)
    expect([made, older, newer].map((id) => ids.includes(id))).toEqual([true, false, false])
    const replaced = found.conflicts.filter((one: Body) => one.superseded_by.id === made)
    expect(replaced.map(({ source }: Body) => source.id).sort()).toEqual([older, newer].sort())
  })

  it('keeps both records in force if it is dismissed, and never asks again', async () => {
    const { older, newer, question } = await two('acacia')
    await answering(bob, { question_id: question.question_id, resolution: 'dismiss', note: 'Two archives.' })
    for (const id of [older, newer]) {
      expect(await memory(ann, id)).toMatchObject({
        in_force: true,
        answers: [{ resolution: 'dismiss', note: 'Two archives.' }],
      })
      expect(await asked(ann, 'memory', id)).toEqual([])
    }
  })

  it('is hidden from those who do not see both records, and refuses to confirm a private one over a shared one', async () => {
    const { older, newer, question } = await two('willow', { newer: { visibility: { scope: 'private' } } })
    expect(await asked(bob, 'memory', older)).toEqual([])
    const { question_id } = question
    expect((await answering(bob, { question_id, resolution: 'dismiss' })).status).toBe(404)
    const refused = await answering(ann, { question_id, resolution: 'confirm' })
    expect([refused.status, refused.body.details.issues[0].path]).toEqual([400, 'resolution'])
    // a note is visible to everyone who saw the wider of the two
    const note = 'Copies of the willow ledger are kept for 5 years.'
    const { body } = await answering(ann, { question_id, resolution: 'correct', note })
    expect(await memory(bob, body.entity.id)).toMatchObject({ content: note, visibility: { scope: 'workspace' } })
    const seen = JSON.stringify([await memory(bob, body.entity.id), await memory(bob, older)])
    expect(seen).not.toContain(newer)
    expect(seen).not.toContain(question_id)
  })

  it('copies neither topics nor links to the note from a record that not all its readers see', async () => {
    const visibility = { scope: 'private' }
    const { question } = await two('rowan', {
      older: { topics: ['archive'] },
      newer: { visibility, topics: ['merger'] },
    })
    const note = 'Copies of the rowan ledger are kept for 5 years.'
    const { body } = await answering(ann, { question_id: question.question_id, resolution: 'correct', note })
    expect(await memory(bob, body.entity.id)).toMatchObject({ topics: ['archive'], kind: 'correction' })
    // the longer record stays in force: the note supersedes only the private record as a whole
    const longer = await two('hazel', { longer: true, newer: { visibility, topics: ['merger'] } })
    const other = { question_id: longer.question.question_id, resolution: 'correct', note: `${note} Hazel too.` }
    const made = (await answering(ann, other)).body.entity.id
    const seen = await memory(bob, made)
    expect(seen).toMatchObject({ topics: [], kind: 'fact', corrects: [] })
    expect(seen.corrects_memory_id).toBeUndefined()
    expect(await memory(ann, longer.newer)).toMatchObject({ in_force: false, superseded_by: [{ id: made }] })
  })
})
