/** A decision that some readers of its successor don't see changes nothing for them (SEMANTICS 1 and 2). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import type { Operation } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { listQuestions } from '../../src/questions/list.ts'
import { actorAda, apply, rows } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { advance, day, index, openTimedWorld, type TimedWorld } from '../support/history.ts'

const ben: Actor = { ...actorAda, user: 'ben', credential: 'key-of-ben', teams: [] }
const own = { visibility: { scope: 'private' } }
const team = { visibility: { scope: 'team', team_id: actorAda.teams[0] } }

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

async function done<Input>(operation: Operation<Input>, input: object, actor?: Actor): Promise<string> {
  const receipt = await apply(on, operation, input, actor)
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}
const decide = (title: string, more: object, actor?: Actor) =>
  done(recordDecision, { title, judgment: `The gate: ${title}.`, ...more }, actor)
const accept = (id: string) => done(resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })
const read = async (id: string, actor: Actor = actorAda) => ask(await readsOf(on), getDecision, { id }, actor)
const rowOf = async (id: string) => (await rows(on)).find((row) => row.id === id)
const later = () => new Date(on.time.now + day).toISOString()

/** What a decision does before it supersedes what it names, and how it comes to supersede it. */
const ways: [string, () => object, (id: string) => Promise<unknown>][] = [
  ['a decision', () => ({}), async () => undefined],
  ['a proposal that is accepted later', () => ({ status: 'proposed' }), accept],
  [
    'a decision dated ahead',
    () => ({ decided_at: later() }),
    async () => {
      await advance(on, on.time.now + 2 * day)
      await index(on)
    },
  ],
]

describe.each(ways)('%s that supersedes an external_id', (_, more, takesEffect) => {
  const hidden = () => decide('My notes', { external_id: 'gate', ...own })
  const closes = () => decide('Closed', { supersedes: ['gate'], ...more() })
  const opened = () => decide('Open', { external_id: 'gate' }, ben)

  /** Everyone sees that `newer` superseded `older`, and only Ada that it superseded `mine` too. */
  async function expectSuperseded(newer: string, older: string, mine: string) {
    expect(await read(older, ben)).toMatchObject({ in_force: false, successors: [newer] })
    expect((await read(newer, ben)).supersedes).toEqual([older])
    expect((await rowOf(newer))?.supersedes).toEqual([older])
    expect(await read(mine)).toMatchObject({ in_force: false, successors: [newer] })
    expect((await read(newer)).supersedes.toSorted()).toEqual([older, mine].toSorted())
  }

  it('supersedes the decision that all see, if a private one with this external_id was recorded before', async () => {
    const mine = await hidden()
    const newer = await closes()
    const older = await opened()
    await takesEffect(newer)
    await expectSuperseded(newer, older, mine)
  })

  it('supersedes the decision that all see, if a private one with this external_id was recorded in between', async () => {
    const newer = await closes()
    const mine = await hidden()
    const older = await opened()
    await takesEffect(newer)
    await expectSuperseded(newer, older, mine)
  })

  it('supersedes the decision that all see, if it is recorded last and a private one has this external_id', async () => {
    const newer = await closes()
    const mine = await hidden()
    await takesEffect(newer)
    const older = await opened()
    await expectSuperseded(newer, older, mine)
  })

  it('supersedes a decision of a team and a private one with this external_id', async () => {
    const [mine, ours] = [await hidden(), await decide('Our notes', { external_id: 'gate', ...team })]
    const newer = await closes()
    await takesEffect(newer)
    for (const id of [mine, ours]) expect(await read(id)).toMatchObject({ in_force: false, successors: [newer] })
    expect((await read(newer)).supersedes.toSorted()).toEqual([mine, ours].toSorted())
    expect((await rowOf(newer))?.supersedes).toEqual([])
  })

  it('still supersedes it after another revision of the same decision', async () => {
    const mine = await hidden()
    const newer = await decide('Closed', { supersedes: ['gate'], external_id: 'plan', ...more() })
    await takesEffect(newer)
    await decide('Closed at night', { supersedes: ['gate'], external_id: 'plan' }, ben)
    const older = await opened()
    expect(await read(older, ben)).toMatchObject({ in_force: false, successors: [newer] })
    expect((await read(newer)).supersedes.toSorted()).toEqual([older, mine].toSorted())
  })
})

it('a private decision takes no link of a decision of a team', async () => {
  const newer = await decide('Closed', { supersedes: ['gate'], ...team })
  const mine = await decide('My notes', { external_id: 'gate', ...own })
  const ours = await decide('Open', { external_id: 'gate', ...team })
  expect(await read(ours)).toMatchObject({ in_force: false, successors: [newer] })
  expect(await read(mine)).toMatchObject({ in_force: true, successors: [] })
})

it('superseding a private decision leaves the external_id waiting for the one that all see', async () => {
  const newer = await decide('Closed', { supersedes: ['gate'] }, ben)
  const mine = await decide('My notes', { external_id: 'gate', ...own })
  await done(supersedeDecision, { id: mine, superseded_by: newer })
  const older = await decide('Open', { external_id: 'gate' })
  expect(await read(older, ben)).toMatchObject({ in_force: false, successors: [newer] })
  expect((await read(newer)).supersedes.toSorted()).toEqual([older, mine].toSorted())
})

it('an accepted proposal that superseded a hidden decision does not change when that is undone', async () => {
  const mine = await decide('My notes', { external_id: 'gate', significance: 'strategic', ...own })
  const newer = await decide('Closed', { supersedes: ['gate'], status: 'proposed' })
  await accept(newer)
  const before = { row: await rowOf(newer), read: await read(newer, ben) }
  const { items } = await ask(await readsOf(on), listQuestions, { reason: ['high_grade_supersession'] })
  on.time.now += day
  await done(resolve, { question_id: items[0]?.question_id, resolution: 'correct', note: 'It stays open.' })
  expect(await read(mine)).toMatchObject({ in_force: true, successors: [] })
  expect((await read(newer)).supersedes).toEqual([])
  expect({ row: await rowOf(newer), read: await read(newer, ben) }).toEqual(before)
})

it('a decision whose external_id is the id of another one takes none of its links', async () => {
  const older = await decide('Open', {})
  const newer = await decide('Closed', { supersedes: [older], status: 'proposed' })
  const other = await decide('Mine', { external_id: older }, ben)
  await accept(newer)
  expect((await read(newer)).supersedes).toEqual([older])
  expect(await read(older)).toMatchObject({ in_force: false, successors: [newer] })
  expect(await read(other)).toMatchObject({ in_force: true, successors: [] })
})
