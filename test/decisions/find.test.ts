import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { findDecisions } from '../../src/decisions/find.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { drain } from '../../src/journal/drain.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { actorAda, apply, promise, quiet, rows, type World, workspace, world } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'

let on: World
let reads: Reads
beforeEach(async () => {
  on = await world()
  reads = await readsOf(on)
})
afterEach(() => on.close())

const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }
const decide = async (title: string, more: object = {}) => {
  const receipt = await apply(on, recordDecision, { title, judgment: `${title}.`, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}
const find = (input: object, actor?: Actor) => ask(reads, findDecisions, input, actor)
const ids = ({ items }: { items: { id: string }[] }) => items.map((item) => item.id)
const in_ = (year: number) => `${year}-01-01T00:00:00Z`
const report = async (id: string, outcome_status: string, more: object = {}) => {
  const receipt = await apply(on, recordOutcome, { id, outcome_status, ...more })
  expect(receipt.error).toBeNull()
}

/** More decisions about meters than the engine proposes for a question. */
async function crowded(): Promise<void> {
  for (let n = 0; n < 250; n++) {
    const other = { title: `Meter ${n}`, judgment: 'Meter, meter.', external_id: `${n}` }
    await promise(on, recordDecision, other, actorAda, 'import')
  }
  await quiet(on)
}

describe('decision.find with an external_id', () => {
  it('returns the decision that has it, also if it was superseded, and nothing that others hide', async () => {
    const old = await decide('Cache prices in memory', { external_id: 'adr/1' })
    await decide('Cache prices in memory and on disk', { external_id: 'adr/1', status: 'proposed' })
    await decide('Cache prices on disk', { supersedes: ['adr/1'], external_id: 'adr/2' })
    const mine = await decide('Cache prices in my head', { external_id: 'adr/1', visibility: { scope: 'private' } })
    expect(ids(await find({ external_id: 'adr/1' })).sort()).toEqual([old, mine].sort())
    expect(ids(await find({ external_id: 'adr/1' }, eve))).toEqual([old])
    expect(ids(await find({ external_id: 'adr/1', in_force: true }))).toEqual([mine])
    expect(ids(await find({ external_id: 'adr' }))).toEqual([])
    await expect(find({ external_id: 'adr/1', q: 'prices' })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('decision.find with a question', () => {
  it('returns the decisions that answer it, best first, with scores, and the newest of each chain', async () => {
    const old = await decide('Cache prices in memory', { decided_at: in_(2020) })
    const newer = await decide('Cache prices on disk', { decided_at: in_(2021), supersedes: [old] })
    await apply(on, remember, { kind: 'fact', content: 'We cache prices in memory.' })
    const { items, has_more } = await find({ q: 'cache prices memory' })
    expect(items).toMatchObject([{ id: newer, status: 'accepted', in_force: true, prior_positions: [{ id: old }] }])
    expect(items[0]?.score).toBeGreaterThanOrEqual(0.5)
    expect(has_more).toBe(false)
    expect(ids(await find({ q: 'zebra' }))).toEqual([])
  })

  it('continues with the cursor, which is refused with another question or filter or for another caller', async () => {
    const all = [await decide('Harbour one'), await decide('Harbour two'), await decide('Harbour three')]
    const query = { q: 'harbour', threshold: 0, limit: 1 }
    const pages = await pagesOf(reads, findDecisions, query)
    expect(pages.flatMap(ids).sort()).toEqual(all.sort())
    expect(pages.map(({ has_more }) => has_more)).toEqual([true, true, false])
    const cursor = pages[0]?.next_cursor as string
    const refused = { code: 'invalid_request' }
    await expect(find({ ...query, q: 'harbours', cursor })).rejects.toMatchObject(refused)
    await expect(find({ ...query, category: ['pricing'], cursor })).rejects.toMatchObject(refused)
    await expect(find({ q: 'harbour', limit: 1, cursor })).rejects.toMatchObject(refused)
    await expect(find({ ...query, cursor }, eve)).rejects.toMatchObject(refused)
    // the length of a page is no filter
    expect(ids(await find({ ...query, limit: 5, cursor }))).toHaveLength(2)
  })
})

describe('decision.find with ids', () => {
  it('returns all that the caller sees, in their order, whatever the limit', async () => {
    const [first, second] = [await decide('A'), await decide('B')]
    const hidden = await decide('C', { visibility: { scope: 'private' } })
    const { items, has_more } = await find({ ids: [second, hidden, first, second], limit: 1 }, eve)
    expect(items.map(({ id }) => id)).toEqual([second, first])
    expect(has_more).toBe(false)
  })
})

describe('decision.find without a question', () => {
  it('lists the newest first, each once, also superseded and proposed ones and those that are dated ahead', async () => {
    const old = await decide('Old', { decided_at: in_(2019), category: 'pricing', external_id: 'old' })
    const newer = await decide('New', { decided_at: in_(2021), category: 'pricing', supersedes: [old] })
    const draft = await decide('Draft', { decided_at: in_(2020), category: 'pricing', status: 'proposed' })
    await decide('Other', { decided_at: in_(2022), category: 'security' })
    const ahead = await decide('Ahead', { decided_at: in_(2100), category: 'pricing', external_id: 'ahead' })
    // a revision has a row of its own
    await decide('Old, again', { decided_at: '2019-06-01T00:00:00Z', category: 'pricing', external_id: 'old' })
    const { items, has_more, next_cursor } = await find({ category: ['pricing'] })
    expect(items.map(({ id, title, in_force }) => [id, title, in_force])).toEqual([
      [ahead, 'Ahead', false],
      [newer, 'New', true],
      [draft, 'Draft', false],
      [old, 'Old, again', false],
    ])
    expect({ has_more, next_cursor }).toEqual({ has_more: false })
    const titles = async (query: object) => (await find(query)).items.map(({ title }) => title)
    expect(await titles({ category: ['pricing'], in_force: true })).toEqual(['New'])
    expect(await titles({ category: ['pricing'], in_force: false })).toEqual(['Ahead', 'Draft', 'Old, again'])
    expect(await titles({ since: in_(2099), until: in_(2101) })).toEqual(['Ahead'])
    expect(await titles({ external_id: 'ahead' })).toEqual(['Ahead'])
    expect(await titles({ q: 'ahead', threshold: 0, category: ['pricing'] })).toContain('Ahead')
  })

  it.each([
    ['category', { category: ['pricing', 'legal'] }, { category: 'pricing' }, { category: 'security' }],
    ['significance', { significance: ['strategic'] }, { significance: 'strategic' }, {}],
    ['surface', { surface: ['meeting'] }, { surface: 'meeting' }, { surface: 'adr' }],
    ['status', { status: ['rejected', 'proposed'] }, { status: 'proposed' }, {}],
    ['in_force true', { in_force: true }, {}, { status: 'proposed' }],
    ['in_force false', { in_force: false }, { status: 'deprecated' }, {}],
    [
      'entity_type',
      { entity_type: ['product'] },
      { entities: [{ type: 'product' }] },
      { entities: [{ type: 'team' }] },
    ],
    [
      'entity_id',
      { entity_id: ['P,1', 'P2'] },
      { entities: [{ type: 'a', id: 'P,1' }] },
      { entities: [{ type: 'P2' }] },
    ],
    ['decided_by', { decided_by: ['Ada'] }, { decided_by: ['Bo', 'Ada'] }, { decided_by: ['ada'] }],
    ['outcome_status none', { outcome_status: ['none'], status: ['accepted'] }, {}, { status: 'proposed' }],
    ['since', { since: in_(2020) }, { decided_at: in_(2021) }, { decided_at: in_(2020) }],
    ['until', { until: in_(2020) }, { decided_at: in_(2020) }, { decided_at: '2020-01-01T00:00:00.001Z' }],
    [
      'two filters',
      { category: ['legal'], decided_by: ['Bo'] },
      { category: 'legal', decided_by: ['Bo'] },
      { category: 'legal' },
    ],
  ])('keeps only what passes the filter %s, with and without a question', async (_, filter, passing, failing) => {
    const one = await decide('Meter by the hour', passing)
    await decide('Meter by the day', failing)
    expect(ids(await find(filter))).toEqual([one])
    expect(ids(await find({ ...filter, q: 'meter', threshold: 0 }))).toEqual([one])
  })

  it('finds one decision among more than the engine proposes for a question', async () => {
    const one = await decide('Meter', { entities: [{ type: 'product', id: 'P1' }] })
    await crowded()
    expect(ids(await find({ q: 'meter', threshold: 0, entity_id: ['P1'] }))).toEqual([one])
    expect(ids(await find({ entity_id: ['P1'] }))).toEqual([one])
  })

  it('finds superseded decisions themselves if they are asked for by standing, and else the newest of the chain', async () => {
    const old = await decide('Meter by the hour', { decided_at: in_(2020), category: 'pricing' })
    const newer = await decide('Bill by the day', { decided_at: in_(2021), category: 'pricing', supersedes: [old] })
    const asked = { q: 'meter hour', threshold: 0 }
    expect(ids(await find({ ...asked, category: ['pricing'] }))).toEqual([newer])
    expect(ids(await find({ ...asked, in_force: false }))).toEqual([old])
    expect(ids(await find({ ...asked, in_force: true }))).toEqual([])
    expect(ids(await find({ ...asked, status: ['accepted'] }))).toEqual([old])
    expect(ids(await find({ in_force: false }))).toEqual([old])
    expect(ids(await find({ in_force: true }))).toEqual([newer])
  })

  it('finds by who took the shown revision, not an older one', async () => {
    await decide('Meter by the hour', { decided_by: ['Ada'], external_id: 'm', decided_at: in_(2020) })
    const id = await decide('Meter by the day', { decided_by: ['Bo'], external_id: 'm', decided_at: in_(2021) })
    for (const q of [{}, { q: 'meter hour', threshold: 0 }]) {
      expect(ids(await find({ ...q, decided_by: ['Ada'] }))).toEqual([])
    }
    expect(ids(await find({ decided_by: ['Bo'] }))).toEqual([id])
    expect(ids(await find({ decided_by: ['Bo'], q: 'meter', threshold: 0 }))).toEqual([id])
  })

  it('finds a decision by the status that a judgment gave it', async () => {
    const id = await decide('Meter by the hour', { status: 'proposed' })
    const question_id = `judgment:${id}`
    expect(ids(await find({ q: 'meter', threshold: 0, status: ['proposed'] }))).toEqual([id])
    expect((await apply(on, resolve, { question_id, resolution: 'confirm' })).error).toBeNull()
    for (const q of [{}, { q: 'meter', threshold: 0 }]) {
      expect(ids(await find({ ...q, status: ['proposed'] }))).toEqual([])
      expect(ids(await find({ ...q, status: ['accepted'] }))).toEqual([id])
    }
  })

  it('finds by the leading outcome, which is the one observed last', async () => {
    const id = await decide('Meter by the hour', { external_id: 'm', decided_at: in_(2020) })
    const other = await decide('Meter by the day', { decided_at: in_(2019) })
    const found = async (...outcome_status: string[]) => {
      const listed = ids(await find({ outcome_status }))
      expect(new Set(ids(await find({ outcome_status, q: 'meter', threshold: 0 })))).toEqual(new Set(listed))
      return listed
    }
    expect(await found('none')).toEqual([id, other])
    await report(id, 'success', { observed_at: in_(2022) })
    expect([await found('success'), await found('none')]).toEqual([[id], [other]])
    // observed earlier
    await report(id, 'failure', { observed_at: in_(2021) })
    expect([await found('success'), await found('failure')]).toEqual([[id], []])
    await report(id, 'failure', { observed_at: in_(2023) })
    await report(other, 'mixed')
    expect([await found('success'), await found('failure'), await found('mixed')]).toEqual([[], [id], [other]])
    expect(await found('failure', 'mixed')).toEqual([id, other])
    expect((await find({ outcome_status: ['failure'] })).items).toMatchObject([{ id, outcome_status: 'failure' }])
  })

  it('finds by the leading outcome a decision that was revised, by the words of each of its revisions', async () => {
    const id = await decide('Meter by the hour', { external_id: 'm', decided_at: in_(2020) })
    await decide('Bill by the day', { external_id: 'm', decided_at: in_(2021) })
    await decide('Charge by the month', { external_id: 'm', decided_at: in_(2100) })
    await report(id, 'failure')
    await decide('Invoice by the year', { external_id: 'm', decided_at: in_(2022), status: 'proposed' })
    for (const q of ['meter hour', 'bill day', 'charge month', 'invoice year']) {
      const asked = { q, threshold: 0 }
      expect(ids(await find({ ...asked, outcome_status: ['failure'] }))).toEqual([id])
      expect(ids(await find({ ...asked, outcome_status: ['none', 'success', 'mixed'] }))).toEqual([])
    }
    expect(ids(await find({ outcome_status: ['failure'] }))).toEqual([id])
    await report(id, 'success')
    expect(ids(await find({ outcome_status: ['failure'], q: 'bill day', threshold: 0 }))).toEqual([])
  })

  it('finds a superseded decision itself if it is asked for by its outcome', async () => {
    const old = await decide('Meter by the hour', { decided_at: in_(2020) })
    await decide('Meter by the day', { decided_at: in_(2021), supersedes: [old] })
    await report(old, 'failure')
    for (const q of [{}, { q: 'meter', threshold: 0 }]) {
      expect(ids(await find({ ...q, outcome_status: ['failure'] }))).toEqual([old])
    }
  })

  it('finds one failed decision among more than the engine proposes for a question', async () => {
    const one = await decide('Meter')
    await report(one, 'failure')
    await crowded()
    expect(ids(await find({ q: 'meter', threshold: 0, outcome_status: ['failure'] }))).toEqual([one])
  })

  it('lists failed decisions page by page, the newest first', async () => {
    const failed: string[] = []
    for (let n = 0; n < 5; n++) {
      const id = await decide(`Plan ${n}`, { decided_at: in_(2020 + n) })
      if (n % 2 === 1) continue
      await report(id, 'failure')
      failed.unshift(id)
    }
    const pages = await pagesOf(reads, findDecisions, { outcome_status: ['failure'], limit: 2 })
    expect(pages.map(ids)).toEqual([failed.slice(0, 2), failed.slice(2)])
  })

  it('pages through decisions of one instant and of several, without a repeat', async () => {
    const all: string[] = []
    for (let n = 0; n < 7; n++) {
      all.push(await decide(`Plan ${n}`, { decided_at: in_(2020 + Math.floor(n / 3)), surface: 'adr' }))
      await decide(`Else ${n}`, { decided_at: in_(2020 + Math.floor(n / 3)), surface: 'code' })
    }
    const pages = await pagesOf(reads, findDecisions, { surface: ['adr'], limit: 2 })
    expect(pages.flatMap(ids)).toHaveLength(7)
    expect(new Set(pages.flatMap(ids))).toEqual(new Set(all))
    const years = pages.flatMap(({ items }) => items.map(({ decided_at }) => decided_at))
    expect(years).toEqual([...years].sort().reverse())
    const cursor = pages[0]?.next_cursor as string
    await expect(find({ surface: ['code'], limit: 2, cursor })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(find({ surface: ['adr'], limit: 2, cursor }, eve)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('does not list what the caller may not see', async () => {
    await decide('Hidden', { visibility: { scope: 'private' }, category: 'pricing' })
    const shown = await decide('Shown', { category: 'pricing' })
    expect(ids(await find({ category: ['pricing'] }, eve))).toEqual([shown])
  })

  it.each([
    {},
    { limit: 5 },
    { threshold: 0.2 },
    { limit: 0, q: 'x' },
    { limit: 201, q: 'x' },
    { categry: ['pricing'] },
    { category: ['colour'] },
    { decided_by: [] },
    { outcome_status: ['great'] },
    { outcome_status: [] },
    { category: 'pricing' },
  ])('refuses %j', async (input) => {
    await expect(find(input)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('decision.find by words that stand only in the notes of an outcome', () => {
  const notes = { outcome_notes: 'Pigeons nested below the girders.' }
  const q = { q: 'pigeons nested girders', threshold: 0 }

  it.each([
    ['category', { category: 'pricing' }, { category: ['pricing'] }, { category: ['legal'] }],
    ['significance', { significance: 'routine' }, { significance: ['routine'] }, { significance: ['strategic'] }],
    ['surface', { surface: 'adr' }, { surface: ['adr'] }, { surface: ['code'] }],
    ['status', { status: 'deprecated' }, { status: ['deprecated'] }, { status: ['accepted'] }],
    ['in_force', {}, { in_force: true }, { in_force: false }],
    ['in_force false', { status: 'deprecated' }, { in_force: false }, { in_force: true }],
    ['entity_type', { entities: [{ type: 'a', id: 'b' }] }, { entity_type: ['a'] }, { entity_type: ['b'] }],
    ['entity_id', { entities: [{ type: 'a', id: 'b' }] }, { entity_id: ['b'] }, { entity_id: ['a'] }],
    ['decided_by', { decided_by: ['Ada'] }, { decided_by: ['Ada'] }, { decided_by: ['Bo'] }],
    ['outcome_status', {}, { outcome_status: ['mixed'] }, { outcome_status: ['none', 'failure'] }],
    ['since', { decided_at: in_(2020) }, { since: in_(2019) }, { since: in_(2020) }],
    ['until', { decided_at: in_(2020) }, { until: in_(2020) }, { until: in_(2019) }],
  ])('applies the filter %s to the decision', async (_, fields, passing, failing) => {
    const id = await decide('Glass roof', fields)
    await report(id, 'mixed', notes)
    expect(ids(await find({ ...q, ...passing }))).toEqual([id])
    expect(ids(await find({ ...q, ...failing }))).toEqual([])
  })

  it('goes by the decision as it is after a revision, a judgment, a supersession and a later outcome', async () => {
    const first = { category: 'pricing', decided_by: ['Ada'], decided_at: in_(2020) }
    const second = { category: 'legal', decided_by: ['Bo'], decided_at: in_(2021), entities: [{ type: 'a', id: 'b' }] }
    const id = await decide('Glass roof', { ...first, external_id: 'roof' })
    await report(id, 'mixed', { ...notes, observed_at: in_(2022) })
    const expectOnly = async (passing: object, failing: object) => {
      expect(ids(await find({ ...q, ...passing }))).toEqual([id])
      expect(ids(await find({ ...q, ...failing }))).toEqual([])
    }
    await decide('Steel roof', { ...second, external_id: 'roof' })
    await expectOnly({ category: ['legal'] }, { category: ['pricing'] })
    await expectOnly({ decided_by: ['Bo'] }, { decided_by: ['Ada'] })
    await expectOnly({ entity_id: ['b'], since: in_(2020) }, { until: in_(2020) })
    // a proposed revision changes nothing before it is accepted
    await decide('Slate roof', { ...first, category: 'security', status: 'proposed', external_id: 'roof' })
    await expectOnly({ category: ['legal'] }, { category: ['security'] })
    await apply(on, resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })
    await expectOnly({ category: ['security'], decided_by: ['Ada'] }, { category: ['legal'] })
    await report(id, 'failure', { outcome_notes: 'It leaked.' })
    await expectOnly({ outcome_status: ['failure'] }, { outcome_status: ['mixed'] })
    await expectOnly({ in_force: true }, { in_force: false })
    await decide('No roof', { supersedes: [id] })
    await expectOnly({ in_force: false }, { in_force: true })
  })

  it('finds it among more outcomes of other decisions than the engine proposes', async () => {
    const [one, other] = [await decide('Glass roof', { category: 'legal' }), await decide('Meter')]
    await report(one, 'mixed', notes)
    for (let n = 0; n < 250; n++) {
      await promise(on, recordOutcome, {
        id: other,
        outcome_status: 'mixed',
        outcome_notes: `${notes.outcome_notes} ${n}`,
      })
    }
    await quiet(on)
    expect(ids(await find({ ...q, category: ['legal'] }))).toEqual([one])
  })

  it('goes by the decision if its outcome and its revision are decided in one entry', async () => {
    const id = await decide('Glass roof', { external_id: 'roof', category: 'pricing' })
    await promise(on, recordOutcome, { id, outcome_status: 'mixed', ...notes })
    await promise(on, recordOutcome, { id, outcome_status: 'failure', outcome_notes: 'It leaked.' })
    const revised = { title: 'Steel roof', judgment: 'Steel.', external_id: 'roof', category: 'legal' }
    await promise(on, recordDecision, revised)
    await quiet(on)
    expect(ids(await find({ ...q, category: ['legal'], outcome_status: ['failure'] }))).toEqual([id])
    expect(ids(await find({ ...q, category: ['pricing'] }))).toEqual([])
  })

  it('goes by a revision that the slower lane decides after a later proposal', async () => {
    const id = await decide('Glass roof', { external_id: 'roof', category: 'pricing' })
    await report(id, 'mixed', notes)
    const revised = { title: 'Steel roof', judgment: 'Steel.', external_id: 'roof', category: 'legal' }
    await promise(on, recordDecision, revised, actorAda, 'import')
    const proposal = { title: 'Slate roof', judgment: 'Slate.', external_id: 'roof', status: 'proposed' }
    await promise(on, recordDecision, proposal)
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    expect(ids(await find({ ...q, category: ['legal'] }))).toEqual([id])
    expect(ids(await find({ ...q, category: ['pricing'] }))).toEqual([])
  })

  it('keeps the 50 outcomes observed last up to date', async () => {
    const id = await decide('Glass roof', { external_id: 'roof' })
    for (let n = 0; n < 52; n++) {
      const outcome_notes = `Pigeon number ${n}.`
      const observed_at = new Date(Date.UTC(2020, 0, n + 1)).toISOString()
      await promise(on, recordOutcome, { id, outcome_status: 'mixed', outcome_notes, observed_at })
    }
    await quiet(on)
    await decide('Steel roof', { external_id: 'roof', category: 'legal' })
    const outcomes = (await rows(on)).filter(({ kind }) => kind === 'outcome')
    expect(outcomes.map(({ category }) => category)).toEqual([null, null, ...Array(50).fill('legal')])
  })

  it('does not find what the caller may not see', async () => {
    const id = await decide('Glass roof', { visibility: { scope: 'private' }, category: 'legal' })
    await report(id, 'mixed', notes)
    expect(ids(await find({ ...q, category: ['legal'] }, eve))).toEqual([])
    expect(ids(await find({ outcome_status: ['mixed'] }, eve))).toEqual([])
  })
})
