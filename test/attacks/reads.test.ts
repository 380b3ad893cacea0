/** Reads of a store with very long lists. No read blocks the thread, and none gets slower as the store grows. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Key, keys, keysIn } from '../../src/access/keys.ts'
import { brief } from '../../src/context/brief/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import type { RecordId } from '../../src/ids.ts'
import { getMemory } from '../../src/memories/get.ts'
import { remember } from '../../src/memories/remember.ts'
import { type Receipt, receipts } from '../../src/receipt.ts'
import { listReceipts } from '../../src/receipts/list.ts'
import { questionLinks, questionLinksOf } from '../../src/records/projections/question-links.ts'
import { type SourceKey, sourceKeys, sourceKeysOf } from '../../src/records/projections/source-keys.ts'
import { type PrecedentRecord, type RecordOf, records } from '../../src/records/record.ts'
import { runQuery } from '../../src/run-query.ts'
import { actorAda, apply, row, type World, workspace, world } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { heldBy } from '../support/blocked-thread.ts'

/** ms of processor time that a request may block the thread. Measured: 10 to 40. */
const budget = 200

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const first = async (more: object = {}) =>
  (await row(on, await apply(on, recordDecision, decision('First', more)))) as RecordOf<'decision'>
const decision = (title: string, more: object = {}) => ({ title, judgment: `${title} holds.`, ...more })
const idAt = (nth: number) => `00000000-0000-7000-9000-${String(nth).padStart(12, '0')}` as RecordId

/** Copies of a decision as separate records, each changed by `change`. */
async function copies(
  of: RecordOf<'decision'>,
  count: number,
  change: (nth: number) => Partial<RecordOf<'decision'>> = () => ({}),
): Promise<RecordOf<'decision'>[]> {
  const made = Array.from({ length: count }, (_, nth) => {
    const id = idAt(nth)
    return { ...of, id, record_id: id, title: `Copy ${nth}`, ...change(nth) }
  })
  await on.documents.insertMany(records, made as PrecedentRecord[])
  return made
}

/** This many references, each a source of all these records. */
async function citedBy(rows: readonly RecordOf<'decision'>[], count: number) {
  const references = Array.from({ length: count }, (_, nth) => ({ type: 'page', id: `page-${nth}` }))
  const sources = references.map((one) => ({ ...one, provenance: { class: 'external' as const } }))
  const keys = rows.flatMap((one): SourceKey[] => sourceKeysOf({ ...one, sources }))
  await on.documents.insertMany(sourceKeys, keys)
  return references
}

describe('search by references', () => {
  it('search by reference finds each of the newest 200 records that cite a source once, page by page', async () => {
    const rows = await copies(await first(), 300)
    const references = await citedBy(rows, 2)
    const pages = await pagesOf(await readsOf(on), searchContext, { references, limit: 50 })
    const found = pages.flatMap(({ items }) => items.map(({ id }) => id))
    expect(found).toEqual(
      rows
        .slice(-200)
        .map(({ record_id }) => record_id)
        .reverse(),
    )
  })

  it('search by reference does not block the thread if 1,500 invalid decisions share 50 sources', async () => {
    const invalidated_at = '2026-01-01T00:00:00.000Z'
    const rows = await copies(await first(), 1_500, () => ({ invalidated_at }))
    const references = await citedBy(rows, 50)
    const reads = await readsOf(on)
    const held = await heldBy(async () => {
      const { items } = await runQuery(reads, searchContext, actorAda, { references, limit: 10 })
      expect(items).toEqual([])
    })
    expect(held.longest).toBeLessThan(budget)
    expect(held.total).toBeLessThan(5 * budget)
  })

  it('passages of 41 texts of 200,000 characters without spaces are chosen without blocking the thread', async () => {
    const text = '今天天气很好我们去公园散步吧。'.repeat(13_334).slice(0, 200_000)
    const rows = await copies(await first(), 41, () => ({ text }))
    const references = rows.map(({ record_id }) => ({ type: 'decision', id: record_id }))
    const reads = await readsOf(on)
    const asked = { references, q: '公园 天气 queue', limit: 50 }
    const held = await heldBy(async () => {
      const { items } = await runQuery(reads, searchContext, actorAda, asked)
      expect(items).toHaveLength(41)
      for (const { snippet } of items) expect(snippet).toContain('公园')
    })
    expect(held.longest).toBeLessThan(budget)
    expect(held.total).toBeLessThan(10 * budget)
  })
})

describe('a decision with many revisions', () => {
  const revisions = (of: RecordOf<'decision'>, count: number, more: Partial<RecordOf<'decision'>> = {}) =>
    Array.from({ length: count }, (_, at): PrecedentRecord => {
      const revision = at + 2
      const accepted = `${of.accepted}.${String(at).padStart(5, '0')}`
      return { ...of, id: `${of.record_id}~${revision}`, revision, feed: 'none', accepted, ...more }
    })

  it('a decision shows its newest fifty revisions', async () => {
    const old = await first()
    const all = revisions(old, 5_000)
    await on.documents.insertMany(records, [
      ...all.slice(0, -1),
      { ...(all.at(-1) as PrecedentRecord), feed: 'decisions' },
    ])
    await on.documents.update(records, old.id, { set: { feed: 'none' } })
    const reads = await readsOf(on)
    const input = { id: old.record_id }
    let asked = 0
    const find: typeof reads.documents.find = async (collection, query) => {
      const found = await reads.documents.find(collection, query)
      asked += found.length
      return found
    }
    const counting = { ...reads, documents: { ...reads.documents, find } }
    const shown = await ask(counting, getDecision, input)
    expect(shown.revision).toBe(5_001)
    expect(shown.revisions.map(({ revision }) => revision)).toEqual(
      all
        .slice(-50)
        .map((one) => one.revision)
        .reverse(),
    )
    expect(asked).toBeLessThan(1_500)
  })

  it('a decision shows its accepted revision after more than fifty later proposals', async () => {
    const old = await first()
    await on.documents.insertMany(records, revisions(old, 1_200, { status: 'proposed' }))
    const shown = await ask(await readsOf(on), getDecision, { id: old.record_id })
    expect(shown).toMatchObject({ revision: 1, status: 'accepted', title: 'First' })
    expect(shown.revisions).toHaveLength(50)
  })
})

describe('a chain of supersessions', () => {
  async function chain(length: number) {
    const rows = await copies(await first(), length, (nth) => {
      const next = nth + 1 === length ? null : idAt(nth + 1)
      const successors = next === null ? [] : [{ id: next, valid_from: '2026-01-01T00:00:00.000Z', reason: null }]
      return { superseded_by: next, successors, supersedes: nth === 0 ? [] : [idAt(nth - 1)] }
    })
    return rows.map(({ record_id }) => record_id)
  }

  it('a chain of 10,000 supersessions is followed without blocking the thread, and never stops in the middle', async () => {
    const ids = await chain(10_000)
    const references = ids.slice(0, 50).map((id) => ({ type: 'decision', id }))
    const reads = await readsOf(on)
    const held = await heldBy(async () => {
      const { items, conflicts } = await runQuery(reads, searchContext, actorAda, { references, limit: 50 })
      expect(items).toHaveLength(50)
      expect(conflicts).toEqual([])
    })
    expect(held.longest).toBeLessThan(budget)
    expect(held.total).toBeLessThan(10 * budget)
  })

  it('a chain of 500 supersessions leads to its head', async () => {
    const ids = await chain(500)
    const references = [{ type: 'decision', id: ids[0] as string }]
    const { conflicts } = await ask(await readsOf(on), searchContext, { references })
    expect(conflicts.map(({ superseded_by }) => superseded_by.id)).toEqual([ids.at(-1)])
  })
})

describe('long lists around one record', () => {
  it('3,000 decisions with 50 successors each are read without blocking the thread', async () => {
    const successor = (id: RecordId) => ({ id, valid_from: '2026-01-01T00:00:00.000Z', reason: null })
    const rows = await copies(await first(), 3_000, (nth) => {
      const after = Array.from({ length: 50 }, (_, at) => nth * 50 + at + 1).filter((one) => one < 3_000)
      return {
        superseded_by: after[0] === undefined ? null : idAt(after[0]),
        successors: after.map((one) => successor(idAt(one))),
      }
    })
    const reads = await readsOf(on)
    const ids = rows.slice(0, 50).map(({ record_id }) => record_id)
    const held = await heldBy(() => runQuery(reads, searchDecisions, actorAda, { ids }))
    expect(held.longest).toBeLessThan(budget)
    expect(held.total).toBeLessThan(10 * budget)
  })

  it('a record shows all of its 200 merged sources', async () => {
    const sources = Array.from({ length: 40 }, (_, nth) => ({ type: 'page', id: `page-${nth}` }))
    const said = { kind: 'fact', content: 'The pool has ten connections.' }
    let made = await apply(on, remember, { ...said, sources })
    for (let round = 1; round < 5; round++) {
      const others = sources.map(({ type, id }) => ({ type, id: `${id}-${round}` }))
      made = await apply(on, remember, { ...said, sources: others })
    }
    const reads = await readsOf(on)
    const held = await heldBy(async () => {
      const shown = await runQuery(reads, getMemory, actorAda, { id: made.entity?.id })
      expect(shown.sources).toHaveLength(200)
    })
    expect(held.longest).toBeLessThan(budget)
  })
})

describe('a workspace of long lists', () => {
  const seenFrom = (nth: number) => new Date(Date.parse('2025-01-01T00:00:00Z') + nth * 1_000).toISOString()

  it('brief, search and sync of 10,000 constraints and 10,000 questions do not block the thread', async () => {
    const content = `The pool ${'[has ten connections '.repeat(900)}`
    const made = await row(on, await apply(on, remember, { kind: 'constraint', content }))
    const memories = Array.from({ length: 10_000 }, (_, nth) => {
      return {
        ...made,
        id: idAt(nth),
        record_id: idAt(nth),
        title: `Limit ${nth}`,
        valid_from: seenFrom(nth),
        seq: 100 + nth,
      }
    })
    await on.documents.insertMany(records, memories)
    await askAbout(memories.map(({ record_id }) => record_id))
    const reads = await readsOf(on)
    const asked: (() => Promise<unknown>)[] = [
      () => runQuery(reads, brief, actorAda, { limit: 20 }),
      () => runQuery(reads, brief, actorAda, { limit: 20, query: 'pool connections' }),
      () => runQuery(reads, brief, actorAda, { limit: 20, lens: 'handoff' }),
      () => runQuery(reads, searchContext, actorAda, { limit: 50 }),
      () => runQuery(reads, syncContext, actorAda, { limit: 200 }),
    ]
    for (const one of asked) {
      const held = await heldBy(one)
      expect(held.longest).toBeLessThan(budget)
      expect(held.total).toBeLessThan(10 * budget)
    }
  })

  const services = ['billing', 'search', 'mail', 'login', 'export', 'import', 'reports', 'gateway', 'catalog', 'basket']
  it.each<[string, (service: string, was: number) => string]>([
    ['raises', (service, was) => `The upload limit of ${service} was raised from ${was} to ${was + 1}.`],
    ['ends', (service, was) => `The upload limit ${was} of ${service} is no longer checked on the server.`],
    ['dates', (service, was) => `As of May the upload limit of platform ${was} is 5 MB in ${service}.`],
  ])('a brief of 100 memories of 30 sentences, each of which %s a limit, takes little time', async (_, sentence) => {
    const kinds = ['constraint', 'commitment', 'fact', 'session_outcome']
    const made = await Promise.all(
      kinds.map(async (kind) =>
        row(on, await apply(on, remember, { kind, content: `The upload limit is one ${kind}.` })),
      ),
    )
    const memories = Array.from({ length: 100 }, (_, nth): PrecedentRecord => {
      const text = Array.from({ length: 30 }, (_, at) => sentence(services[(nth + at) % 10] as string, nth + at)).join(
        ' ',
      )
      const [id, valid_from] = [idAt(nth), seenFrom(nth * 86_400)]
      return {
        ...(made[nth % 4] as PrecedentRecord),
        id,
        record_id: id,
        title: `Release ${nth}`,
        text,
        valid_from,
        seq: 100 + nth,
      }
    })
    await on.documents.insertMany(records, memories)
    const reads = await readsOf(on)
    for (const input of [{}, { lens: 'handoff' }]) {
      const held = await heldBy(() => runQuery(reads, brief, actorAda, input))
      expect(held.longest).toBeLessThan(budget)
      expect(held.total).toBeLessThan(10 * budget)
    }
  })

  /** Two questions about each record. */
  async function askAbout(ids: readonly RecordId[]): Promise<void> {
    await apply(on, remember, { kind: 'fact', content: 'Open question: who signs the contract?' })
    const [asked] = await on.documents.find(records, {
      where: { workspace, audience: 'workspace', kind: 'question' },
      sort: [['valid_from', 'desc']],
      limit: 1,
    })
    expect(asked?.kind).toBe('question')
    const one = asked as RecordOf<'question'>
    const rows = ids.map((record, nth) => {
      const id = idAt(100_000 + nth)
      const about = [{ record, claim: 'who signs the contract?', whole: false }]
      return { ...one, id, record_id: id, body: { ...one.body, about, question_id: `clarification:${nth}` } }
    })
    await on.documents.insertMany(records, rows)
    await on.documents.insertMany(questionLinks, rows.flatMap(questionLinksOf))
  }

  it('10,000 keys and 10,000 receipts of one batch are listed without blocking the thread', async () => {
    const keysOf = keysIn(on.documents, on.clock)
    const admin = { ...actorAda, scopes: ['admin' as const] }
    await keysOf.create(admin, { name: 'one', scopes: ['context:read'] })
    const [key] = await on.documents.find(keys, { where: { workspace }, sort: [['id', 'desc']], limit: 1 })
    const many = Array.from({ length: 9_990 }, (_, nth) => ({ ...(key as Key), id: idAt(nth), hash: `hash-${nth}` }))
    await on.documents.insertMany(keys, many)
    const batch_id = '00000000-0000-7000-8000-00000000ba7c'
    const receipt = await apply(on, remember, { kind: 'fact', content: 'Ten.' })
    const stored = await on.documents.get(receipts, receipt.id)
    const batch = Array.from({ length: 10_000 }, (_, nth) => {
      return {
        ...(stored as Receipt),
        id: idAt(nth) as string as Receipt['id'],
        idempotency_key: `batch-key-${nth}`,
        batch_id,
      }
    })
    await on.documents.insertMany(receipts, batch)
    const reads = await readsOf(on)
    const asked: (() => Promise<unknown>)[] = [
      () => keysOf.list(admin),
      () => runQuery(reads, listReceipts, actorAda, { batch_id, limit: 200 }),
      () => runQuery(reads, listReceipts, actorAda, { state: 'failed', limit: 200 }),
    ]
    for (const one of asked) {
      const held = await heldBy(one)
      expect(held.longest).toBeLessThan(budget)
    }
  })
})
