/** One conflict is told once, however many records repeat a claim in the same words. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, send, serve } from '../http/serving.ts'
import { answering, asked, eventually, type Person, person, remembered, search } from './resolving.ts'

let serving: Serving
let ann: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann')
})
afterAll(() => serving.stop())

it('shows one of the questions that ask the same, and its answer closes the other', async () => {
  const older = await remembered(ann, 'The sand of the arena is raked 3 times a day.')
  const first = await remembered(ann, 'The sand of the arena is raked 5 times a day.')
  const second = await remembered(ann, 'The sand of the arena is raked 5 times a day. The east gate is closed in May.')
  const [one, other] = await eventually(async () => {
    const found = [await asked(ann, 'memory', first), await asked(ann, 'memory', second)]
    if (found.some(({ length }) => length !== 1)) throw new Error(JSON.stringify(found))
    return found.map(([question]) => question?.question_id as string)
  })
  expect(one).not.toBe(other)

  const listed = async () => (await send(ann.url, 'GET', '/v1/context/questions', { key: ann.key })).body.items
  const brief = async () => (await send(ann.url, 'GET', '/v1/context/brief', { key: ann.key })).body
  expect(await listed()).toHaveLength(1)
  expect((await search(ann, { q: 'how often is the sand of the arena raked' })).open_questions).toHaveLength(1)
  expect((await brief()).open_questions).toHaveLength(1)

  await answering(ann, { question_id: (await listed())[0].question_id, resolution: 'correct', note: 'keep the older' })
  expect(await listed()).toEqual([])
  expect(await asked(ann, 'memory', older)).toEqual([])
})

it('shows a doubtful promise with one outside source once, and closes both questions by one answer', async () => {
  const eva = await person(serving, 'eva')
  const sources = [{ type: 'email', id: 'm-1', provenance: { class: 'external' } }]
  const content = 'I think the carpenter delivers the gate.'
  const id = await remembered(eva, content, { kind: 'commitment', sources, visibility: { scope: 'private' } })
  const listed = async (query = '') =>
    (await send(eva.url, 'GET', `/v1/context/questions${query}`, { key: eva.key })).body.items
  expect(await asked(eva, 'memory', id)).toHaveLength(1)
  const all = (await listed()).filter(({ records }: { records: { id: string }[] }) => records[0]?.id === id)
  expect(all).toMatchObject([{ reason: 'low_confidence' }])
  // who asks for this reason alone gets it
  expect(await listed('?reason=single_source')).toHaveLength(1)
  await answering(eva, { question_id: all[0].question_id, resolution: 'confirm' })
  expect(await listed('?reason=single_source')).toEqual([])
})

it('fills a brief and a search with other questions where many ask the same', async () => {
  const dan = await person(serving, 'dan')
  const more = { visibility: { scope: 'private' } }
  for (const what of ['clock of the tower is wound', 'bell of the tower is rung']) {
    await remembered(dan, `The ${what} 3 times a day.`, more)
    for (const rest of [
      'Rain or shine.',
      'The east gate closes in May.',
      'Its keeper sings.',
      'There is no fee.',
      'Dogs wait.',
    ]) {
      await remembered(dan, `The ${what} 5 times a day. ${rest}`, more)
    }
  }
  await remembered(dan, 'The mill stands by the tower. Open question: who paints the mill?', more)
  const wanted = ['contradiction', 'contradiction', 'explicit_question']
  const reasons = (questions: { reason: string; claim: string }[]) =>
    questions.filter(({ claim }) => /clock|bell|mill/.test(claim)).map(({ reason }) => reason)
  await eventually(async () => {
    const questions = await send(dan.url, 'GET', '/v1/context/questions', { key: dan.key })
    if (reasons(questions.body.items).join() !== wanted.join()) throw new Error(JSON.stringify(questions.body.items))
  })
  const brief = await send(dan.url, 'GET', '/v1/context/brief', { key: dan.key })
  expect(reasons(brief.body.open_questions)).toEqual(wanted)
  const found = await search(dan, {
    q: 'clock of the tower wound, bell of the tower rung times a day, mill',
    limit: 50,
  })
  expect(reasons(found.open_questions).sort()).toEqual(wanted)
})
