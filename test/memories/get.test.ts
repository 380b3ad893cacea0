import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getMemory } from '../../src/memories/get.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { records } from '../../src/records/record.ts'
import { answered } from '../support/answering.ts'
import { actorAda, apply, type World, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'

let on: World
let reads: Reads
beforeEach(async () => {
  on = await world()
  reads = await readsOf(on)
})
afterEach(() => on.close())

const write = async (input: object) => (await apply(on, remember, { kind: 'fact', ...input })).entity?.id as string
const get = (id: string, actor = actorAda) => ask(reads, getMemory, { id }, actor)

describe('memory.get', () => {
  it('returns a memory with its chain of corrections, in both directions', async () => {
    const first = await write({ content: 'The office is in Bern.', topics: ['office'] })
    const correction = { kind: 'correction', content: 'The office is in Basel.', corrects_memory_id: first }
    const second = await write(correction)
    const third = await write({ kind: 'correction', content: 'The office is in Chur.', corrects_memory_id: second })
    expect(await get(first)).toMatchObject({
      id: first,
      kind: 'fact',
      content: 'The office is in Bern.',
      topics: ['office'],
      in_force: false,
      superseded_by: [{ type: 'memory', id: second }],
      corrected_by: [{ id: second, excerpt: 'The office is in Basel.' }, { id: third }],
      corrects: [],
    })
    expect(await get(third)).toMatchObject({
      kind: 'correction',
      in_force: true,
      corrects_memory_id: second,
      corrected_by: [],
      corrects: [{ id: second }, { id: first, kind: 'fact' }],
    })
  })

  it('returns when it was last confirmed', async () => {
    const id = await write({ content: 'Tea is free.' })
    expect(await write({ content: 'tea is  free.' })).toBe(id)
    expect((await get(id)).confirmed_at).toBeDefined()
  })

  it('names its superseded claims to those who see the successor', async () => {
    const content = 'Moved the damson to the new shed. It took a day.\n\nOpen question: who waters the damson?'
    const id = await write({ content, visibility: { scope: 'workspace' } })
    expect(await get(id)).toMatchObject({ superseded_claims: [] })
    const made = await answered(on, reads, { type: 'memory', id }, 'Carla waters the damson.')
    const claims = [{ claim: 'who waters the damson?', by: { type: 'memory', id: made } }]
    expect(await get(id)).toMatchObject({ in_force: true, superseded_claims: claims })
    // a row as other rules could have written it: a hidden record must not appear all the same
    await on.documents.update(records, made, { set: { audience: 'user:ada' } })
    expect(await get(id)).toMatchObject({ superseded_claims: claims })
    const shown = await get(id, { ...actorAda, user: 'ben' })
    expect(shown).toMatchObject({ in_force: true, superseded_claims: [] })
    expect(JSON.stringify(shown)).not.toContain(made)
  })

  it('hides the corrected memory from those who see only the correction', async () => {
    const secret = await write({ content: 'The raise is 3 %.', visibility: { scope: 'private' } })
    const open = await write({
      kind: 'correction',
      content: 'The raise is 4 %.',
      corrects_memory_id: secret,
      visibility: { scope: 'workspace' },
    })
    const shown = await get(open, { ...actorAda, user: 'ben' })
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(shown).toMatchObject({ content: 'The raise is 4 %.', corrects: [] })
    expect((await get(open)).corrects_memory_id).toBe(secret)
  })

  it('answers not_found for a missing memory and one of another audience', async () => {
    const secret = await write({ content: 'Hush.', visibility: { scope: 'private' } })
    await expect(get('00000000-0000-7000-8000-00000000dead')).rejects.toMatchObject({ code: 'not_found' })
    await expect(get(secret, { ...actorAda, user: 'ben' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
