import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, userOfKey } from '../../src/access/actor.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { remember } from '../../src/memories/remember.ts'
import { createTask } from '../../src/tasks/create.ts'
import { promise, type World, world } from '../support/apply.ts'
import { ada } from '../tasks/tasks.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const session = { ...ada, credential: 'run-1', isSession: true as const }
/** Of a task that the workspace sees. */
const ofNobody: Actor = { ...session, user: userOfKey(session.credential), teams: [] }

const writes = [
  ['a memory', remember, { kind: 'fact', content: 'The fence is green.' }],
  ['a task', createTask, { name: 'Paint' }],
  [
    'a decision',
    recordDecision,
    { title: 'Green', judgment: 'We paint it green.', decided_at: '2026-01-01T00:00:00Z' },
  ],
] as const

describe('what is private', () => {
  it.each(writes)(
    'to the key of a session is refused, because nobody could read it later: %s',
    async (_, operation, input) => {
      const write = (visibility: object, actor = ofNobody) =>
        promise(on, operation as typeof remember, { ...input, ...visibility }, actor)
      const refusal = { code: 'invalid_request', details: { issues: [{ path: 'visibility' }] } }
      await expect(write({ visibility: { scope: 'private' } })).rejects.toMatchObject(refusal)
      // the default of a personal workspace
      await expect(write({}, { ...ofNobody, workspaceType: 'personal' })).rejects.toMatchObject(refusal)
      await write({ visibility: { scope: 'workspace' } })
    },
  )

  it.each([
    ['the user of a private task', { ...session, user: 'ada' }],
    ['a key without a user, whose task it is', { ...session, user: userOfKey('key-of-robot') }],
    ['a key without a user', { ...ada, user: userOfKey(ada.credential) }],
  ])('to %s is stored', async (_, actor) => {
    const input = { kind: 'fact', content: 'The fence is green.', visibility: { scope: 'private' } } as const
    expect(await promise(on, remember, input, actor)).toMatchObject({ state: 'accepted' })
  })
})
