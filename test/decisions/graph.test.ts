import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { decisionGraph, type GraphOutput } from '../../src/decisions/graph.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import type { Audience, RecordId } from '../../src/ids.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { chunks } from '../../src/ports/chunks.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { links } from '../../src/records/link.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { type Succession, successionOf, successions } from '../../src/records/succession.ts'
import { runQuery } from '../../src/run-query.ts'
import { answered } from '../support/answering.ts'
import { actorAda, apply, row, rows, workspace } from '../support/apply.ts'
import { ask, publicUrl, readsOf } from '../support/ask.ts'
import { heldBy } from '../support/blocked-thread.ts'
import { advance, index, openTimedWorld, type TimedWorld } from '../support/history.ts'

let on: TimedWorld
beforeEach(async () => {
  on = await openTimedWorld()
})
afterEach(() => on.close())

const decide = async (title: string, more: object = {}) => {
  const receipt = await apply(on, recordDecision, { title, judgment: `${title}.`, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as RecordId
}
const graph = async (input: object, actor?: Actor, reads?: Reads) =>
  ask(reads ?? (await readsOf(on)), decisionGraph, input, actor)
const ids = ({ nodes }: GraphOutput) => nodes.map(({ id }) => id)
const missing = '00000000-0000-7000-8000-00000000dead'

describe('decision.graph', () => {
  it('shows what the root superseded and what took its place, with reasons and dates', async () => {
    const first = await decide('A', { decided_at: '2020-01-01T00:00:00Z', category: 'pricing' })
    const second = await decide('B', { decided_at: '2021-01-01T00:00:00Z', supersedes: [first] })
    const third = await decide('C', {
      decided_at: '2022-01-01T00:00:00Z',
      significance: 'routine',
      supersedes: [second],
      supersession_reason: 'B was slow.',
    })
    expect(await graph({ root: second })).toEqual({
      root: second,
      nodes: [
        node(second, 'B', 2021, { depth: 0 }),
        node(third, 'C', 2022, { depth: 1, in_force: true, significance: 'routine' }),
        node(first, 'A', 2020, { depth: 1, category: 'pricing' }),
      ],
      edges: [
        { from: second, to: first, type: 'supersedes', at: '2021-01-01T00:00:00.000Z' },
        { from: third, to: second, type: 'supersedes', reason: 'B was slow.', at: '2022-01-01T00:00:00.000Z' },
      ],
      truncated: false,
    })
    expect(ids(await graph({ root: second, direction: 'ancestors' }))).toEqual([second, first])
    expect(ids(await graph({ root: second, direction: 'descendants' }))).toEqual([second, third])
    expect(ids(await graph({ root: first, depth: 1 }))).toEqual([first, second])
  })

  it('shows a supersession that has not taken effect as pending, until it has', async () => {
    const old = await decide('Old')
    const proposed = await decide('Proposed', {
      status: 'proposed',
      supersedes: [old],
      supersession_reason: 'Why not?',
    })
    const ahead = await decide('Ahead', { decided_at: '2027-01-01T00:00:00Z', supersedes: [old] })
    const pending = [
      { from: proposed, to: old, type: 'pending', reason: 'Why not?' },
      { from: ahead, to: old, type: 'pending', at: '2027-01-01T00:00:00.000Z' },
    ]
    for (const root of [old, proposed, ahead]) {
      expect((await graph({ root })).edges).toEqual(
        expect.arrayContaining(pending.filter((one) => root === old || one.from === root)),
      )
    }
    await advance(on, Date.parse('2027-01-01T00:00:00Z'))
    await index(on)
    const { edges, nodes } = await graph({ root: old })
    expect(edges).toEqual(expect.arrayContaining([pending[0], { ...pending[1], type: 'supersedes' }]))
    expect(nodes.filter(({ in_force }) => in_force).map(({ id }) => id)).toEqual([ahead])
  })

  it('shows as pending what a proposal is to supersede, also if that was recorded later', async () => {
    const proposed = await decide('Proposed', { status: 'proposed', supersedes: ['later'] })
    expect((await graph({ root: proposed })).edges).toEqual([])
    const later = await decide('Later', { external_id: 'later' })
    const pending = [{ from: proposed, to: later, type: 'pending' }]
    for (const root of [proposed, later]) expect((await graph({ root })).edges).toEqual(pending)
    const answer = { question_id: `judgment:${proposed}`, resolution: 'confirm' }
    expect((await apply(on, resolve, answer)).error).toBeNull()
    expect((await graph({ root: later })).edges).toMatchObject([{ from: proposed, to: later, type: 'supersedes' }])
    // one seen by more than the proposal is none that it can supersede
    const hidden = { status: 'proposed', supersedes: ['shared'], visibility: { scope: 'private' } }
    const own = await decide('Own', hidden)
    await decide('Shared', { external_id: 'shared' })
    expect((await graph({ root: own })).edges).toEqual([])
  })

  it('shows the leading outcome of each decision', async () => {
    const old = await decide('Old')
    const newer = await decide('Newer', { supersedes: [old] })
    expect((await apply(on, recordOutcome, { id: old, outcome_status: 'failure' })).error).toBeNull()
    const { nodes } = await graph({ root: newer })
    expect(nodes.map(({ id, outcome_status }) => [id, outcome_status])).toEqual([
      [newer, undefined],
      [old, 'failure'],
    ])
  })

  it('shows a memory that took the place of a decision, and begins at a memory as well', async () => {
    const first = await decide('Who is on call', { decided_at: '2020-01-01T00:00:00Z' })
    const judgment = 'The on-call rotation has five people.'
    const second = await decide('Rotation', { judgment, supersedes: [first], significance: 'strategic' })
    const fact = await apply(on, remember, { kind: 'fact', content: 'The on-call rotation has seven people.' })
    const made = await answered(on, await readsOf(on), { type: 'decision', id: second }, 'The rotation has six people.')
    const { nodes, edges } = await graph({ root: made })
    expect(nodes.map(({ id }) => id)).toEqual([made, fact.entity?.id, second, first])
    expect(nodes[0]).toMatchObject({ type: 'memory', url: `${publicUrl}/v1/context/memories/${made}` })
    expect(edges.map(({ from, to }) => [from, to])).toEqual([
      [made, fact.entity?.id],
      [made, second],
      [second, first],
    ])
  })

  it('ends at a decision that the caller may not see, and shows neither it nor what is behind it', async () => {
    const [mine, hidden] = [{ scope: 'workspace' }, { scope: 'private' }]
    const old = await decide('Old', { visibility: hidden })
    const middle = await decide('Middle', { visibility: hidden, supersedes: [old] })
    const shown = await decide('Shown', { visibility: mine, supersedes: [middle] })
    const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }
    expect(ids(await graph({ root: shown }))).toEqual([shown, middle, old])
    expect(await graph({ root: shown }, eve)).toMatchObject({ nodes: [{ id: shown }], edges: [], truncated: false })
    await hide(old, 'workspace')
    for (const root of [shown, old]) expect(ids(await graph({ root }, eve))).toEqual([root])
  })

  it('answers the same not_found for a hidden, a missing and a root of another kind', async () => {
    const hidden = await decide('Hidden', { visibility: { scope: 'private' } })
    const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }
    const refused = (root: string) => graph({ root }, eve).catch(({ code, message }) => ({ code, message }))
    const expected = await refused(missing)
    expect(expected).toEqual({ code: 'not_found', message: expect.stringContaining('root') })
    expect(await refused(hidden)).toEqual(expected)
    await decide('Proposed', { status: 'proposed' })
    const question = (await rows(on)).find(({ kind }) => kind === 'question')
    expect(await refused(question?.record_id as string)).toEqual(expected)
  })

  it.each([
    { depth: 0 },
    { depth: 21 },
    { depth: 1.5 },
    { direction: 'up' },
    { root: 'adr-1' },
    { root: undefined },
    { deepth: 3 },
  ])('refuses %j', async (input) => {
    await expect(graph({ root: missing, ...input })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a graph of many decisions', () => {
  it('of a chain of 10,000 shows 20 levels in each direction', async () => {
    const chain = await insert(10_000, (n) => [n - 1])
    const { answer, queries } = await counted({ root: chain[5_000], depth: 20 })
    expect(answer).toMatchObject({ truncated: false })
    expect(new Set(ids(answer))).toEqual(new Set(chain.slice(4_980, 5_021)))
    expect(answer.nodes.map(({ depth }) => depth)).toEqual(Array.from({ length: 41 }, (_, n) => Math.ceil(n / 2)))
    expect(answer.edges).toHaveLength(40)
    expect(queries).toBeLessThanOrEqual(20 * 3 + 2)
    const ends = await counted({ root: chain[0], depth: 20, direction: 'ancestors' })
    expect(ids(ends.answer)).toEqual([chain[0]])
    expect(ends.queries).toBeLessThanOrEqual(3)
  })

  it('of a diamond of 20 levels shows each decision and each edge once', async () => {
    const width = 5
    const above = (n: number) => (n < width ? [] : level(Math.floor(n / width) - 1, width))
    const all = await insert(width * 20, above)
    const { answer, queries } = await counted({ root: all.at(-1), depth: 20, direction: 'ancestors' })
    expect(answer.truncated).toBe(false)
    expect(new Set(ids(answer))).toEqual(new Set([all.at(-1), ...all.slice(0, -width)]))
    expect(answer.edges).toHaveLength(width + 18 * width * width)
    expect(new Set(answer.edges.map(({ from, to }) => from + to)).size).toBe(answer.edges.length)
    // as many as for a chain
    expect(queries).toBeLessThanOrEqual(20 * 2 + 2)
  })

  it('has at most 500 nodes, nearest first, and says that there are more', async () => {
    // a tree: each of the first 40 has 40 below it
    const tree = await insert(1 + 40 + 1600, (n) => (n === 0 ? [] : n <= 40 ? [0] : [1 + ((n - 41) % 40)]))
    const { answer, queries } = await counted({ root: tree[0], direction: 'descendants' })
    expect(answer.truncated).toBe(true)
    expect(answer.nodes).toHaveLength(500)
    expect(ids(answer).slice(0, 41)).toEqual(tree.slice(0, 41))
    expect(answer.nodes.map(({ depth }) => depth)).toEqual([0, ...Array(40).fill(1), ...Array(459).fill(2)])
    expect(answer.edges).toHaveLength(499)
    expect(queries).toBeLessThanOrEqual(12)
    const exact = await insert(500, (n) => (n === 0 ? [] : n <= 40 ? [0] : [1 + ((n - 41) % 40)]))
    expect(await graph({ root: exact[0] })).toMatchObject({ truncated: false, nodes: { length: 500 } })
  })

  it('of one with 2,000 successors shows the earliest 499, and each of the others leads back to it', async () => {
    const all = await insert(2_001, (n) => (n === 0 ? [] : [0]))
    const { answer, queries } = await counted({ root: all[0] })
    expect(ids(answer)).toEqual(all.slice(0, 500))
    expect(answer.truncated).toBe(true)
    expect(answer.edges).toHaveLength(499)
    expect(answer.edges.every(({ at }) => at !== undefined)).toBe(true)
    expect(queries).toBeLessThanOrEqual(12)
    const last = await graph({ root: all.at(-1), direction: 'ancestors' })
    const edge = { from: all.at(-1), to: all[0], type: 'supersedes', at: expect.any(String) }
    expect(last).toMatchObject({ edges: [edge], truncated: false })
  })

  it('of one with 2,000 successors, all but the last hidden, shows the last, as if there were no others', async () => {
    const isShown = (n: number) => n === 0 || n === 2_000
    const audienceOf = (n: number): Audience => (isShown(n) ? 'workspace' : ('user:eve' as Audience))
    const all = await insert(2_001, (n) => (n === 0 ? [] : [0]), audienceOf)
    const { answer, queries } = await counted({ root: all[0] })
    expect(ids(answer)).toEqual([all[0], all[2_000]])
    expect(answer).toMatchObject({ edges: [{ at: expect.any(String) }], truncated: false })
    expect(queries).toBeLessThanOrEqual(8)
  })

  it('never holds the thread', async () => {
    const successors = await insert(2_001, (n) => (n === 0 ? [] : [0]))
    const diamond = await insert(25 * 20, (n) => (n < 25 ? [] : level(Math.floor(n / 25) - 1, 25)))
    const reads = await readsOf(on)
    for (const root of [successors[0], diamond.at(-1)]) {
      // not by `ask`, which also checks the response against its schema
      const { longest } = await heldBy(() => runQuery(reads, decisionGraph, actorAda, { root, depth: 20 }))
      expect(longest).toBeLessThan(200)
    }
  })

  it('of one that superseded 2,000, most of them hidden, shows all that the caller sees', async () => {
    const everyTenth = (n: number): Audience => (n % 10 === 0 ? 'workspace' : ('user:eve' as Audience))
    const all = await insert(2_001, (n) => (n === 2_000 ? level(0, 2_000) : []), everyTenth)
    const { answer, queries } = await counted({ root: all.at(-1) })
    expect(answer.nodes).toHaveLength(201)
    expect(answer.truncated).toBe(false)
    expect(queries).toBeLessThanOrEqual(20)
  })

  it('ends if supersessions form a cycle, and shows each of them', async () => {
    const ring = await insert(3, (n) => [(n + 2) % 3])
    const { nodes, edges, truncated } = await graph({ root: ring[1], depth: 20 })
    expect(nodes.map(({ depth }) => depth)).toEqual([0, 1, 1])
    expect(edges).toHaveLength(3)
    expect(truncated).toBe(false)
    const [one, other] = (await insert(2, (n) => (n === 1 ? [0] : []))) as [RecordId, RecordId]
    const waiting = { successor: one, target: other, target_kind: 'decision', due: in2030, state: 'dated' } as const
    const link = { id: `${one}/${other}`, workspace, audiences: [], reason: null, entry: 1, ...waiting }
    await on.documents.insertMany(links, [link])
    expect((await graph({ root: one, depth: 20 })).edges).toEqual([
      { from: one, to: other, type: 'pending', at: in2030 },
      expect.objectContaining({ from: other, to: one, type: 'supersedes' }),
    ])
  })
})

const in2030 = '2030-01-01T00:00:00.000Z'

function node(id: string, title: string, year: number, more: object) {
  return {
    type: 'decision',
    id,
    title,
    status: 'accepted',
    decided_at: `${year}-01-01T00:00:00.000Z`,
    in_force: false,
    url: `${publicUrl}/v1/decisions/${id}`,
    ...more,
  }
}

const level = (at: number, width: number) => Array.from({ length: width }, (_, n) => at * width + n)

/** Writes rows as projection does, because 10,000 writes take long. `older`: the numbers of what each one supersedes. */
async function insert(
  count: number,
  older: (n: number) => number[],
  audienceOf: (n: number) => Audience = () => 'workspace',
): Promise<RecordId[]> {
  const template = await row(on, await apply(on, recordDecision, { title: 'Template', judgment: 'As all others.' }))
  const all = Array.from({ length: count }, () => v7() as RecordId)
  const named = all.map((_, n) => older(n).filter((one) => one >= 0))
  const newer = all.map((): RecordId[] => [])
  for (const [n, some] of named.entries()) for (const one of some) newer[one]?.push(all[n] as RecordId)
  const made = all.map((id, n): PrecedentRecord => {
    const successors = (newer[n] ?? [])
      .slice(0, 50)
      .map((one) => ({ id: one, valid_from: template.valid_from, reason: null }))
    return {
      ...(template as PrecedentRecord & { kind: 'decision' }),
      id,
      record_id: id,
      audience: audienceOf(n),
      supersedes: (named[n] ?? []).map((one) => all[one] as RecordId),
      successors,
      superseded_by: successors[0]?.id ?? null,
    }
  })
  for (const some of chunks(made, 1_000)) await on.documents.insertMany(records, some)
  // those that a row has no room for
  const further = newer.flatMap((some, n) =>
    some.slice(50).map((successor): Succession => {
      const [target, audience] = [all[n] as RecordId, audienceOf(all.indexOf(successor))]
      const { valid_from } = template
      return { ...successionOf({ target, successor, audience, valid_from, reason: null }), workspace, entry: 1 }
    }),
  )
  for (const some of chunks(further, 1_000)) await on.documents.insertMany(successions, some)
  return all
}

async function hide(id: RecordId, audience: Audience): Promise<void> {
  expect(await on.documents.update(records, id, { set: { audience } })).toBe(true)
}

/** Counts the queries of the store. */
async function counted(input: object): Promise<{ answer: GraphOutput; queries: number }> {
  const reads = await readsOf(on)
  let queries = 0
  const counting = <Method extends (...all: never[]) => unknown>(method: Method) =>
    ((...all) => {
      queries += 1
      return method.apply(reads.documents, all)
    }) as Method
  const { get, find, count } = reads.documents
  const documents = { ...reads.documents, get: counting(get), find: counting(find), count: counting(count) }
  return { answer: await graph(input, undefined, { ...reads, documents }), queries }
}
