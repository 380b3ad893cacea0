/** Examples of the rules for conflicts and time (SEMANTICS 1), as callers see them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { searchContext } from '../../src/context/search.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import { drain } from '../../src/journal/drain.ts'
import { getMemory } from '../../src/memories/get.ts'
import { remember } from '../../src/memories/remember.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { type Link, links } from '../../src/records/link.ts'
import { actorAda, apply, promise, quiet, rows, workspace } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { advance, index, openTimedWorld, type TimedWorld } from '../support/history.ts'

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

/** Every date in these tests is 1 January. The clock begins in 2026. */
const in_ = (year: number) => `${year}-01-01T00:00:00.000Z`

async function decide(title: string, more: object = {}, actor?: Actor): Promise<string> {
  const input = { title, judgment: `The harbour: ${title}.`, ...more }
  const receipt = await apply(on, recordDecision, input, actor)
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}
async function say(content: string, more: object = {}): Promise<string> {
  return (await apply(on, remember, { kind: 'fact', content, ...more })).entity?.id as string
}
const search = async (input: object) => ask(await readsOf(on), searchContext, input)
const decision = async (id: string) => ask(await readsOf(on), getDecision, { id })
/** The titles in force then. They are the same with and without a query. */
async function inForceIn(year: number): Promise<string[]> {
  const as_of = in_(year)
  const titles = (items: { title?: string | undefined }[]) => items.map(({ title }) => title as string).sort()
  const found = titles((await search({ q: 'harbour', as_of, limit: 50 })).items)
  expect(titles((await search({ as_of, limit: 50 })).items)).toEqual(found)
  return found
}
async function until(year: number): Promise<void> {
  await advance(on, Date.parse(in_(year)))
  await index(on)
}
type Conflicts = {
  conflicts: { source: { title?: string | undefined }; superseded_by: { title?: string | undefined } }[]
}
const conflictsIn = ({ conflicts }: Conflicts) =>
  conflicts.map(({ source, superseded_by }) => `${source.title} → ${superseded_by.title}`).sort()

describe('supersession', () => {
  it('in a chain of twenty decisions the last is current, and each was in force in its time', async () => {
    const ids: string[] = []
    for (let n = 0; n < 20; n++) {
      const supersedes = ids.slice(-1)
      ids.push(
        await decide(`Plan ${n}`, { judgment: `The harbour, only${n}only.`, decided_at: in_(2001 + n), supersedes }),
      )
    }
    const found = await search({ q: 'only0only' })
    expect(found.items.map(({ id }) => id)).toEqual([ids[19]])
    expect(conflictsIn(found)).toEqual(['Plan 0 → Plan 19'])
    for (let n = 0; n < 20; n++) expect(await inForceIn(2001 + n)).toEqual([`Plan ${n}`])
    expect(await inForceIn(2000)).toEqual([])
    const { prior_positions } = await decision(ids[19] as string)
    expect(prior_positions?.map(({ id }) => id)).toEqual(ids.slice(0, 19).reverse())
  })

  it('shows both branches of a decision that was split in two', async () => {
    const whole = await decide('Whole', { judgment: 'The harbour, undivided.', decided_at: in_(2020) })
    const south = await decide('South', { decided_at: in_(2023), supersedes: [whole] })
    const north = await decide('North', { decided_at: in_(2022), supersedes: [whole] })
    const found = await search({ q: 'undivided' })
    expect(found.items.map(({ id }) => id)).toEqual([north])
    expect(conflictsIn(found)).toEqual(['Whole → North', 'Whole → South'])
    expect((await decision(whole)).successors).toEqual([north, south])
    expect(await inForceIn(2021)).toEqual(['Whole'])
    expect(await inForceIn(2022)).toEqual(['North'])
    expect(await inForceIn(2023)).toEqual(['North', 'South'])
  })

  it('lets one decision supersede three', async () => {
    const three = [
      await decide('A', { decided_at: in_(2018) }),
      await decide('B', { decided_at: in_(2019), external_id: 'b' }),
      await decide('C', { decided_at: in_(2020) }),
    ]
    const one = await decide('One', { decided_at: in_(2024), supersedes: [three[0], 'b', three[2]] })
    expect(await inForceIn(2023)).toEqual(['A', 'B', 'C'])
    expect(await inForceIn(2024)).toEqual(['One'])
    expect(conflictsIn(await search({ q: 'harbour' }))).toEqual(['A → One', 'B → One', 'C → One'])
    expect((await decision(one)).prior_positions?.map(({ id }) => id)).toEqual([...three].reverse())
  })

  it('a decision stays in force if another one amends it', async () => {
    const first = await decide('Hours', { decided_at: in_(2020) })
    await decide('Hours on Sundays', { decided_at: in_(2021), sources: [{ type: 'decision', id: first }] })
    expect(await inForceIn(2022)).toEqual(['Hours', 'Hours on Sundays'])
    expect((await search({ q: 'harbour' })).conflicts).toEqual([])
  })

  it('corrects a correction', async () => {
    const first = await say('The harbour opens at six.', { occurred_at: in_(2020) })
    const correct = (content: string, target: string, year: number) =>
      say(content, { kind: 'correction', corrects_memory_id: target, occurred_at: in_(year) })
    const second = await correct('The harbour opens at seven.', first, 2021)
    const third = await correct('The harbour opens at eight.', second, 2022)
    expect((await search({ q: 'harbour opens at six' })).items.map(({ id }) => id)).toEqual([third])
    const memory = await ask(await readsOf(on), getMemory, { id: second })
    expect(memory.corrected_by.map(({ id }) => id)).toEqual([third])
    expect(memory.corrects.map(({ id }) => id)).toEqual([first])
    expect(await inForceIn(2021)).toEqual(['The harbour opens at seven.'])
  })

  it('a backdated decision ends the older one at its own date', async () => {
    const old = await decide('Old', { decided_at: in_(2020) })
    await decide('New', { decided_at: in_(2022), supersedes: [old] })
    expect(await inForceIn(2021)).toEqual(['Old'])
    expect(await inForceIn(2022)).toEqual(['New'])
  })

  it('the older decision stays in force until a successor that is dated ahead begins', async () => {
    const old = await decide('Old', { decided_at: in_(2020) })
    const next = await decide('Next', { decided_at: in_(2030), supersedes: [old] })
    expect((await search({ q: 'harbour' })).items.map(({ id }) => id)).toEqual([old])
    expect((await search({ q: 'harbour' })).conflicts).toEqual([])
    // a read for a future instant shows what will be in force then
    expect(await inForceIn(2029)).toEqual(['Old'])
    expect(await inForceIn(2030)).toEqual(['Next'])
    await until(2030)
    const found = await search({ q: 'harbour' })
    expect(found.items.map(({ id }) => id)).toEqual([next])
    expect(conflictsIn(found)).toEqual(['Old → Next'])
    expect(await inForceIn(2029)).toEqual(['Old'])
  })

  it('superseded decisions can be read by reference and by id, with their successors', async () => {
    const old = await decide('Old', { decided_at: in_(2020) })
    const middle = await decide('Middle', { decided_at: in_(2021), supersedes: [old] })
    await decide('New', { decided_at: in_(2022), supersedes: [middle] })
    const found = await search({ references: [{ type: 'decision', id: old }] })
    expect(found.items.map(({ id }) => id)).toEqual([old])
    expect(conflictsIn(found)).toEqual(['Old → New'])
    const { items } = await ask(await readsOf(on), searchDecisions, { ids: [old] })
    expect(items).toMatchObject([{ id: old, superseded_by_decision_id: middle, in_force: false }])
  })
})

describe('revisions by external_id', () => {
  const revise = (title: string, more: object) => decide(title, { external_id: 'plan', ...more })

  it('a revision that was accepted earlier but applied later does not become current', async () => {
    const late = { title: 'Late', judgment: 'The harbour: Late.', external_id: 'plan', decided_at: in_(2025) }
    await promise(on, recordDecision, late, actorAda, 'import')
    on.time.now += 1
    const current = { ...late, title: 'Current', decided_at: in_(2024) }
    await promise(on, recordDecision, current)
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    expect(await inForceIn(2024)).toEqual(['Current'])
    expect(await inForceIn(2025)).toEqual(['Current'])
    expect((await search({ q: 'harbour' })).items).toMatchObject([{ title: 'Current' }])
  })

  it('a revision is in force until one that was accepted later begins, and never are two in force at once', async () => {
    await revise('Granite', { decided_at: in_(2020) })
    await revise('Timber', { decided_at: in_(2025) })
    await revise('Steel', { decided_at: in_(2022) })
    expect(await inForceIn(2021)).toEqual(['Granite'])
    expect(await inForceIn(2023)).toEqual(['Steel'])
    // search does not find the older one by its words either
    expect((await search({ q: 'granite', as_of: in_(2023) })).items).toEqual([])
  })

  it('a new revision does not change the end of a decision that was superseded before', async () => {
    await revise('First', { decided_at: in_(2020) })
    await decide('Other', { decided_at: in_(2022), supersedes: ['plan'] })
    await revise('First, told better', { decided_at: in_(2024) })
    expect(await inForceIn(2021)).toEqual(['First'])
    expect(await inForceIn(2023)).toEqual(['Other'])
  })

  it('all revisions end if the decision is superseded at an instant before the last one begins', async () => {
    await revise('First', { decided_at: in_(2020) })
    await revise('Second', { decided_at: in_(2024) })
    await decide('Other', { decided_at: in_(2022), supersedes: ['plan'] })
    expect(await inForceIn(2021)).toEqual(['First'])
    expect(await inForceIn(2023)).toEqual(['Other'])
    expect(await inForceIn(2025)).toEqual(['Other'])
  })

  it('supersession begins earlier if a later revision is dated before the first', async () => {
    const old = await decide('Old', { decided_at: in_(2019) })
    await revise('First', { decided_at: in_(2022), supersedes: [old] })
    await revise('First, as of the year before', { decided_at: in_(2021) })
    expect(await inForceIn(2020)).toEqual(['Old'])
    expect(await inForceIn(2021)).toEqual(['First, as of the year before'])
  })

  it('the target of an earlier revision is superseded on time if a later revision begins after that', async () => {
    const old = await decide('Old', { decided_at: in_(2019) })
    await revise('First', { decided_at: in_(2030), supersedes: [old] })
    await revise('Second', { decided_at: in_(2031) })
    for (const asked of [2026, 2032]) {
      await until(asked)
      expect(await inForceIn(2029)).toEqual(['Old'])
      expect(await inForceIn(2030)).toEqual(['First'])
      expect(await inForceIn(2031)).toEqual(['Second'])
    }
  })

  it('a planned supersession takes effect even if another revision is proposed before it begins', async () => {
    const old = await decide('Old', { decided_at: in_(2019) })
    await revise('First', { decided_at: in_(2030), supersedes: [old] })
    await revise('Second', { decided_at: in_(2029), status: 'proposed' })
    for (const asked of [2026, 2032]) {
      await until(asked)
      expect(await inForceIn(2029)).toEqual(['Old'])
      expect(await inForceIn(2031)).toEqual(['First'])
    }
  })

  it('a target that arrives late is superseded even if another revision was proposed meanwhile', async () => {
    await revise('First', { decided_at: in_(2020), supersedes: ['old'] })
    await revise('Second', { decided_at: in_(2024), status: 'proposed' })
    await decide('Old', { decided_at: in_(2018), external_id: 'old' })
    expect(await inForceIn(2019)).toEqual(['Old'])
    expect(await inForceIn(2021)).toEqual(['First'])
    expect(await inForceIn(2025)).toEqual(['First'])
  })

  it('a revision that is applied late does not supersede the target of a later proposal', async () => {
    const old = await decide('Old', { decided_at: in_(2019) })
    await revise('First', { decided_at: in_(2020) })
    const late = { title: 'Late', judgment: 'The harbour: Late.', external_id: 'plan', decided_at: in_(2021) }
    await promise(on, recordDecision, late, actorAda, 'import')
    on.time.now += 1
    const proposal = { ...late, title: 'Proposal', decided_at: in_(2022), status: 'proposed', supersedes: [old] }
    await promise(on, recordDecision, proposal)
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    expect(await inForceIn(2020)).toEqual(['First', 'Old'])
    expect(await inForceIn(2021)).toEqual(['Late', 'Old'])
    expect(await inForceIn(2023)).toEqual(['Late', 'Old'])
  })

  it('a revision supersedes the target of an earlier one even if its author cannot see the target', async () => {
    const mine = await decide('Mine', { decided_at: in_(2019), visibility: { scope: 'private' } })
    await revise('Proposal', { status: 'proposed', supersedes: [mine] })
    const ben = { ...actorAda, user: 'ben', credential: 'key-of-ben', teams: [] }
    const shared = await decide('Shared', { external_id: 'plan' }, ben)
    expect((await decision(mine)).superseded_by_decision_id).toBe(shared)
    expect((await ask(await readsOf(on), getDecision, { id: shared }, ben)).supersedes).toEqual([])
  })

  it('the revision in force ends if a proposal that was dated ahead is confirmed', async () => {
    await revise('Granite', { decided_at: in_(2020) })
    const id = await revise('Proposal', { decided_at: in_(2030), status: 'proposed' })
    await until(2027)
    const confirmed = await apply(on, resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })
    expect(confirmed.error).toBeNull()
    await until(2028)
    expect(await inForceIn(2026)).toEqual(['Granite'])
    expect(await inForceIn(2028)).toEqual(['Proposal'])
    expect((await search({ q: 'granite', as_of: in_(2028) })).items).toEqual([])
  })
})

describe('two links of one decision to the same target', () => {
  const stored = async () => on.documents.find(links, { where: { workspace }, limit: 10 })
  const waiting = async () => (await stored()).filter(({ state }) => state !== 'closed').map(({ id }) => id)
  const supersedes = async (id: string) => (await rows(on)).find((row) => row.record_id === id)?.supersedes
  const accept = (id: string) => apply(on, resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })

  /** It names a decision by its external_id before that exists, then by its id. */
  async function namedTwice(more: object): Promise<{ newer: string; older: string }> {
    const newer = await decide('Newer', { ...more, supersedes: ['older'] })
    const older = await decide('Older', { external_id: 'older', decided_at: in_(2020) })
    const { error } = await apply(on, supersedeDecision, { id: older, superseded_by: newer })
    expect(error).toBeNull()
    return { newer, older }
  }

  it('are one link, which takes effect when the decision begins', async () => {
    const { newer, older } = await namedTwice({ decided_at: in_(2028) })
    expect(await waiting()).toEqual([`${newer}/${older}`])
    await until(2029)
    expect([await supersedes(newer), await waiting()]).toEqual([[older], []])
    expect(await inForceIn(2029)).toEqual(['Newer'])
  })

  it('are one link, which takes effect when the proposal is accepted', async () => {
    const { newer, older } = await namedTwice({ status: 'proposed' })
    expect(await waiting()).toEqual([`${newer}/${older}`])
    await accept(newer)
    expect([await supersedes(newer), await waiting()]).toEqual([[older], []])
  })

  it.each([
    ['when the decision begins', { decided_at: in_(2028) }],
    ['when the proposal is accepted', { status: 'proposed' }],
  ])('take effect once %s, even if both were stored', async (_, more) => {
    const { newer, older } = await namedTwice(more)
    const [link] = (await stored()).filter(({ state }) => state !== 'closed') as [Link]
    await on.documents.insertMany(links, [{ ...link, id: `${newer}/another` }])
    if ('status' in more) await accept(newer)
    else await until(2029)
    expect([await supersedes(newer), await waiting()]).toEqual([[older], []])
    expect((await decision(older)).superseded_by_decision_id).toBe(newer)
  })
})
