import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import type { RecordKind } from '../../src/ids.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Operation } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { findVisible, visibleTo } from '../../src/records/read/visible.ts'
import type { RecordOf } from '../../src/records/record.ts'
import { actorAda, apply, promise, rows, type World, world } from '../support/apply.ts'

const ben: Actor = { ...actorAda, user: 'ben', credential: 'key-of-ben', teams: [] }
const visibility = { scope: 'private' }
const fact = { kind: 'fact', content: 'The lifts are serviced in May.', visibility }
const doubtful = { kind: 'fact', content: 'I think the lifts are red.', visibility }
const decision = { title: 'Lifts', judgment: 'We buy red lifts.', visibility }
const missing = '01990000-0000-7000-8000-000000000001'

describe('a record that a write names', () => {
  let on: World
  const ids = new Map<RecordKind, string>()
  let question: string
  beforeEach(async () => {
    on = await world()
    ids.set('memory', (await apply(on, remember, fact)).entity?.id as string)
    ids.set('decision', (await apply(on, recordDecision, decision)).entity?.id as string)
    await apply(on, remember, doubtful)
    const asked = (await rows(on)).find((row): row is RecordOf<'question'> => row.kind === 'question')
    question = asked?.body.question_id as string
    ids.set('question', asked?.record_id as string)
  })
  afterEach(() => on.close())

  it('is found by those who see it', async () => {
    for (const [kind, id] of ids) {
      expect(await visibleTo(on.documents, actorAda)(id.toUpperCase(), kind)).toMatchObject({ record_id: id, kind })
    }
  })

  it('causes the same not_found if it is hidden, missing or of another kind, in check and in decide', async () => {
    const corrects = (id: unknown) => ({ kind: 'correction', content: 'No.', corrects_memory_id: id })
    const replaces = (id: unknown) => ({ ...decision, supersedes: ['an-external-id', id] })
    const answers = (id: unknown) => ({ question_id: id, resolution: 'dismiss' })
    const memory = 'There is no memory with the id in corrects_memory_id.'
    for (const id of [ids.get('memory'), missing, ids.get('decision')]) await refused(remember, corrects(id), memory)
    const decided = 'There is no decision with the id in supersedes[1].'
    for (const id of [ids.get('decision'), missing, ids.get('memory')])
      await refused(recordDecision, replaces(id), decided)
    const asked = 'There is no question with the id in question_id.'
    for (const id of [question, `fact:${missing}`]) await refused(resolve, answers(id), asked)
  })

  it('is found in its current revision, even after many later proposals', async () => {
    const { entity } = await apply(on, recordDecision, { ...decision, external_id: 'lifts' })
    for (let at = 0; at < 25; at++) {
      const proposed = { ...decision, title: `Proposal ${at}`, status: 'proposed', external_id: 'lifts' }
      await promise(on, recordDecision, proposed)
    }
    await apply(on, recordDecision, { ...decision, title: 'Last proposal', status: 'proposed', external_id: 'lifts' })
    const found = await findVisible(on.documents, actorAda, entity?.id as string, 'decision')
    expect(found).toMatchObject({ revision: 1, title: 'Lifts' })
  })

  async function refused<Input>(operation: Operation<Input>, input: object, message: string): Promise<void> {
    const refusal = await promise(on, operation, input, ben).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'not_found', message })
    const { check: _, ...unchecked } = operation
    const receipt = await apply(on, unchecked, input, ben)
    expect(receipt).toMatchObject({ state: 'failed', error: { code: 'not_found', message } })
  }
})
