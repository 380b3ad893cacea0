import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchContext } from '../../src/context/search.ts'
import { recordDecision } from '../../src/decisions/record.ts'
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

const fact = async (content: string, more: object = {}) =>
  (await apply(on, remember, { kind: 'fact', content, ...more })).entity?.id as string
const decide = async (title: string, more: object = {}) =>
  (await apply(on, recordDecision, { title, judgment: `${title}, for it serves us well.`, ...more })).entity
    ?.id as string
const search = (input: object) => ask(reads, searchContext, input)
const ids = ({ items }: { items: { id: string }[] }) => items.map((item) => item.id)

describe('context.search by query', () => {
  it('finds by content, title and topics, and cites the record', async () => {
    const id = await fact('The warehouse closes at noon on Saturdays.', {
      title: 'Opening hours',
      topics: ['logistics'],
      occurred_at: '2025-03-01T08:00:00Z',
      sources: [{ type: 'repo_file', id: 'ops/hours.md', provenance: { class: 'repo', path: 'ops/hours.md' } }],
    })
    await fact('Invoices are sent by email.')
    for (const q of ['when does the warehouse close', 'opening hours', 'logistics']) {
      const answer = await search({ q })
      expect(ids(answer)).toEqual([id])
      expect(answer.items[0]?.source).toEqual({
        type: 'memory',
        id,
        title: 'Opening hours',
        url: `${publicUrl}/v1/context/memories/${id}`,
        occurred_at: '2025-03-01T08:00:00.000Z',
        provenance: { class: 'repo', path: 'ops/hours.md' },
      })
      expect(answer.items[0]?.snippet).toBe('The warehouse closes at noon on Saturdays.')
    }
  })

  it('accepts query as an alias for q, and refuses two different values', async () => {
    const id = await fact('Invoices are sent by email.')
    expect(ids(await search({ query: 'invoices' }))).toEqual([id])
    expect(ids(await search({ query: 'invoices', q: 'invoices' }))).toEqual([id])
    await expect(search({ query: 'invoices', q: 'email' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('finds nothing for a query of punctuation only', async () => {
    await fact('Invoices are sent by email!')
    expect(await search({ q: '?!' })).toEqual({ items: [], conflicts: [], open_questions: [] })
  })

  it('shows the best passage of a long record, verbatim', async () => {
    const filler = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} speaks of the weather in the north.\n\n`).join(
      '',
    )
    const content = `${filler}The vault combination is kept by two people.\n\n${filler}`
    await fact(content)
    const [item] = (await search({ q: 'vault combination' })).items
    expect(item?.snippet).toContain('The vault combination is kept by two people.')
    expect(content).toContain(item?.snippet)
    expect(item?.snippet.length).toBeLessThanOrEqual(1200)
  })

  it('marks the status of decisions that are not accepted', async () => {
    await decide('Use PostgreSQL', { status: 'proposed' })
    const [item] = (await search({ q: 'PostgreSQL' })).items
    expect(item?.title).toBe('Use PostgreSQL (proposed)')
    expect(item?.source).toMatchObject({ title: 'Use PostgreSQL (proposed)', provenance: { class: 'decision' } })
  })

  it('fails without the search engine, but not without a query or by reference', async () => {
    const id = await fact('Invoices are sent by email.')
    const away: Reads = {
      ...reads,
      search: { ...reads.search, candidates: () => Promise.reject(new EngineUnavailable('search', 'away')) },
    }
    await expect(ask(away, searchContext, { q: 'invoices' })).rejects.toBeInstanceOf(EngineUnavailable)
    expect(ids(await ask(away, searchContext, {}))).toEqual([id])
    expect(ids(await ask(away, searchContext, { references: [{ type: 'memory', id }] }))).toEqual([id])
  })

  it('pages through every hit once, best first, while records are added', async () => {
    for (let n = 0; n < 23; n++) await fact(`Warehouse number ${n} ${'is far away. '.repeat(n % 5)}`)
    const seen: string[] = []
    const scores: number[] = []
    let cursor: string | undefined
    do {
      const page = await search({ q: 'warehouse', limit: 5, ...(cursor ? { cursor } : {}) })
      seen.push(...ids(page))
      scores.push(...page.items.map((item) => item.score as number))
      cursor = page.next_cursor
      if (seen.length === 10) for (let n = 0; n < 4; n++) await fact(`Another warehouse, ${n}`)
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThanOrEqual(18)
    expect(scores.slice(0, 10)).toEqual([...scores.slice(0, 10)].sort((a, b) => b - a))
  })

  it('refuses a forged cursor and one of another query or caller', async () => {
    for (let n = 0; n < 3; n++) await fact(`Warehouse number ${n}`)
    const { next_cursor: cursor } = await search({ q: 'warehouse', limit: 1 })
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'cursor' }] } }
    await expect(search({ q: 'number', cursor })).rejects.toMatchObject(refused)
    await expect(search({ q: 'warehouse', cursor: 'AAAA' })).rejects.toMatchObject(refused)
    const ben = { ...actorAda, user: 'ben' }
    await expect(ask(reads, searchContext, { q: 'warehouse', cursor }, ben)).rejects.toMatchObject(refused)
    expect((await search({ q: 'warehouse', limit: 2, cursor })).items).toHaveLength(2)
  })
})

describe('context.search and supersession', () => {
  it('replaces superseded hits by the head of their chain, once, and reports the conflicts', async () => {
    const first = await decide('Store sessions in MySQL')
    const second = await decide('Store sessions in Redis', { supersedes: [first] })
    const third = await decide('Store sessions in memory', {
      supersedes: [second],
      supersession_reason: 'It is enough.',
    })
    const answer = await search({ q: 'sessions MySQL' })
    expect(ids(answer)).toEqual([third])
    const pairs = answer.conflicts.map(({ source, superseded_by }) => [source.id, superseded_by.id])
    expect(new Set(pairs.map(String))).toEqual(new Set([`${first},${third}`, `${second},${third}`]))
    expect(answer.conflicts.find(({ source }) => source.id === second)?.message).toContain('It is enough.')
  })

  it('reports a conflict for each of two successors', async () => {
    const whole = await decide('One monolith for billing and shipping', { decided_at: '2020-01-01T00:00:00Z' })
    const billing = await decide('A billing service', { supersedes: [whole], decided_at: '2021-01-01T00:00:00Z' })
    const shipping = await decide('A shipping service', { supersedes: [whole], decided_at: '2022-01-01T00:00:00Z' })
    const answer = await search({ q: 'monolith' })
    expect(ids(answer)).toEqual([billing])
    expect(answer.conflicts.map((one) => one.superseded_by.id)).toEqual([billing, shipping])
  })

  it('finds with as_of only what was in force at that instant', async () => {
    const first = await decide('Deploy on Fridays', { decided_at: '2020-01-01T00:00:00Z' })
    const second = await decide('Never deploy on Fridays', { decided_at: '2022-01-01T00:00:00Z', supersedes: [first] })
    await decide('Deploy by hand on Fridays', { decided_at: '2019-01-01T00:00:00Z', status: 'rejected' })
    const at = async (as_of: string) => {
      const byQuery = await search({ q: 'deploy Fridays', as_of })
      expect(ids(await search({ as_of }))).toEqual(ids(byQuery))
      expect(byQuery.conflicts).toEqual([])
      return ids(byQuery)
    }
    expect(await at('2019-06-01T00:00:00Z')).toEqual([])
    expect(await at('2021-06-01T00:00:00Z')).toEqual([first])
    expect(await at('2022-01-01T00:00:00Z')).toEqual([second])
    expect(await at('2030-01-01T00:00:00Z')).toEqual([second])
  })

  it('reports the conflict of a superseded claim only as of its supersession or later', async () => {
    const content = 'Moved the damson to the new shed. It took a day.\n\nOpen question: who waters the damson?'
    const id = await fact(content, { occurred_at: '2020-01-01T00:00:00Z' })
    const made = await answered(on, reads, { type: 'memory', id }, 'Carla waters the damson.')
    const [answer] = (await search({ references: [{ type: 'memory', id: made }] })).items
    const then = answer?.source.occurred_at as string
    const correction = { kind: 'correction', content: 'Dora waters the damson.', corrects_memory_id: made }
    const newest = (await apply(on, remember, correction)).entity?.id
    const told = async (input: object) => {
      const { items, conflicts } = await search(input)
      expect(items.map((item) => item.id)).toContain(id)
      return conflicts.flatMap(({ source, superseded_by }) => (source.id === id ? [superseded_by.id] : []))
    }
    for (const query of [{ q: 'damson shed' }, {}]) {
      expect(await told({ ...query, as_of: '2021-01-01T00:00:00Z' })).toEqual([])
      expect(await told({ ...query, as_of: then })).toEqual([made])
      expect(await told({ ...query, as_of: '2030-01-01T00:00:00Z' })).toEqual([newest])
      expect(await told(query)).toEqual([newest])
    }
    const references = [{ type: 'memory', id }]
    expect(await told({ references, as_of: '2021-01-01T00:00:00Z' })).toEqual([newest])
  })

  it('shows the revision in force at as_of, and without it the one in force now', async () => {
    const id = await decide('Retain logs 30 days', { external_id: 'logs', decided_at: '2020-01-01T00:00:00Z' })
    await decide('Retain logs 90 days', { external_id: 'logs', decided_at: '2022-01-01T00:00:00Z' })
    await decide('Retain logs 365 days', { external_id: 'logs', decided_at: '2090-01-01T00:00:00Z' })
    const title = async (input: object) => {
      const answer = await search({ q: 'retain logs', ...input })
      expect(ids(answer)).toEqual([id])
      return answer.items[0]?.title
    }
    expect(await title({ as_of: '2021-01-01T00:00:00Z' })).toBe('Retain logs 30 days')
    expect(await title({})).toBe('Retain logs 90 days')
    expect(await title({ as_of: '2091-01-01T00:00:00Z' })).toBe('Retain logs 365 days')
  })

  it('finds a record that is dated ahead only with a later as_of', async () => {
    await fact('The lease ends.', { occurred_at: '2031-01-01T00:00:00Z' })
    expect(ids(await search({ q: 'lease' }))).toEqual([])
    expect(ids(await search({}))).toEqual([])
    expect(ids(await search({ q: 'lease', as_of: '2031-02-01T00:00:00Z' }))).toHaveLength(1)
  })
})

describe('context.search without a query', () => {
  it('lists records in force, newest first, and pages through equal instants', async () => {
    const expected: string[] = []
    for (let n = 0; n < 7; n++) expected.push(await fact(`Same day ${n}`, { occurred_at: '2024-05-05T00:00:00Z' }))
    const newest = await decide('Newest', { decided_at: '2025-05-05T00:00:00Z' })
    const oldest = await fact('Oldest', { occurred_at: '2001-01-01T00:00:00Z' })
    await decide('Proposed', { status: 'proposed', decided_at: '2025-06-05T00:00:00Z' })
    const pages = await pagesOf(reads, searchContext, { limit: 2 })
    expect(pages.flatMap(ids)).toEqual([newest, ...expected.reverse(), oldest])
  })

  it('does not repeat a decision whose new revision is dated earlier than the page shown', async () => {
    await decide('First shown', { external_id: 'x', decided_at: '2024-01-01T00:00:00Z' })
    await decide('Second', { decided_at: '2023-01-01T00:00:00Z' })
    const first = await search({ limit: 1 })
    const revised = await decide('First shown, revised', { external_id: 'x', decided_at: '2022-01-01T00:00:00Z' })
    expect(ids(first)).toEqual([revised])
    const rest = await pagesOf(reads, searchContext, { limit: 1, cursor: first.next_cursor })
    expect(rest.flatMap(ids)).not.toContain(revised)
  })
})

describe('context.search by reference', () => {
  const wiki = { type: 'wiki_page', id: 'P/1', provenance: { class: 'external' } }

  it('finds records by their own id and by their sources, in the order of the references', async () => {
    const sourced = await fact('Salaries are paid on the 25th.', { sources: [wiki] })
    const other = await decide('Pay monthly', { sources: [wiki] })
    const own = await fact('The office has two floors.')
    const references = [
      { type: 'memory', id: own.toUpperCase() },
      { type: 'memory', id: '00000000-0000-7000-8000-00000000dead' },
      { type: 'wiki_page', id: 'P/1' },
      { type: 'decision', id: own },
      { type: 'memory', id: sourced },
    ]
    expect(ids(await search({ references }))).toEqual([own, other, sourced])
    const pages = await pagesOf(reads, searchContext, { references, limit: 1 })
    expect(pages.map(ids)).toEqual([[own], [other], [sourced]])
  })

  it('finds superseded records with their conflict, whatever as_of says', async () => {
    const first = await fact('The office is in Bern.', { occurred_at: '2020-01-01T00:00:00Z', sources: [wiki] })
    const second = (
      await apply(on, remember, { kind: 'correction', content: 'The office is in Basel.', corrects_memory_id: first })
    ).entity?.id
    for (const reference of [{ type: 'memory', id: first }, wiki]) {
      const answer = await search({ references: [reference], as_of: '2010-01-01T00:00:00Z' })
      expect(ids(answer)).toEqual([first])
      expect(answer.conflicts).toMatchObject([{ source: { id: first }, superseded_by: { id: second } }])
    }
  })

  it('finds a record by a source that was added when it was repeated', async () => {
    const id = await fact('Tea is free.')
    await fact('Tea is free.', { sources: [wiki] })
    expect(ids(await search({ references: [wiki] }))).toEqual([id])
  })

  it('uses q only to choose the passage', async () => {
    const filler = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} speaks of the weather.\n\n`).join('')
    const id = await fact(`${filler}The vault is in the cellar.`)
    const references = [{ type: 'memory', id }]
    expect((await search({ references, q: 'vault' })).items[0]?.snippet).toContain('The vault is in the cellar.')
    expect(ids(await search({ references, q: 'nothing of it' }))).toEqual([id])
  })

  it('returns ten records by default, and continues with the cursor', async () => {
    const references: { type: string; id: string }[] = []
    for (let n = 0; n < 12; n++) references.push({ type: 'memory', id: await fact(`Fact ${n}`) })
    const pages = await pagesOf(reads, searchContext, { references })
    expect(pages.map(({ items }) => items.length)).toEqual([10, 2])
    expect(pages.flatMap(ids)).toEqual(references.map(({ id }) => id))
    expect((await search({ references, limit: 50 })).items).toHaveLength(12)
  })
})
