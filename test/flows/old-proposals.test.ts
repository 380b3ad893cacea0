/** Proposals that nobody has decided for half a year: one question for all of a source (docs/questions.md). */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { brief } from '../../src/context/brief/brief.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries } from '../../src/journal/entry.ts'
import { remember } from '../../src/memories/remember.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { listQuestions } from '../../src/questions/list.ts'
import { gatherOldProposals } from '../../src/questions/old-proposals/find.ts'
import { mostProposals } from '../../src/questions/raise/old-proposals.ts'
import { accept } from '../../src/receipts/accept.ts'
import { actorAda, apply, promise, quiet, workspace } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { day, openTimedWorld, type TimedWorld } from '../support/history.ts'

const ben: Actor = { ...actorAda, user: 'ben', credential: 'key-of-ben', teams: [] }

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

interface Given {
  source?: string
  age?: number
  judgment?: string
  more?: object
  actor?: Actor
}
/** A proposal that was imported from a repository. */
async function propose(name: string, { source = 'acme/app/adr', age = 200, judgment, more, actor }: Given = {}) {
  const path = `${source}/${name}.md`
  const receipt = await apply(
    on,
    recordDecision,
    {
      title: name,
      judgment: judgment ?? `We choose ${name} for all services.`,
      status: 'proposed',
      decided_at: new Date(on.time.now - age * day).toISOString(),
      external_id: path,
      sources: [{ type: 'adr', id: path, provenance: { class: 'repo', path } }],
      ...more,
    },
    actor,
  )
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as string
}
async function gather(): Promise<void> {
  await gatherOldProposals(on.portsOf(on))
  await quiet(on)
}
const open = async (actor?: Actor) => (await ask(await readsOf(on), listQuestions, {}, actor)).items
const claims = async (actor?: Actor) => (await open(actor)).map(({ claim }) => claim)
const answer = (question_id: string, resolution: string, more: object = {}) =>
  apply(on, resolve, { question_id, resolution, ...more })
const decision = async (id: string) => (await ask(await readsOf(on), getDecision, { id })) as { status: string }
async function gathered(...names: string[]): Promise<{ ids: string[]; question: string }> {
  const ids: string[] = []
  for (const name of names) ids.push(await propose(name))
  await gather()
  const [question, ...others] = await open()
  expect(others).toEqual([])
  return { ids, question: question?.question_id as string }
}

it('asks one question about the old proposals of each source, and one each about the others', async () => {
  await propose('Old one', { age: 300 })
  await propose('Old two')
  await propose('Of another source', { source: 'acme/site' })
  await propose('Also of it', { source: 'acme/site' })
  await propose('The only one', { source: 'acme/lib' })
  await propose('Young', { age: 100 })
  await propose('Unwritten', { judgment: 'TBD' })
  await propose('Filler', { judgment: 'Lorem ipsum dolor sit amet.' })
  expect(await open()).toHaveLength(6)
  await gather()
  expect((await claims()).sort()).toEqual([
    '2 proposals of acme/app/adr are older than half a year: still open? “Old one”, “Old two”',
    '2 proposals of acme/site are older than half a year: still open? “Of another source”, “Also of it”',
    'The only one: We choose The only one for all services.',
    'Young: We choose Young for all services.',
  ])
  const [old] = (await open()).filter(({ claim }) => claim.startsWith('2 proposals of acme/app/adr'))
  expect(old).toMatchObject({ reason: 'pending_judgment', priority: 'watching', proposals: 2 })
  expect((await open()).flatMap(({ proposals }) => proposals ?? [])).toEqual([2, 2])
  expect(old?.question_id).toMatch(/^clarification:proposals-[0-9a-f]{12}-[0-9a-f]{24}$/)
})

it('replaces the lines of these proposals in a handoff, except of those that match the query', async () => {
  const { question } = await gathered('Rust for the harbour', 'Go for the quay')
  const unresolved = async (input: object) => {
    const { markdown } = await ask(await readsOf(on), brief, { ...input, lens: 'handoff' })
    return markdown.split('## Unresolved decisions')[1] as string
  }
  const all = await unresolved({})
  expect(all).toContain(question)
  expect(all).not.toContain('**Rust for the harbour')
  expect(await unresolved({ query: 'Rust for the harbour' })).toContain('**Rust for the harbour')
})

it('replaces these lines in a handoff also if another question is more urgent, with the one who sees the answer', async () => {
  const more = { visibility: { scope: 'private' } }
  await propose('Rust for the harbour', { more })
  await propose('Go for the quay', { more })
  await gather()
  const question = (await open())[0]?.question_id
  for (let n = 0; n < 40; n++)
    await apply(on, remember, { kind: 'constraint', content: `${'A long rule of the harbour. '.repeat(8)} ${n}` })
  for (const what of ['cranes', 'tugs', 'ropes', 'buoys']) await propose(`Paint the ${what}`, { age: 10 })
  const { markdown } = await ask(await readsOf(on), brief, { lens: 'handoff' })
  expect(markdown).not.toContain('**Rust for the harbour')
  expect(markdown).toMatch(new RegExp(`older than half a year.*${question}.*\n.*Who sees the answer:\\* you alone`))
})

it('is asked in a brief only if one of these proposals is among the records that match best', async () => {
  const { question } = await gathered('Rust for the harbour', 'Go for the quay')
  await apply(on, remember, { kind: 'fact', content: 'The quay is dredged each spring, by the crew of the ferry.' })
  const asked = async (query: string) => {
    const { open_questions } = await ask(await readsOf(on), brief, { query })
    return open_questions.map(({ question_id }) => question_id)
  }
  expect(await asked('Go for the quay')).toContain(question)
  expect(await asked('when does the crew of the ferry dredge the quay in spring')).toEqual([])
})

it('asks what an old proposal leaves open only after it was accepted', async () => {
  const judgment = 'We choose One for all services. To be decided: who owns the signing key?'
  const id = await propose('One', { judgment })
  await propose('Young', { judgment, age: 100 })
  const reasons = async () => (await open()).map(({ reason, subject }) => `${subject?.query}: ${reason}`).sort()
  expect(await reasons()).toEqual(['One: pending_judgment', 'Young: explicit_question', 'Young: pending_judgment'])
  const [asked] = (await open()).filter(({ subject }) => subject?.id === id)
  await answer(asked?.question_id as string, 'confirm')
  expect(await decision(id)).toMatchObject({ status: 'accepted' })
  expect(await reasons()).toEqual(['One: explicit_question', 'Young: explicit_question', 'Young: pending_judgment'])
})

it('gathers a proposal that becomes old while nothing is written', async () => {
  await propose('One', { age: 179 })
  await propose('Two', { age: 179 })
  await gather()
  expect(await open()).toHaveLength(2)
  on.time.now += 2 * day
  await gather()
  expect(await claims()).toEqual(['2 proposals of acme/app/adr are older than half a year: still open? “One”, “Two”'])
})

it('changes nothing when it runs again, or in two processes', async () => {
  await propose('One')
  await propose('Two')
  await Promise.all([gatherOldProposals(on.portsOf(on)), gatherOldProposals(on.portsOf(on))])
  await quiet(on)
  const before = await open()
  await gather()
  expect(before).toHaveLength(1)
  expect(await open()).toEqual(before)
})

it('a question that gains a proposal is replaced, so nobody answers for a proposal that they have not read about', async () => {
  const { question } = await gathered('One', 'Two')
  await propose('Three', { age: 400 })
  await gather()
  expect(await claims()).toEqual([
    '3 proposals of acme/app/adr are older than half a year: still open? “Three”, “One”, “Two”',
  ])
  await expect(answer(question, 'dismiss')).rejects.toMatchObject({ code: 'revision_conflict' })
})

it('names at most 50 proposals in one question', async () => {
  for (let n = 0; n <= mostProposals + 1; n++) {
    const input = {
      title: `P${n}`,
      judgment: `We choose ${n}.`,
      status: 'proposed',
      decided_at: '2020-01-01T00:00:00Z',
    }
    await promise(on, recordDecision, input)
  }
  await quiet(on)
  await gather()
  const found = await claims()
  expect(found.map((claim) => claim.split(':', 1)[0]).sort()).toEqual([
    '2 proposals are older than half a year',
    '50 proposals are older than half a year',
  ])
})

it('a proposal that is decided leaves the question, which closes when none is left', async () => {
  const { ids, question } = await gathered('One', 'Two', 'Three')
  // judged alone
  expect((await answer(`judgment:${ids[0]}`, 'confirm')).error).toBeNull()
  expect(await decision(ids[0] as string)).toMatchObject({ status: 'accepted' })
  expect(await claims()).toEqual(['2 proposals of acme/app/adr are older than half a year: still open? “Two”, “Three”'])
  // superseded
  await apply(on, recordDecision, { title: 'New', judgment: 'We choose another way.', supersedes: [ids[1]] })
  expect(await open()).toMatchObject([
    { question_id: question, claim: '1 proposal of acme/app/adr is older than half a year: still open? “Three”' },
  ])
  // proposed again: that is a question of its own
  await propose('Three', { age: 0, judgment: 'We choose Three for new services.' })
  expect(await claims()).toEqual(['Three: We choose Three for new services.'])
})

it('confirm leaves all of them proposed, and asks no more', async () => {
  const { ids, question } = await gathered('One', 'Two')
  expect((await answer(question, 'confirm')).error).toBeNull()
  for (const id of ids) expect(await decision(id)).toMatchObject({ status: 'proposed' })
  await gather()
  expect(await open()).toEqual([])
})

it('dismiss rejects all of them', async () => {
  const { ids, question } = await gathered('One', 'Two')
  expect((await answer(question, 'dismiss')).error).toBeNull()
  for (const id of ids) expect(await decision(id)).toMatchObject({ status: 'rejected' })
  await gather()
  expect(await open()).toEqual([])
})

it.each(['correct', 'answer'])(
  'the note of %s becomes one decision that supersedes all of them',
  async (resolution) => {
    const { ids, question } = await gathered('One', 'Two')
    const receipt = await answer(question, resolution, { note: 'We drop these plans and keep what runs.' })
    expect(receipt.error).toBeNull()
    const made = receipt.entity?.id as string
    expect(await decision(made)).toMatchObject({ status: 'accepted' })
    for (const id of ids) expect(await decision(id)).toMatchObject({ superseded_by: [{ id: made }] })
    expect(await open()).toEqual([])
  },
)

it('an answer is in one entry, so a kill between two proposals can’t split it; sent twice, it applies once', async () => {
  const { ids, question } = await gathered('One', 'Two')
  const call = {
    operation: resolve,
    actor: actorAda,
    input: { question_id: question, resolution: 'dismiss' },
    idempotencyKey: 'the-same-answer-twice',
  }
  const first = await accept(on.portsOf(on), call)
  const again = await accept(on.portsOf(on), call)
  expect(again.id).toBe(first.id)
  await Promise.all([1, 2].map(() => drain(on.portsOf(on), { workspace, lane: 'interactive' })))
  const all = await on.documents.find(entries, { where: { workspace }, limit: 1_000 })
  const rejecting = all.filter(({ records }) =>
    records.some((change) => change.type === 'changed' && change.set.status === 'rejected'),
  )
  expect(rejecting).toHaveLength(1)
  for (const id of ids) expect(await decision(id)).toMatchObject({ status: 'rejected' })
})

it('a question names only proposals of one audience, and only its readers see it', async () => {
  await propose('Shared one')
  await propose('Shared two')
  const ofBen = { actor: ben, more: { visibility: { scope: 'private' } } }
  await propose('Private one', ofBen)
  await propose('Private two', ofBen)
  await gather()
  const shared = '2 proposals of acme/app/adr are older than half a year: still open? “Shared one”, “Shared two”'
  expect(await claims()).toEqual([shared])
  expect((await claims(ben)).sort()).toEqual([
    '2 proposals of acme/app/adr are older than half a year: still open? “Private one”, “Private two”',
    shared,
  ])
})

it('leaves out a proposed revision of a decision that is in force', async () => {
  const more = { status: 'accepted' }
  await propose('One', { more })
  await propose('One', { judgment: 'We choose One for new services.' })
  await propose('Two')
  await gather()
  expect((await claims()).sort()).toEqual([
    'One: We choose One for new services.',
    'Two: We choose Two for all services.',
  ])
})
