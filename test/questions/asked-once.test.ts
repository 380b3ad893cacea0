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
