/**
 * Private records of others never suppress a question: each user is asked what a store with only his visible records would
 * ask (SEMANTICS 2), within the limits of comparing.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { remember } from '../../src/memories/remember.ts'
import { actorAda, apply, promise, quiet, rows, type World, world } from '../support/apply.ts'
import { randomOf } from '../support/chaos.ts'

const [team] = actorAda.teams as [string]
const person = (user: string, teams: string[] = []): Actor => {
  return { ...actorAda, user, teams, credential: `key-of-${user}` }
}
const ada = person('ada', [team])
const ben = person('ben', [team])
const cem = person('cem')

const own = { scope: 'private' }
const limitOf = (megabytes: number, visibility: object = { scope: 'workspace' }) => {
  const content = `The parser upload limit is ${megabytes} MB.`
  return { kind: 'fact', content, visibility, occurred_at: '2025-05-01T00:00:00Z' }
}

/** The open questions of the actor, sorted by their text. */
async function asked(on: World, { user, teams }: Actor): Promise<string[]> {
  const seen = audiencesOf({ user, teams })
  const open = (await rows(on)).filter((row) => row.kind === 'question' && row.valid_to === null)
  return open.flatMap((row) => (seen.includes(row.audience) ? [row.text] : [])).sort()
}

describe('questions of one user', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  const isAsked = async (one: number, other: number, by: Actor) =>
    (await asked(on, by)).some((text) => text.includes(` ${one} MB`) && text.includes(` ${other} MB`))

  it('are asked even if another user has the maximum of questions about the same record', async () => {
    await apply(on, remember, limitOf(30), ben)
    for (const megabytes of [1, 2, 3, 4, 5, 6]) await apply(on, remember, limitOf(megabytes, own), ada)
    expect((await asked(on, ada)).filter((text) => text.includes(' 30 MB'))).toHaveLength(5)
    await apply(on, remember, limitOf(45), ben)
    expect(await asked(on, ben)).toHaveLength(1)
    expect(await isAsked(30, 45, ben)).toBe(true)
  })

  it('are asked even if another user has more private records on the subject than are compared', async () => {
    await apply(on, remember, limitOf(30), ben)
    await apply(on, remember, limitOf(31, own), ben)
    for (let megabytes = 100; megabytes < 115; megabytes++) await apply(on, remember, limitOf(megabytes, own), ada)
    await apply(on, remember, limitOf(45), cem)
    expect([await isAsked(30, 45, cem), await isAsked(30, 45, ben), await isAsked(31, 45, ben)]).toEqual([
      true,
      true,
      true,
    ])
    expect(await asked(on, cem)).toHaveLength(1)
  })

  it('are asked even if the private records of another user fill the answer of a search', async () => {
    await apply(on, remember, limitOf(31, own), ben)
    for (let note = 0; note < 210; note++) {
      const content = `Parser upload limit MB: the parser upload limit is in note ${note}.`
      await promise(on, remember, { kind: 'fact', content, visibility: own }, ada)
    }
    await quiet(on)
    await apply(on, remember, limitOf(45), cem)
    expect(await isAsked(31, 45, ben)).toBe(true)
  })

  it('are asked for each of 30 users with a private record on the subject', async () => {
    const people = Array.from({ length: 30 }, (_, at) => person(`person-${at}`))
    for (const one of people) await apply(on, remember, limitOf(30, own), one)
    await apply(on, remember, limitOf(45), ada)
    for (const one of people) expect(await asked(on, one)).toHaveLength(1)
    expect(await asked(on, ada)).toEqual([])
  })
})

describe('questions of all users', () => {
  const people = [ada, ben, cem]

  it.each([1, 2])(
    'are the same as in a store with only the visible records of the user (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const random = randomOf(seed)
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
      const scopes = [{ scope: 'workspace' }, own, own, { scope: 'team', team_id: team }]
      const writes = Array.from({ length: 40 }, (_, at) => {
        const visibility = pick(scopes)
        return { by: pick(visibility.scope === 'team' ? [ada, ben] : people), input: limitOf(100 + at, visibility) }
      })
      const whole = await performed(writes)
      for (const reader of people) {
        const sees = ({ by, input }: (typeof writes)[number]) => {
          const { scope } = input.visibility as { scope: string }
          return scope === 'workspace' || (scope === 'team' ? reader.teams.includes(team) : by === reader)
        }
        const visible = await performed(writes.filter(sees))
        const questions = await asked(visible, reader)
        expect(questions.length).toBeGreaterThan(5)
        expect(await asked(whole, reader)).toEqual(questions)
        await visible.close()
      }
      await whole.close()
    },
  )

  async function performed(writes: readonly { by: Actor; input: object }[]): Promise<World> {
    const on = await world()
    for (const { by, input } of writes) await apply(on, remember, input, by)
    return on
  }
})
