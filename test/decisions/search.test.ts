import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../src/context/brief/brief.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { answered } from '../support/answering.ts'
import { actorAda, apply, type World, world } from '../support/apply.ts'
import { ask, pagesOf, publicUrl, readsOf } from '../support/ask.ts'

let on: World
let reads: Reads
beforeEach(async () => {
  on = await world()
  reads = await readsOf(on)
})
afterEach(() => on.close())

const decide = async (title: string, more: object = {}) =>
  (await apply(on, recordDecision, { title, judgment: `${title}.`, ...more })).entity?.id as string
const search = (input: object) => ask(reads, searchDecisions, input)
const ids = ({ items }: { items: { id: string }[] }) => items.map((item) => item.id)
const missing = '00000000-0000-7000-8000-00000000dead'

describe('decision.search', () => {
  it('returns a decision with all its fields', async () => {
    const id = await decide('Meter by the hour', {
      judgment: 'Customers pay per hour.',
      context: {
        summary: 'Usage differs widely.',
        constraints: ['No flat fee'],
        alternatives: [{ title: 'Flat fee', why_not: 'Unfair' }],
        assumptions: ['Clocks agree'],
      },
      rationale: 'It is fair.',
      consequences: 'Bills vary.',
      decided_at: '2024-02-03T00:00:00Z',
      decided_by: ['Ada'],
      category: 'pricing',
      significance: 'strategic',
      surface: 'meeting',
      entities: [{ type: 'product', name: 'Meter' }],
      sources: [{ type: 'minutes', id: 'M-7', provenance: { class: 'meeting' } }],
      external_id: 'pricing/7',
    })
    const [item] = (await search({ q: 'how do customers pay' })).items
    expect(item).toMatchObject({
      id,
      title: 'Meter by the hour',
      judgment: 'Customers pay per hour.',
      rationale: 'It is fair.',
      consequences: 'Bills vary.',
      decided_at: '2024-02-03T00:00:00.000Z',
      decided_by: ['Ada'],
      category: 'pricing',
      significance: 'strategic',
      surface: 'meeting',
      entities: [{ type: 'product', name: 'Meter' }],
      sources: [{ type: 'minutes', id: 'M-7', provenance: { class: 'meeting' } }],
      external_id: 'pricing/7',
      url: `${publicUrl}/v1/decisions/${id}`,
      status: 'accepted',
      in_force: true,
      revision: 1,
      visibility: { scope: 'workspace' },
      supersedes: [],
      prior_positions: [],
    })
    expect(item?.context).toBe(
      'Usage differs widely.\n\nConstraints:\n- No flat fee\n\nAlternatives:\n- Flat fee: Unfair\n\nAssumptions:\n- Clocks agree',
    )
    expect(item?.context_parts).toMatchObject({ constraints: ['No flat fee'] })
    expect(item?.history).toBeUndefined()
    expect(item?.score).toBeGreaterThanOrEqual(0.5)
  })

  it('finds only decisions', async () => {
    await apply(on, remember, { kind: 'fact', content: 'Customers pay per hour.' })
    expect(ids(await search({ q: 'customers pay', threshold: 0 }))).toEqual([])
  })

  it('replaces older decisions by the newest of their chain, with its prior positions', async () => {
    const first = await decide('Cache in memory', { decided_at: '2020-01-01T00:00:00Z' })
    const reason = 'It is lost on restart.'
    const second = await decide('Cache on disk', {
      decided_at: '2021-01-01T00:00:00Z',
      supersedes: [first],
      supersession_reason: reason,
    })
    const third = await decide('Cache in Redis', { decided_at: '2022-01-01T00:00:00Z', supersedes: [second] })
    const answer = await search({ q: 'cache memory' })
    expect(ids(answer)).toEqual([third])
    expect(answer.items[0]?.prior_positions).toEqual([
      { id: second, title: 'Cache on disk', judgment: 'Cache on disk.', decided_at: '2021-01-01T00:00:00.000Z' },
      {
        id: first,
        title: 'Cache in memory',
        judgment: 'Cache in memory.',
        decided_at: '2020-01-01T00:00:00.000Z',
        supersession_reason: reason,
      },
    ])
  })

  it('returns a decision that a memory superseded, marked as superseded by it', async () => {
    const first = await decide('Who is on call', { decided_at: '2020-01-01T00:00:00Z' })
    const judgment = 'The on-call rotation has five people.'
    const second = await decide('Rotation', { judgment, supersedes: [first], significance: 'strategic' })
    await apply(on, remember, { kind: 'fact', content: 'The on-call rotation has seven people.' })
    const note = 'The on-call rotation has six people.'
    const made = await answered(on, reads, { type: 'decision', id: second }, note)
    for (const input of [{ q: 'on-call rotation', threshold: 0 }, { ids: [second] }]) {
      const { items } = await search(input)
      expect(items).toMatchObject([
        {
          id: second,
          in_force: false,
          successors: [made],
          superseded_by: [{ type: 'memory', id: made, title: note }],
          prior_positions: [{ id: first }],
        },
      ])
      expect(items[0]?.valid_to).toBeDefined()
      expect(items[0]?.superseded_by_decision_id).toBeUndefined()
    }
    // the last decision of the chain is only returned if it meets the filters
    expect(ids(await search({ q: 'who is on call', threshold: 0, significance: 'strategic' }))).toEqual([second])
    expect(ids(await search({ q: 'who is on call', threshold: 0, significance: 'routine' }))).toEqual([])
  })

  it('names its superseded claims and their successors', async () => {
    const claim = 'I think the shop opens at seven.'
    const id = await decide('Open a shop', { judgment: `There will be one shop in Bern. ${claim}` })
    expect((await search({ ids: [id] })).items).toMatchObject([{ superseded_claims: [] }])
    const made = await answered(on, reads, { type: 'decision', id }, 'The shop opens at eight.')
    const correction = { kind: 'correction', content: 'The shop opens at nine.', corrects_memory_id: made }
    const newest = (await apply(on, remember, correction)).entity?.id
    const shown = { id, in_force: true, superseded_claims: [{ claim, by: { type: 'memory', id: newest } }] }
    expect((await search({ q: 'shop in Bern', threshold: 0 })).items).toMatchObject([shown])
    expect((await search({ ids: [id] })).items).toMatchObject([shown])
    expect(await ask(reads, getDecision, { id })).toMatchObject(shown)
    const { in_force: _, ...told } = shown
    expect((await ask(reads, brief, {})).decisions).toMatchObject([told])
  })

  it('applies each filter to the decisions it returns', async () => {
    const old = await decide('Queue in the database', { category: 'technical', decided_at: '2020-01-01T00:00:00Z' })
    const both = { entities: [{ type: 'system', name: 'Queue' }], surface: 'adr', significance: 'routine' }
    const id = await decide('Queue in Redis', {
      category: 'operations',
      supersedes: [old],
      decided_at: '2022-01-01T00:00:00Z',
      ...both,
    })
    const found = async (filter: object) => ids(await search({ q: 'queue database redis', threshold: 0, ...filter }))
    expect(await found({})).toEqual([id])
    expect(await found({ category: 'operations' })).toEqual([id])
    expect(await found({ category: 'technical' })).toEqual([])
    expect(await found({ significance: 'routine' })).toEqual([id])
    expect(await found({ significance: 'strategic' })).toEqual([])
    expect(await found({ surface: 'adr' })).toEqual([id])
    expect(await found({ surface: 'meeting' })).toEqual([])
    expect(await found({ entity_type: 'system' })).toEqual([id])
    expect(await found({ entity_type: 'person' })).toEqual([])
    expect(await found({ since: '2021-01-01T00:00:00Z' })).toEqual([id])
    expect(await found({ since: '2022-01-01T00:00:00Z' })).toEqual([])
  })

  it('leaves out decisions below the threshold', async () => {
    await decide('Roast the coffee dark')
    await decide('Serve coffee and tea in the garden when the weather is mild')
    const all = await search({ q: 'roast coffee dark', threshold: 0 })
    expect(all.items).toHaveLength(2)
    const score = all.items[0]?.score as number
    expect(ids(await search({ q: 'roast coffee dark', threshold: score }))).toEqual([all.items[0]?.id])
    expect((await search({ q: 'what does the moon weigh' })).items).toEqual([])
  })

  it('returns all visible decisions by id, whatever the limit, and without the search engine', async () => {
    const first = await decide('Cache in memory')
    const second = await decide('Cache on disk', { supersedes: [first] })
    const hidden = (
      await apply(
        on,
        recordDecision,
        { title: 'Secret', judgment: 'Hush.', visibility: { scope: 'private' } },
        { ...actorAda, user: 'ben' },
      )
    ).entity?.id
    const away = { candidates: () => Promise.reject(new EngineUnavailable('search', 'away')) }
    const answer = await ask({ ...reads, search: { ...reads.search, ...away } }, searchDecisions, {
      ids: [second, hidden, first, missing, second],
      limit: 1,
      threshold: 1,
    })
    expect(ids(answer)).toEqual([second, first])
    expect(answer.items[1]).toMatchObject({ superseded_by_decision_id: second, in_force: false })
    expect(answer.items[0]?.score).toBeUndefined()
  })

  it('refuses a forged cursor and one of another search, both with q and with ids', async () => {
    const id = await decide('Warehouse 1 stays open')
    await decide('Warehouse 2 stays open')
    const { next_cursor: cursor } = await search({ q: 'warehouse open', limit: 1 })
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'cursor' }] } }
    for (const query of [{ q: 'warehouse' }, { ids: [id] }]) {
      await expect(search({ ...query, cursor })).rejects.toMatchObject(refused)
      await expect(search({ ...query, cursor: 'garbage' })).rejects.toMatchObject(refused)
    }
  })

  it('requires q or ids', async () => {
    await expect(search({})).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'q', message: 'is required unless ids is given' }] },
    })
  })

  it('pages through all hits once', async () => {
    const written: string[] = []
    for (let n = 0; n < 7; n++) written.push(await decide(`Warehouse ${n} stays open`))
    const pages = await pagesOf(reads, searchDecisions, { q: 'warehouse open', limit: 3 })
    expect(pages.flatMap(ids).sort()).toEqual(written.sort())
    expect(pages.map((page) => page.items.length)).toEqual([3, 3, 1])
  })

  it('gives the last ten revisions as history', async () => {
    for (let n = 1; n <= 12; n++) {
      await decide(`Limit is ${n}`, {
        external_id: 'limit',
        decided_at: `2024-01-${String(n).padStart(2, '0')}T00:00:00Z`,
      })
    }
    const [item] = (await search({ q: 'limit' })).items
    expect(item).toMatchObject({ title: 'Limit is 12', revision: 12 })
    expect(item?.history?.split('\n\n')).toHaveLength(10)
    expect(item?.history).toMatch(
      /^Revision 12 \(accepted, 2024-01-12, as shown\): Limit is 12\nLimit is 12\.\n\nRevision 11 /,
    )
  })
})

describe('decision.get', () => {
  const get = (id: string, actor = actorAda) => ask(reads, getDecision, { id }, actor)

  it('returns one decision with its revisions and all its successors', async () => {
    const id = await decide('Deploy weekly', { external_id: 'deploys', decided_at: '2020-01-01T00:00:00Z' })
    await decide('Deploy daily', { external_id: 'deploys', decided_at: '2021-01-01T00:00:00Z' })
    const [web, apps] = [
      await decide('Deploy the web hourly', { supersedes: ['deploys'] }),
      await decide('Deploy apps monthly', { supersedes: ['deploys'] }),
    ]
    const decision = await get(id.toUpperCase())
    expect(decision).toMatchObject({
      id,
      title: 'Deploy daily',
      superseded_by_decision_id: web,
      successors: [web, apps],
    })
    expect(decision.superseded_by.map((source) => source.id)).toEqual([web, apps])
    expect(decision.revisions).toMatchObject([
      { revision: 2, title: 'Deploy daily', shown: true },
      { revision: 1, title: 'Deploy weekly', shown: false, valid_to: '2021-01-01T00:00:00.000Z' },
    ])
  })

  it('returns the whole judgments of prior positions', async () => {
    const judgment = 'So it is. '.repeat(1000).trim()
    const first = await decide('First', { judgment })
    const second = await decide('Second', { supersedes: [first] })
    expect((await get(second)).prior_positions?.[0]?.judgment).toBe(judgment)
    const [item] = (await search({ ids: [second] })).items
    expect(item?.prior_positions?.[0]?.judgment?.length).toBeLessThanOrEqual(2000)
  })

  it('names a supersession without effect to those who see both decisions', async () => {
    const narrow = await decide('Quietly in gold', { supersedes: ['metal'], visibility: { scope: 'private' } })
    const wide = await decide('Pay in silver', { external_id: 'metal' })
    const reason = 'narrower_audience'
    expect((await get(narrow)).void_links).toEqual([{ target: 'metal', reason }])
    expect((await get(wide)).void_links).toEqual([{ target: narrow, reason }])
    expect((await get(wide, { ...actorAda, user: 'ben' })).void_links).toEqual([])
  })

  it('answers not_found for a missing id, a memory, and a decision of another audience', async () => {
    const memory = (await apply(on, remember, { kind: 'fact', content: 'Tea.' })).entity?.id as string
    const secret = await decide('Secret', { visibility: { scope: 'private' } })
    for (const [id, actor] of [
      [missing, actorAda],
      [memory, actorAda],
      [secret, { ...actorAda, user: 'ben' }],
    ] as const) {
      await expect(get(id, actor)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await get(secret)).visibility).toEqual({ scope: 'private' })
  })
})
