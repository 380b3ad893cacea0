import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../../src/access/settings.ts'
import { syncContext } from '../../src/context/sync.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import type { RecordId } from '../../src/ids.ts'
import { checkpoints } from '../../src/journal/checkpoint.ts'
import { type Entry, entries, entryId } from '../../src/journal/entry.ts'
import { entryOf, headOf } from '../../src/journal/head.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { actorAda, apply, type World, workspace, world } from '../support/apply.ts'
import { ask, publicUrl, readsOf } from '../support/ask.ts'

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
  (await apply(on, recordDecision, { title, judgment: title, ...more })).entity?.id as string
const sync = (input: object = {}, from = reads, actor = actorAda) => ask(from, syncContext, input, actor)
const entriesOf = ({ changes }: Awaited<ReturnType<typeof sync>>) => [
  ...changes.knowledge,
  ...changes.decisions,
  ...changes.work,
]
const idsOf = (page: Awaited<ReturnType<typeof sync>>) => entriesOf(page).map((entry) => entry.id)

const idAt = (place: number) => `00000000-0000-7000-8000-0000000000a${place}` as RecordId
/** Begins to project an entry with this many rows: none of them is written yet, and the checkpoint has not moved. */
async function beginEntry(count: number) {
  const seq = (await on.documents.get(checkpoints, workspace))?.projected_seq as number
  const row = (await on.documents.find(records, { where: { workspace }, limit: 10 }))[0] as PrecedentRecord
  const head = await headOf(on.documents, workspace)
  await on.documents.insert(entries, {
    ...((await entryOf(on.documents, workspace, head.number)) as Entry),
    id: entryId(workspace, head.number + 1),
    number: head.number + 1,
    last_seq: seq + count,
  })
  return {
    /** The first row of the entry has place 1. */
    write: (place: number) =>
      on.documents.insert(records, { ...row, id: idAt(place), record_id: idAt(place), seq: seq + place }),
    end: () => on.documents.update(checkpoints, workspace, { set: { projected_seq: seq + count } }),
  }
}
/** The ids of all pages after this one. */
async function idsAfter(page: Awaited<ReturnType<typeof sync>>, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = page; at.has_more; ) {
    at = await sync({ cursor: at.cursor, limit })
    ids.push(...idsOf(at))
  }
  return ids
}

describe('context.sync', () => {
  it('returns the changes since a cursor, by kind and with their change_type', async () => {
    const memory = await fact('Tea is free.', { occurred_at: '2025-01-01T00:00:00Z' })
    const first = await decide('Use MySQL')
    const start = await sync()
    expect(start).toMatchObject({ has_more: false, changes: { work: [] } })
    expect(start.reset_required).toBeUndefined()
    expect(start.changes.knowledge).toMatchObject([
      { id: memory, kind: 'memory', title: 'Tea is free.', change_type: 'upsert' },
    ])
    expect(start.changes.knowledge[0]?.source).toEqual({
      type: 'memory',
      id: memory,
      title: 'Tea is free.',
      url: `${publicUrl}/v1/context/memories/${memory}`,
      occurred_at: '2025-01-01T00:00:00.000Z',
      provenance: { class: 'external' },
    })
    const second = await decide('Use PostgreSQL', { supersedes: [first], supersession_reason: 'It has JSON.' })
    const reason = { supersession_reason: 'It has JSON.' }
    const next = await sync({ cursor: start.cursor })
    expect(next.changes.knowledge).toEqual([])
    expect(next.changes.decisions).toMatchObject([
      { id: second, change_type: 'upsert', supersedes: [first], ...reason },
      { id: first, change_type: 'superseded', replacement_id: second, ...reason },
    ])
    expect(entriesOf(await sync({ cursor: next.cursor }))).toEqual([])
  })

  it('marks proposals in the title, and includes records that are dated ahead', async () => {
    await decide('Use Kafka', { status: 'proposed', decided_at: '2090-01-01T00:00:00Z' })
    expect((await sync()).changes.decisions).toMatchObject([{ title: 'Use Kafka (proposed)', change_type: 'upsert' }])
  })

  it('reports an invalidated record as invalidated', async () => {
    const id = await fact('Hearsay.')
    await on.documents.update(records, id, { set: { invalidated_at: '2026-01-01T00:00:00.000Z' } })
    expect((await sync()).changes.knowledge).toMatchObject([{ id, change_type: 'invalidated' }])
  })

  it('applies its limit to the three arrays together, and pages through all records once', async () => {
    const written: string[] = []
    for (let n = 0; n < 9; n++) written.push(n % 2 ? await fact(`Fact ${n}`) : await decide(`Decision ${n}`))
    const seen: string[] = []
    let page = await sync({ limit: 2 })
    for (; page.has_more; page = await sync({ limit: 2, cursor: page.cursor })) {
      expect(entriesOf(page)).toHaveLength(2)
      seen.push(...idsOf(page))
    }
    // a page groups its changes by kind, so compare sorted
    expect([...seen, ...idsOf(page)].sort()).toEqual(written.sort())
  })

  it('returns a record that was projected after a page had passed its sequence', async () => {
    await fact('One')
    const start = await sync()
    const entry = await beginEntry(3)
    await entry.write(2)
    await entry.write(3)
    const early = await sync({ cursor: start.cursor, limit: 1 })
    expect(idsOf(early)).toEqual([idAt(2)])
    expect(early.has_more).toBe(true)
    await entry.write(1)
    await entry.end()
    expect(await idsAfter(early, 1)).toContain(idAt(1))
  })

  it('returns a record that was projected while a page was read', async () => {
    await fact('One')
    const start = await sync()
    const entry = await beginEntry(2)
    await entry.write(2)
    // the projection ends right after the page has read its rows
    const find: Reads['documents']['find'] = async (collection, query) => {
      const found = await on.documents.find(collection, query)
      if (collection.name === records.name && 'seq' in query.where) {
        await entry.write(1)
        await entry.end()
      }
      return found
    }
    const page = await sync({ cursor: start.cursor }, { ...reads, documents: { ...on.documents, find } })
    expect(idsOf(page)).toEqual([idAt(2)])
    expect(await idsAfter(page, 50)).toContain(idAt(1))
  })

  it('holds a repeated pass until the projection has moved, a second at most', async () => {
    await fact('One')
    const entry = await beginEntry(1)
    await entry.write(1)
    const ahead = await sync()
    expect(ahead.has_more).toBe(true)
    let slept = 0
    const held = (until: number): Reads => ({
      ...reads,
      clock: {
        ...reads.clock,
        async sleep(ms) {
          slept += ms
          if (slept > 10_000) throw new Error('the page is held for ever')
          if (slept >= until) await entry.end()
        },
      },
    })
    expect(await sync({ cursor: ahead.cursor }, held(Number.POSITIVE_INFINITY))).toMatchObject({ has_more: true })
    expect(slept).toBe(1_000)
    slept = 0
    expect(await sync({ cursor: ahead.cursor }, held(100))).toMatchObject({ has_more: false })
    expect(slept).toBe(100)
  })

  it('starts over with reset_required if the audiences, the epoch or the journal have changed', async () => {
    const id = await fact('One')
    const { cursor } = await sync()
    const ben = await sync({ cursor }, reads, { ...actorAda, user: 'ben' })
    expect(ben).toMatchObject({ reset_required: true, changes: { knowledge: [{ id }] } })
    const place = reads.cursors.open('sync', cursor) as { position: number; safe: number }
    const beyond = reads.cursors.seal('sync', { ...place, position: place.position + 1, safe: place.safe + 1 })
    expect(await sync({ cursor: beyond })).toMatchObject({ reset_required: true, changes: { knowledge: [{ id }] } })
    await on.documents.update(settings, 'feed_epoch', { set: { value: 'another' } })
    expect(await sync({ cursor })).toMatchObject({ reset_required: true, changes: { knowledge: [{ id }] } })
  })

  it('refuses a forged cursor, a search cursor and one of another workspace', async () => {
    await fact('One')
    const { cursor } = await sync()
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'cursor' }] } }
    await expect(sync({ cursor: `${cursor.slice(0, -2)}AA` })).rejects.toMatchObject(refused)
    await expect(sync({ cursor: reads.cursors.seal('search', {}) })).rejects.toMatchObject(refused)
    const elsewhere = { ...actorAda, workspace: '00000000-0000-7000-8000-0000000000bb' as typeof workspace }
    await expect(sync({ cursor }, reads, elsewhere)).rejects.toMatchObject(refused)
  })
})
