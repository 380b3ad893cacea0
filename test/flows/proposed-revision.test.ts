/** A proposed revision does not change the decision until it is confirmed (ADR 6). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../src/context/brief/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { drain } from '../../src/journal/drain.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { actorAda, apply, promise, quiet, rows, workspace } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { advance, index, openTimedWorld, type TimedWorld } from '../support/history.ts'

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

/** 1 January. The clock begins in 2026. */
const in_ = (year: number) => `${year}-01-01T00:00:00.000Z`
async function until(year: number): Promise<void> {
  await advance(on, Date.parse(in_(year)))
  await index(on)
}

async function decide(title: string, more: object = {}): Promise<string> {
  const receipt = await apply(on, recordDecision, { title, judgment: `The quay: ${title}.`, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}
const quay = (title: string, more: object = {}) => decide(title, { external_id: 'quay', ...more })
async function answer(id: string, resolution: string, note?: string): Promise<string> {
  const input = { question_id: `judgment:${id}`, resolution, ...(note === undefined ? {} : { note }) }
  const receipt = await apply(on, resolve, input)
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}

const get = async (id: string) => ask(await readsOf(on), getDecision, { id })
const search = async (input: object) => ask(await readsOf(on), searchContext, input)
const about = async (input: object) => ask(await readsOf(on), brief, input)
const sync = async (cursor?: string) => ask(await readsOf(on), syncContext, cursor === undefined ? {} : { cursor })
const titlesOf = ({ items }: { items: { title?: string | undefined }[] }) => items.map(({ title }) => title)
/** Titles in force at an instant, or now. They are the same with and without a query. */
async function inForce(as_of?: string): Promise<(string | undefined)[]> {
  const at = as_of === undefined ? {} : { as_of }
  const newest = titlesOf(await search({ ...at, limit: 50 })).sort()
  if (as_of !== undefined) expect(titlesOf(await search({ q: 'quay', as_of, limit: 50 })).sort()).toEqual(newest)
  return newest
}
const judgments = async (id: string) => {
  const { open_questions } = await search({ references: [{ type: 'decision', id }] })
  return open_questions?.map(({ reason, claim }) => `${reason}: ${claim}`)
}

describe('a proposed revision of an accepted decision', () => {
  it('an answer to an earlier proposal does not decide a later one', async () => {
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of timber', { status: 'proposed' })
    const early = await promise(on, resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })
    const straw = { title: 'Of straw', judgment: 'The quay: Of straw.', external_id: 'quay', status: 'proposed' }
    await promise(on, recordDecision, straw, actorAda, 'import')
    await drain(on.portsOf(on), { workspace, lane: 'import' })
    await quiet(on)
    const { receipts } = await import('../../src/receipt.ts')
    expect(await on.documents.get(receipts, early.id)).toMatchObject({
      error: {
        code: 'question_closed',
        message: expect.stringContaining(`judgment:${id} is about a newer proposal now`),
      },
    })
    expect((await get(id)).title).toBe('Of granite')
  })

  it('the accepted revision stays in force, and every read shows it, while another one is proposed', async () => {
    const id = await quay('Of granite', { decided_at: in_(2020) })
    const before = await sync()
    await quay('Of timber', { status: 'proposed', decided_at: in_(2024) })
    for (const as_of of [undefined, in_(2023), in_(2025), in_(2026), in_(2030)]) {
      expect(await inForce(as_of)).toEqual(['Of granite'])
    }
    // the words of both revisions find the one in force
    for (const q of ['granite', 'timber']) expect(titlesOf(await search({ q }))).toEqual(['Of granite'])
    const { items } = await ask(await readsOf(on), searchDecisions, { q: 'quay', threshold: 0 })
    expect(items).toMatchObject([{ id, title: 'Of granite', status: 'accepted', in_force: true, revision: 1 }])
    const told = await about({ query: 'quay' })
    expect(told.decisions).toMatchObject([{ id, title: 'Of granite', status: 'accepted' }])
    expect(told.markdown).toContain('Accept or reject **Of timber** (proposed 2024-01-01)')
    for (const one of [told, await about({})]) expect(one.trust).toMatchObject({ quarantined_held_count: 1 })
    const decision = await get(id)
    expect(decision).toMatchObject({ title: 'Of granite', status: 'accepted', in_force: true, revision: 1 })
    expect(decision.valid_to).toBeUndefined()
    expect(decision.revisions).toMatchObject([
      { revision: 2, title: 'Of timber', status: 'proposed', shown: false },
      { revision: 1, title: 'Of granite', status: 'accepted', shown: true },
    ])
    // sync readers already have the revision in force
    expect((await sync()).changes.decisions).toEqual(before.changes.decisions)
    expect((await sync(before.cursor)).changes.decisions).toEqual([])
  })

  it('a proposed revision is asked about in its own words', async () => {
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed' })
    expect(await judgments(id)).toEqual(['pending_judgment: Of timber: The quay: Of timber.'])
    expect((await search({ q: 'granite' })).open_questions).toMatchObject([{ question_id: `judgment:${id}` }])
    expect((await about({})).open_questions).toMatchObject([{ question_id: `judgment:${id}` }])
  })

  it('a confirmed proposal is in force from its confirmation on, and supersedes its targets', async () => {
    const pier = await decide('A pier', { decided_at: in_(2019) })
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of timber', { status: 'proposed', decided_at: in_(2024), supersedes: [pier] })
    expect(await inForce()).toEqual(['A pier', 'Of granite'])
    const { cursor } = await sync()
    await until(2027)
    expect(await answer(id, 'confirm')).toBe(id)
    expect(await get(id)).toMatchObject({ title: 'Of timber', status: 'accepted', in_force: true, supersedes: [pier] })
    expect(await get(pier)).toMatchObject({ in_force: false, superseded_by_decision_id: id })
    await until(2028)
    expect(await inForce(in_(2026))).toEqual(['A pier', 'Of granite'])
    expect(await inForce(in_(2027))).toEqual(['Of timber'])
    expect(await inForce()).toEqual(['Of timber'])
    expect(await judgments(id)).toEqual([])
    expect((await sync(cursor)).changes.decisions).toMatchObject([
      { id, title: 'Of timber', change_type: 'upsert', supersedes: [pier] },
      { id: pier, change_type: 'superseded', replacement_id: id },
    ])
  })

  it('a dismissed proposal is rejected, and the accepted revision stays in force', async () => {
    const pier = await decide('A pier')
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of timber', { status: 'proposed', supersedes: [pier] })
    const { cursor } = await sync()
    expect(await answer(id, 'dismiss', 'It rots.')).toBe(id)
    await until(2027)
    expect(await inForce()).toEqual(['A pier', 'Of granite'])
    expect(await inForce(in_(2027))).toEqual(['A pier', 'Of granite'])
    const decision = await get(id)
    expect(decision).toMatchObject({ title: 'Of granite', status: 'accepted', in_force: true })
    expect(decision.revisions).toMatchObject([{ revision: 2, status: 'rejected' }, { revision: 1 }])
    expect(decision.answers).toMatchObject([{ resolution: 'dismiss', note: 'It rots.' }])
    expect(await judgments(id)).toEqual([])
    expect((await sync(cursor)).changes.decisions).toEqual([])
  })

  it('a correction of a proposal supersedes the whole decision', async () => {
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of timber', { status: 'proposed' })
    const { cursor } = await sync()
    await until(2027)
    const made = await answer(id, 'correct', 'The quay is of steel.')
    expect(made).not.toBe(id)
    expect(await get(made)).toMatchObject({ judgment: 'The quay is of steel.', in_force: true, supersedes: [id] })
    expect(await get(id)).toMatchObject({ in_force: false, valid_to: in_(2027), superseded_by_decision_id: made })
    expect(await inForce(in_(2026))).toEqual(['Of granite'])
    expect(await inForce(in_(2027))).toEqual(['Of timber'])
    expect(titlesOf(await search({ q: 'granite' }))).toEqual(['Of timber'])
    const changes = (await sync(cursor)).changes.decisions
    expect(changes).toMatchObject([
      { id: made, change_type: 'upsert', supersedes: [id] },
      { id, change_type: 'superseded', replacement_id: made },
    ])
  })

  it('a newer proposal replaces an older one and takes over its targets', async () => {
    const pier = await decide('A pier')
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed', supersedes: [pier] })
    on.time.now += 1
    await quay('Of steel', { status: 'proposed' })
    expect(await judgments(id)).toEqual(['pending_judgment: Of steel: The quay: Of steel.'])
    expect((await get(id)).revisions.map(({ valid_to }) => valid_to)).toEqual([
      undefined,
      new Date(on.time.now).toISOString(),
      undefined,
    ])
    await answer(id, 'confirm')
    expect(await get(id)).toMatchObject({ title: 'Of steel', in_force: true, supersedes: [pier] })
  })

  it('a new proposal is asked about after another one was answered, and all answers are kept', async () => {
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed' })
    await answer(id, 'dismiss', 'It rots.')
    await quay('Of steel', { status: 'proposed' })
    expect(await judgments(id)).toEqual(['pending_judgment: Of steel: The quay: Of steel.'])
    expect((await get(id)).answers).toMatchObject([{ note: 'It rots.', claim: 'Of timber: The quay: Of timber.' }])
    on.time.now += 1
    await answer(id, 'confirm', 'At last.')
    expect((await get(id)).answers).toMatchObject([
      { resolution: 'confirm', note: 'At last.', claim: 'Of steel: The quay: Of steel.' },
      { resolution: 'dismiss', note: 'It rots.', claim: 'Of timber: The quay: Of timber.' },
    ])
    expect(await get(id)).toMatchObject({ title: 'Of steel', in_force: true })
  })

  it('the question about a proposal is closed if another revision is accepted', async () => {
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed' })
    await quay('Of brick')
    expect(await get(id)).toMatchObject({ title: 'Of brick', in_force: true })
    expect(await judgments(id)).toEqual([])
    const late = apply(on, resolve, { question_id: `judgment:${id}`, resolution: 'confirm' })
    await expect(late).rejects.toMatchObject({ code: 'revision_conflict' })
  })

  it('the question about a proposal is closed if the decision is superseded', async () => {
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed' })
    await decide('No quay', { supersedes: ['quay'] })
    expect(await judgments(id)).toEqual([])
    await quay('Of steel', { status: 'proposed' })
    expect(await judgments(id)).toEqual([])
    expect(await inForce()).toEqual(['No quay'])
  })

  it('a dismissed proposal supersedes none of its targets, not even one that arrives later', async () => {
    const pier = await decide('A pier')
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed', supersedes: [pier, 'jetty'] })
    await answer(id, 'dismiss')
    await quay('Of granite, told better')
    const jetty = await decide('A jetty', { external_id: 'jetty' })
    for (const other of [pier, jetty]) expect(await get(other)).toMatchObject({ in_force: true, successors: [] })
  })

  it('a proposal does not change the planned supersession of the accepted revision', async () => {
    const pier = await decide('A pier', { decided_at: in_(2019) })
    const planned = { decided_at: in_(2030), supersedes: [pier], supersession_reason: 'Too short.' }
    const id = await quay('Of granite', planned)
    await quay('Of timber', { status: 'proposed', supersedes: [pier], supersession_reason: 'Too old.' })
    await until(2031)
    expect(await inForce(in_(2029))).toEqual(['A pier'])
    expect(await inForce(in_(2030))).toEqual(['Of granite'])
    expect((await get(id)).prior_positions).toMatchObject([{ id: pier, supersession_reason: 'Too short.' }])
  })

  it('open questions of the accepted revision are asked until a proposal with its own questions is confirmed', async () => {
    const open = (words: string) => ({ judgment: `The quay is of ${words}. Open question: who pays for the ${words}?` })
    const id = await quay('Of granite', open('granite'))
    await quay('Of timber', { status: 'proposed', ...open('timber') })
    expect((await judgments(id))?.filter((one) => one.startsWith('explicit'))).toEqual([
      'explicit_question: Open question: who pays for the granite?',
    ])
    await answer(id, 'confirm')
    expect(await judgments(id)).toEqual(['explicit_question: Open question: who pays for the timber?'])
  })

  it('a confirmed proposal takes over what the accepted revision has superseded meanwhile', async () => {
    const id = await quay('Of granite', { supersedes: ['jetty'] })
    await quay('Of timber', { status: 'proposed' })
    const jetty = await decide('A jetty', { external_id: 'jetty' })
    expect(await get(id)).toMatchObject({ title: 'Of granite', supersedes: [jetty] })
    await answer(id, 'confirm')
    expect(await get(id)).toMatchObject({ title: 'Of timber', supersedes: [jetty] })
  })

  it('the question about replacing a strategic decision names the confirmed proposal', async () => {
    const pier = await decide('A pier', { significance: 'strategic' })
    const id = await quay('Of granite')
    await quay('Of timber', { status: 'proposed', supersedes: [pier] })
    await answer(id, 'confirm')
    const claim = '“Of timber” replaces the strategic decision “A pier”. Is that meant?'
    expect(await judgments(id)).toEqual([`high_grade_supersession: ${claim}`])
  })

  it('replacing a strategic decision is not asked about if the decision that replaces it is superseded too', async () => {
    const pier = await decide('A pier', { significance: 'strategic' })
    const id = await quay('Of timber', { status: 'proposed', supersedes: [pier] })
    await decide('No quay', { supersedes: [id] })
    await quay('Of granite')
    expect(await get(pier)).toMatchObject({ superseded_by_decision_id: id, in_force: false })
    expect((await rows(on)).filter((row) => row.kind === 'question' && row.valid_to === null)).toEqual([])
  })

  it('a proposal that is sent again changes nothing, before and after it was decided', async () => {
    const id = await quay('Of granite')
    const proposal = { status: 'proposed', decided_at: in_(2024) }
    await quay('Of timber', proposal)
    const count = (await rows(on)).length
    await quay('Of timber', proposal)
    await answer(id, 'dismiss')
    await quay('Of timber', proposal)
    expect((await rows(on)).length).toBe(count)
    expect(await get(id)).toMatchObject({ title: 'Of granite', in_force: true })
    // it differs from the newest one, so it is a new revision
    await quay('Of granite')
    expect(await get(id)).toMatchObject({ title: 'Of granite', revision: 3, in_force: true })
  })

  it('a proposal stays pending if a revision that was accepted before it is applied after it', async () => {
    const pier = await decide('A pier', { decided_at: in_(2019) })
    const id = await quay('Of granite', { decided_at: in_(2020) })
    const late = { title: 'Of brick', judgment: 'The quay: Of brick.', external_id: 'quay', decided_at: in_(2022) }
    await promise(on, recordDecision, { ...late, supersedes: [pier] }, actorAda, 'import')
    on.time.now += 1
    await promise(on, recordDecision, { ...late, title: 'Of timber', status: 'proposed' })
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    expect(await get(id)).toMatchObject({ title: 'Of brick', revision: 3, in_force: true, supersedes: [pier] })
    expect(await inForce(in_(2021))).toEqual(['A pier', 'Of granite'])
    expect(await inForce(in_(2023))).toEqual(['Of brick'])
    expect(await judgments(id)).toEqual(['pending_judgment: Of timber: The quay: Of brick.'])
    expect((await sync()).changes.decisions.filter((one) => one.id === id)).toMatchObject([{ title: 'Of brick' }])
  })
})

describe('a revision', () => {
  it('a revision that is sent as rejected leaves the accepted one in force, and asks nothing', async () => {
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of timber', { status: 'proposed' })
    await quay('Of timber, after all not', { status: 'rejected' })
    expect(await inForce()).toEqual(['Of granite'])
    expect(await get(id)).toMatchObject({ status: 'accepted', in_force: true, revision: 1 })
    expect(await judgments(id)).toEqual([])
  })

  it('a revision that is sent as deprecated ends the accepted one', async () => {
    const id = await quay('Of granite', { decided_at: in_(2020) })
    await quay('Of granite', { status: 'deprecated', decided_at: in_(2024) })
    expect(await inForce(in_(2023))).toEqual(['Of granite'])
    expect(await inForce()).toEqual([])
    expect(await get(id)).toMatchObject({ status: 'deprecated', in_force: false, revision: 2 })
  })

  it('a proposed revision of a deprecated decision is not shown as the decision until it is confirmed', async () => {
    const id = await quay('Of granite', { status: 'deprecated' })
    await quay('Of granite, again', { status: 'proposed' })
    expect(await get(id)).toMatchObject({ status: 'deprecated', revision: 1 })
    expect(await judgments(id)).toEqual(['pending_judgment: Of granite, again: The quay: Of granite, again.'])
    await answer(id, 'dismiss')
    expect(await get(id)).toMatchObject({ status: 'deprecated', revision: 1 })
  })

  it.each(['proposed', 'rejected'])('a proposed revision replaces a %s one', async (status) => {
    const id = await quay('Of granite', { status })
    on.time.now += 1
    await quay('Of timber', { status: 'proposed' })
    expect(await get(id)).toMatchObject({ title: 'Of timber', status: 'proposed', in_force: false, revision: 2 })
    expect(await judgments(id)).toEqual(['pending_judgment: Of timber: The quay: Of timber.'])
    expect((await sync()).changes.decisions).toMatchObject([{ id, title: 'Of timber (proposed)' }])
    await answer(id, 'dismiss')
    expect((await sync()).changes.decisions).toMatchObject([{ id, change_type: 'invalidated' }])
  })
})
