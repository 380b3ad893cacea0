/** What a person answered about a sentence of a decision holds until that sentence is changed (docs/questions.md). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchContext } from '../../src/context/search.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { drain } from '../../src/journal/drain.ts'
import { remember } from '../../src/memories/remember.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { actorAda, apply, promise, quiet, rows, workspace } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { openTimedWorld, type TimedWorld } from '../support/history.ts'

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

const paint = 'The sails are painted in May.'
const oil = (times: number) => `The brake of the windmill is oiled ${times} times a week.`

/** Each call is a minute after the one before. */
async function decide(judgment: string, more: object = {}): Promise<string> {
  on.time.now += 60_000
  const receipt = await apply(on, recordDecision, { title: 'Windmill', external_id: 'mill', judgment, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}

async function fact(content: string): Promise<string> {
  on.time.now += 60_000
  return (await apply(on, remember, { kind: 'fact', content })).entity?.id as string
}

const get = async (id: string) => ask(await readsOf(on), getDecision, { id })
const about = async (id: string) =>
  ask(await readsOf(on), searchContext, { references: [{ type: 'decision' as const, id }] })
const questions = async (id: string) =>
  (await about(id)).open_questions?.map(({ reason, claim }) => `${reason}: ${claim}`)
const conflicts = async (id: string) => (await about(id)).conflicts.map(({ message }) => message)
const retracted = async (id: string) => (await get(id)).superseded_claims.map(({ claim, by }) => [claim, by.id])

async function answer(id: string, resolution: string, note?: string): Promise<string> {
  on.time.now += 60_000
  const [question] = (await about(id)).open_questions ?? []
  const input = { question_id: question?.question_id, resolution, ...(note === undefined ? {} : { note }) }
  const receipt = await apply(on, resolve, input)
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}

/** A decision that oils three times, and a newer memory by which it is five times. */
async function contradicted(judgment: string): Promise<{ id: string; newer: string }> {
  const id = await decide(judgment)
  const newer = await fact(oil(5))
  expect(await questions(id)).toEqual([expect.stringMatching(/^contradiction: “.*5 times.*3 times/)])
  return { id, newer }
}

describe('a revision of a decision', () => {
  it('keeps the claim retracted that a newer memory superseded, if another sentence was changed', async () => {
    const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    const before = await get(id)
    expect(await conflicts(id)).toEqual([expect.stringContaining(oil(3))])
    await decide(`The sails are painted in June.\n\n${oil(3)}`)
    const after = await get(id)
    expect(after).toMatchObject({ revision: 2, in_force: true })
    expect(after.superseded_claims).toEqual(before.superseded_claims)
    expect(after.superseded_claims).toMatchObject([{ claim: oil(3), by: { id: newer } }])
    expect(await conflicts(id)).toEqual([expect.stringContaining(oil(3))])
    expect(await questions(id)).toEqual([])
  })

  it('keeps an explicit question answered, also if its sentence has other punctuation now', async () => {
    const id = await decide('We run one windmill. Open question: who pays the miller?')
    const made = await answer(id, 'answer', 'The parish pays the miller.')
    await decide('We run one windmill now. Open question – who pays the miller?')
    expect(await retracted(id)).toEqual([['who pays the miller?', made]])
    expect(await conflicts(id)).toEqual([expect.stringContaining('who pays the miller?')])
    expect(await questions(id)).toEqual([])
  })

  it('keeps the doubted sentence retracted that a note corrected', async () => {
    const doubt = 'I think the mill closes at six.'
    const id = await decide(`${paint} ${doubt}`)
    const made = await answer(id, 'correct', 'The mill closes at seven.')
    await decide(`${paint} We grind rye. ${doubt}`)
    expect([await retracted(id), await questions(id)]).toEqual([[[doubt, made]], []])
  })

  it('asks again about a sentence that says something else than the one retracted, and keeps the earlier answer', async () => {
    const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    await decide(`${paint} ${oil(2)}`)
    expect([await retracted(id), await conflicts(id)]).toEqual([[], []])
    expect(await questions(id)).toEqual([expect.stringMatching(/^contradiction: “.*2 times.*5 times/)])
    await answer(id, 'correct', 'keep the older')
    expect(await retracted(id)).toEqual([[oil(2), newer]])
    const { answers } = await get(id)
    expect(answers.map(({ resolution, claim }) => [resolution, claim.includes(oil(3))])).toEqual([
      ['correct', false],
      ['confirm', true],
    ])
  })

  it('asks again about a retracted sentence that a revision left out and a later one brought back', async () => {
    const { id } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    await decide(paint)
    expect([await retracted(id), await questions(id)]).toEqual([[], []])
    await decide(`${paint} ${oil(3)}`)
    expect(await questions(id)).toEqual([expect.stringMatching(/^contradiction/)])
  })

  it('does not ask again about a contradiction that was dismissed', async () => {
    const { id } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'dismiss')
    await decide(`We grind rye. ${oil(3)}`)
    await decide(`We grind rye. ${oil(2)}`)
    expect([await retracted(id), await questions(id)]).toEqual([[], []])
  })

  it('names on each hit both claims that one record superseded', async () => {
    const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    await decide(`${paint} ${oil(3)} ${oil(2)}`)
    expect(await questions(id)).toEqual([expect.stringMatching(/^contradiction/)])
    await answer(id, 'correct', 'keep the older')
    expect(await retracted(id)).toEqual([
      [oil(3), newer],
      [oil(2), newer],
    ])
    expect(await conflicts(id)).toEqual([expect.stringContaining(oil(2)), expect.stringContaining(oil(3))])
  })

  it('changes nothing if it is sent again unchanged', async () => {
    const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    await decide(`We grind rye. ${oil(3)}`)
    const count = (await rows(on)).length
    await decide(`We grind rye. ${oil(3)}`)
    expect((await rows(on)).length).toBe(count)
    expect(await retracted(id)).toEqual([[oil(3), newer]])
  })
})

describe('a proposed revision of a decision', () => {
  const judge = (id: string, resolution: string) => apply(on, resolve, { question_id: `judgment:${id}`, resolution })

  it('takes over retracted claims once it is accepted, also those retracted while it was pending', async () => {
    const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
    await decide(`We grind rye. ${oil(3)}`, { status: 'proposed' })
    const [question] = ((await about(id)).open_questions ?? []).filter(({ reason }) => reason === 'contradiction')
    await apply(on, resolve, { question_id: question?.question_id, resolution: 'confirm' })
    expect(await retracted(id)).toEqual([[oil(3), newer]])
    await judge(id, 'confirm')
    expect(await get(id)).toMatchObject({ revision: 2, in_force: true })
    expect(await retracted(id)).toEqual([[oil(3), newer]])
    expect(await conflicts(id)).toEqual([expect.stringContaining(oil(3))])
    expect(await questions(id)).toEqual([])
  })

  it('asks about a changed sentence once it is accepted', async () => {
    const { id } = await contradicted(`${paint} ${oil(3)}`)
    await answer(id, 'confirm')
    await decide(`${paint} ${oil(2)}`, { status: 'proposed' })
    expect((await retracted(id)).map(([claim]) => claim)).toEqual([oil(3)])
    await judge(id, 'confirm')
    expect(await retracted(id)).toEqual([])
    expect(await questions(id)).toEqual([expect.stringMatching(/^contradiction: “.*2 times/)])
  })
})

it('a revision that the slower lane decides after a later proposal keeps retracted claims', async () => {
  const { id, newer } = await contradicted(`${paint} ${oil(3)}`)
  await answer(id, 'confirm')
  const late = { title: 'Windmill', external_id: 'mill', judgment: `We grind rye. ${oil(3)}` }
  await promise(on, recordDecision, late, actorAda, 'import')
  on.time.now += 1
  await promise(on, recordDecision, { ...late, title: 'Mill', status: 'proposed' })
  await drain(on.portsOf(on), { workspace, lane: 'interactive' })
  await quiet(on)
  expect(await get(id)).toMatchObject({ revision: 3, judgment: late.judgment, in_force: true })
  expect(await retracted(id)).toEqual([[oil(3), newer]])
})
