import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenQuestion } from '../../src/questions/schema.ts'
import { type Body, type Serving, serve } from '../http/serving.ts'
import { answering, asked, changeOf, memory, type Person, person, remembered, search } from './resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann')
  bob = await person(serving, 'bob')
})
afterAll(() => serving.stop())

/** Comparing goes on behind the writes: until it has asked. */
async function contradiction(who: Person, id: string): Promise<OpenQuestion> {
  for (let times = 0; times < 200; times++) {
    const found = (await asked(who, 'memory', id)).find(({ reason }) => reason === 'contradiction')
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nothing was asked')
}

const rest = '\n\nThe archive is in the cellar, and Emil has the key.'

describe('the answer to a contradiction', () => {
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

  it('confirms the newer one, which supersedes the other', async () => {
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

  it('confirms the newer one against a longer record: only its claim is superseded', async () => {
    const { older, newer, question } = await two('birch', { longer: true })
    await answering(bob, { question_id: question.question_id, resolution: 'confirm' })
    expect(await memory(ann, older)).toMatchObject({ in_force: true, superseded_by: [] })
    const { conflicts } = await search(ann, { q: 'archive cellar key birch' })
    const conflict = conflicts.find((one: Body) => one.source.id === older)
    expect(conflict).toMatchObject({ superseded_by: { id: newer } })
    expect(conflict.message).toContain('kept for 3 years')
  })

  it.each(['correct', 'answer'])('puts the note in the place of both (%s)', async (resolution) => {
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

  it('dismisses it: both stay, and nobody is asked again', async () => {
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

  it('asks nobody who does not see both, and supersedes nothing that more people see', async () => {
    const { older, newer, question } = await two('willow', { newer: { visibility: { scope: 'private' } } })
    expect(await asked(bob, 'memory', older)).toEqual([])
    const { question_id } = question
    expect((await answering(bob, { question_id, resolution: 'dismiss' })).status).toBe(404)
    const refused = await answering(ann, { question_id, resolution: 'confirm' })
    expect([refused.status, refused.body.details.issues[0].path]).toEqual([400, 'resolution'])
    // with a note it is said to all who saw the wider of the two
    const note = 'Copies of the willow ledger are kept for 5 years.'
    const { body } = await answering(ann, { question_id, resolution: 'correct', note })
    expect(await memory(bob, body.entity.id)).toMatchObject({ content: note, visibility: { scope: 'workspace' } })
    const seen = JSON.stringify([await memory(bob, body.entity.id), await memory(bob, older)])
    expect(seen).not.toContain(newer)
    expect(seen).not.toContain(question_id)
  })

  it('carries nothing over from a record that only some of those see who see the note', async () => {
    const visibility = { scope: 'private' }
    const { question } = await two('rowan', {
      older: { topics: ['archive'] },
      newer: { visibility, topics: ['merger'] },
    })
    const note = 'Copies of the rowan ledger are kept for 5 years.'
    const { body } = await answering(ann, { question_id: question.question_id, resolution: 'correct', note })
    expect(await memory(bob, body.entity.id)).toMatchObject({ topics: ['archive'], kind: 'correction' })
    // a longer record keeps its place: what the note replaces whole is the private one alone
    const longer = await two('hazel', { longer: true, newer: { visibility, topics: ['merger'] } })
    const other = { question_id: longer.question.question_id, resolution: 'correct', note: `${note} Hazel too.` }
    const made = (await answering(ann, other)).body.entity.id
    const seen = await memory(bob, made)
    expect(seen).toMatchObject({ topics: [], kind: 'fact', corrects: [] })
    expect(seen.corrects_memory_id).toBeUndefined()
    expect(await memory(ann, longer.newer)).toMatchObject({ in_force: false, superseded_by: [{ id: made }] })
  })
})
