/** What every documents adapter promises (src/ports/documents.ts). */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Collection, Documents, Where } from '../../src/ports/documents.ts'
import { UndeclaredQuery } from '../../src/ports/plan.ts'

export interface OpenedDocuments {
  documents: Documents
  /** Closes the store as a stopping process does, and opens it again. Left out where nothing is kept. */
  reopen?: () => Promise<Documents>
  /** Why the server under test, not the adapter, orders characters beyond U+FFFF otherwise than the port says. */
  ordersOtherwise?: string
  close(): Promise<void>
}

/** Opens a store that is empty, or keeps what it holds apart from what others opened. */
export type OpenDocuments = () => Promise<OpenedDocuments>

interface Thing {
  id: string
  owner: string
  key: string
  name: string | null
  rank: number
  weight: number | null
  flag: boolean
  detail: unknown
}

const things: Collection<Thing> = {
  name: 'things',
  fields: {
    id: 'string',
    owner: 'string',
    key: 'string',
    name: 'string',
    rank: 'integer',
    weight: 'number',
    flag: 'boolean',
    detail: 'json',
  },
  unique: [['owner', 'key']],
  indexes: [
    ['owner', 'name', 'rank'],
    ['owner', 'rank', 'id'],
    ['owner', 'flag', 'weight'],
    ['name', 'id'],
  ],
}

interface Line {
  id: string
  journal: string
  number: number
  text: string
}

const lines: Collection<Line> = {
  name: 'lines',
  fields: { id: 'string', journal: 'string', number: 'integer', text: 'string' },
  unique: [['journal', 'number']],
  indexes: [],
}

/** What has fields of which few values are different, and instants. */
interface Visit {
  id: string
  room: string
  state: string | null
  guest: unknown
  since: string
  until: string | null
}

const visits: Collection<Visit> = {
  name: 'visits',
  fields: { id: 'string', room: 'symbol', state: 'symbol', guest: 'json_symbol', since: 'instant', until: 'instant' },
  unique: [['room', 'since']],
  indexes: [
    ['room', 'state', 'since'],
    ['state', 'room'],
    ['until', 'id'],
  ],
}

/** What has a large part that is given once and dropped at most. */
interface Parcel {
  id: string
  owner: string
  key: string
  state: string
  stops: number
  content: unknown
}

const parcels: Collection<Parcel> = {
  name: 'parcels',
  fields: { id: 'string', owner: 'symbol', key: 'string', state: 'symbol', stops: 'integer', content: 'json_apart' },
  unique: [['owner', 'key']],
  indexes: [['owner', 'state', 'id']],
}

let made = 0

function thing(given: Partial<Thing> = {}): Thing {
  const id = `thing-${String(++made).padStart(6, '0')}`
  return { id, owner: 'ann', key: id, name: null, rank: 0, weight: null, flag: false, detail: null, ...given }
}

const declared = [things, lines, visits, parcels] as unknown as readonly Collection<never>[]

export function documentsContract(name: string, open: OpenDocuments): void {
  const opened: OpenedDocuments[] = []
  async function start(): Promise<OpenedDocuments> {
    const one = await open()
    opened.push(one)
    await one.documents.declare(declared)
    return one
  }
  const started = async () => (await start()).documents

  describe(`${name}: the documents' contract`, () => {
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()))
    })
    describe('insert', () => insertPromises(started))
    describe('find and count', () => findPromises(started, start))
    describe('what is asked for without an index', () => undeclaredPromises(started))
    describe('symbols and instants', () => symbolPromises(started, start))
    describe('what is kept apart', () => apartPromises(started, start))
    describe('update, upsert and delete', () => changePromises(started))
    describe('many at once', () => racePromises(started))

    it('declares again without harm, also with a new field and index', async () => {
      const documents = await started()
      const one = thing()
      await documents.insert(things, one)
      type Grown = Thing & { since: string | null }
      const grown: Collection<Grown> = {
        ...things,
        fields: { ...things.fields, since: 'string' },
        indexes: [...things.indexes, ['owner', 'since']],
      } as Collection<Grown>
      await documents.declare(declared)
      await documents.declare([grown] as unknown as readonly Collection<never>[])
      expect(await documents.get(grown, one.id)).toEqual({ ...one, since: null })
      await documents.insert(grown, { ...thing(), since: 'today' })
      expect(await documents.count(grown, { where: { owner: 'ann', since: 'today' }, upTo: 10 })).toBe(1)
    })

    it('keeps what was written when it is closed and opened again', async ({ skip }) => {
      const { documents, reopen } = await start()
      if (!reopen) return skip('keeps nothing by its nature')
      const one = thing({ detail: { kept: true } })
      await documents.insert(things, one)
      await documents.update(things, one.id, { inc: { rank: 7 } })
      const again = await reopen()
      await again.declare(declared)
      expect(await again.get(things, one.id)).toEqual({ ...one, rank: 7 })
      expect(await again.insert(things, { ...thing(), key: one.key })).toBe(false)
    })

    it('is well', async () => {
      const documents = await started()
      expect(await documents.health()).toBeUndefined()
    })
  })
}

type Started = () => Promise<Documents>

function insertPromises(started: Started): void {
  it('gives back what was put in, of every type', async () => {
    const documents = await started()
    const one = thing({
      name: 'Zoë "quoted" \u{1f600} 測試',
      rank: -9_007_199_254_740_991,
      weight: 0.1,
      flag: true,
      detail: { deep: [1, 'two', null, { three: false }], empty: {} },
    })
    expect(await documents.insert(things, one)).toBe(true)
    expect(await documents.get(things, one.id)).toEqual(one)
    expect(await documents.get(things, 'none')).toBeUndefined()
  })

  it('gives back every string as it was', async () => {
    const documents = await started()
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\0', '\u0001', '\u0002', "'", '%'), fc.string({ unit: 'binary', maxLength: 1 })),
    })
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const one = thing({ name, detail: { name } })
        await documents.insert(things, one)
        expect(await documents.get(things, one.id)).toEqual(one)
        expect(await documents.find(things, { where: { name }, limit: 10, fields: ['name'] })).toContainEqual({ name })
      }),
      { numRuns: 60 },
    )
  })

  it('refuses a second of the same id or unique key, and keeps the first', async () => {
    const documents = await started()
    const one = thing({ name: 'first' })
    await documents.insert(things, one)
    expect(await documents.insert(things, { ...thing({ name: 'same id' }), id: one.id })).toBe(false)
    expect(await documents.insert(things, { ...thing({ name: 'same key' }), key: one.key })).toBe(false)
    expect(await documents.insert(things, { ...thing(), owner: 'bob', key: one.key })).toBe(true)
    expect(await documents.get(things, one.id)).toEqual(one)
  })

  it('inserts all of many that can be, and names the duplicates', async () => {
    const documents = await started()
    const there = thing()
    await documents.insert(things, there)
    const fresh = Array.from({ length: 1500 }, () => thing({ owner: 'many' }))
    const sameKey = { ...thing(), key: there.key }
    const twice = { ...thing({ owner: 'many' }), key: (fresh[3] as Thing).key }
    const given = [...fresh.slice(0, 700), there, sameKey, ...fresh.slice(700), twice]
    expect([...(await documents.insertMany(things, given))].sort()).toEqual([there.id, sameKey.id, twice.id].sort())
    expect(await documents.count(things, { where: { owner: 'many' }, upTo: 10_000 })).toBe(1500)
    expect(await documents.insertMany(things, [])).toEqual([])
  })

  it('takes no document that lacks a field, has one too many or one of another type', async () => {
    const documents = await started()
    const wrong = [
      { ...thing(), name: undefined },
      { ...thing(), extra: 1 },
      { ...thing(), rank: 'one' },
      { ...thing(), rank: 0.5 },
      { ...thing(), key: null },
    ] as unknown as Thing[]
    for (const one of wrong) {
      await expect(documents.insert(things, one)).rejects.toThrow(/things/)
      await expect(documents.insertMany(things, [thing({ owner: 'none' }), one])).rejects.toThrow(/things/)
      await expect(documents.upsertIfNewer(things, [one], 'rank')).rejects.toThrow(/things/)
    }
    expect(await documents.count(things, { where: { owner: 'none' }, upTo: 10 })).toBe(0)
  })
}

function findPromises(started: Started, start: () => Promise<OpenedDocuments>): void {
  it('finds by equality, list and range, and null equals null alone', async () => {
    const documents = await started()
    const names = [null, '', 'a', 'b', 'c'] as const
    await documents.insertMany(
      things,
      names.map((name, rank) => thing({ name, rank, flag: rank % 2 === 0, weight: rank < 2 ? null : rank / 2 })),
    )
    const found = async (where: Where<Thing>) => {
      const rows = await documents.find(things, { where, limit: 100, fields: ['name'] })
      expect(await documents.count(things, { where, upTo: 100 })).toBe(rows.length)
      return new Set(rows.map((row) => row.name))
    }
    expect(await found({ owner: 'ann', name: 'a' })).toEqual(new Set(['a']))
    expect(await found({ owner: 'ann', name: null })).toEqual(new Set([null]))
    expect(await found({ owner: 'ann', name: { in: ['a', 'x', 'c', 'a'] } })).toEqual(new Set(['a', 'c']))
    expect(await found({ owner: 'ann', name: { in: [null, 'b'] } })).toEqual(new Set([null, 'b']))
    expect(await found({ owner: 'ann', name: { in: [] } })).toEqual(new Set())
    expect(await found({ owner: 'ann', name: { gte: '' } })).toEqual(new Set(['', 'a', 'b', 'c']))
    expect(await found({ owner: 'ann', name: { gt: 'a', lt: 'c' } })).toEqual(new Set(['b']))
    expect(await found({ owner: 'ann', name: { lte: 'a' } })).toEqual(new Set(['', 'a']))
    expect(await found({ owner: 'ann', flag: true })).toEqual(new Set([null, 'a', 'c']))
    expect(await found({ owner: 'ann', flag: { in: [true, false] }, weight: { gt: 1 } })).toEqual(new Set(['b', 'c']))
    expect(await found({ owner: 'ann', flag: true, weight: null })).toEqual(new Set([null]))
    expect(await found({ owner: 'nobody' })).toEqual(new Set())
  })

  it('sorts strings by code point, null first, in both directions', async () => {
    const documents = await started()
    const names = [null, '', '\u0000', '\u0001', 'A', 'B', 'Z', 'a', 'aa', 'z', 'é', '\uff5e']
    await documents.insertMany(
      things,
      [...names].reverse().map((name) => thing({ name })),
    )
    const sorted = async (direction: 'asc' | 'desc') => {
      const rows = await documents.find(things, { where: { owner: 'ann' }, sort: [['name', direction]], limit: 100 })
      return rows.map((row) => row.name)
    }
    expect(await sorted('asc')).toEqual(names)
    expect(await sorted('desc')).toEqual([...names].reverse())
  })

  it('sorts a character beyond U+FFFF after all others', async ({ skip }) => {
    const { documents, ordersOtherwise } = await start()
    if (ordersOtherwise !== undefined) return skip(ordersOtherwise)
    await documents.insertMany(
      things,
      ['\u{1f600}', '\uff5e', '\ud7ff'].map((name) => thing({ name })),
    )
    const rows = await documents.find(things, { where: { owner: 'ann' }, sort: [['name', 'asc']], limit: 10 })
    expect(rows.map((row) => row.name)).toEqual(['\ud7ff', '\uff5e', '\u{1f600}'])
  })

  it('finds what a plain filter and sort over all documents would', async () => {
    const documents = await started()
    const names = ['a', 'b', 'c', 'd', null]
    const all = Array.from({ length: 300 }, (_, at) =>
      thing({ owner: at % 3 === 0 ? 'ann' : 'bob', name: names[(at * 7) % 5] as string | null, rank: (at * 31) % 97 }),
    )
    await documents.insertMany(things, all)
    const anyNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 })
    const owners = fc.uniqueArray(fc.constantFrom<string[]>('ann', 'bob', 'eve'), { minLength: 1, maxLength: 3 })
    const query = fc.record({
      owners,
      names: anyNames,
      from: fc.integer({ min: 0, max: 97 }),
      desc: fc.boolean(),
      limit: fc.integer({ min: 1, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(query, async ({ owners, names, from, desc, limit }) => {
        const rows = await documents.find(things, {
          where: { owner: { in: owners }, name: { in: names }, rank: { gte: from } },
          sort: [['rank', desc ? 'desc' : 'asc']],
          limit,
        })
        const matching = all.filter((one) => owners.includes(one.owner) && names.includes(one.name) && one.rank >= from)
        const ranks = matching.map((one) => one.rank).sort((a, b) => (desc ? b - a : a - b))
        expect(rows.map((row) => row.rank)).toEqual(ranks.slice(0, limit))
        expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
        for (const row of rows) expect(matching).toContainEqual(row)
      }),
      { numRuns: 80 },
    )
  })

  it('takes lists with thousands of combinations before a sort', async () => {
    const documents = await started()
    await documents.insertMany(
      things,
      Array.from({ length: 1200 }, (_, at) => thing({ owner: `o${at % 60}`, name: `n${at % 20}`, rank: at })),
    )
    const rows = await documents.find(things, {
      where: {
        owner: { in: Array.from({ length: 60 }, (_, at) => `o${at}`) },
        name: { in: Array.from({ length: 30 }, (_, at) => `n${at}`) },
        rank: { lt: 1000 },
      },
      sort: [['rank', 'desc']],
      limit: 25,
      fields: ['rank'],
    })
    expect(rows.map((row) => row.rank)).toEqual(Array.from({ length: 25 }, (_, at) => 999 - at))
  })

  it('continues a page after the last id', async () => {
    const documents = await started()
    const all = Array.from({ length: 25 }, () => thing({ name: 'page' }))
    await documents.insertMany(things, all)
    const seen: string[] = []
    for (;;) {
      const page = await documents.find(things, {
        where: { name: 'page', id: { gt: seen.at(-1) ?? '' } },
        sort: [['id', 'asc']],
        limit: 10,
        fields: ['id'],
      })
      if (page.length === 0) break
      seen.push(...page.map((row) => row.id))
    }
    expect(seen).toEqual(all.map((one) => one.id))
  })

  it('reads the chosen fields and no others', async () => {
    const documents = await started()
    const one = thing({ name: 'n', detail: { big: 'x'.repeat(10_000) } })
    await documents.insert(things, one)
    const fields = ['rank', 'name'] as const
    expect(await documents.get(things, one.id, fields)).toEqual({ rank: 0, name: 'n' })
    expect(await documents.find(things, { where: { name: 'n' }, limit: 1, fields })).toEqual([{ rank: 0, name: 'n' }])
    expect(await documents.find(things, { where: { name: 'n' }, limit: 1 })).toEqual([one])
  })

  it('narrows pinned ids by any field, sorted by any', async () => {
    const documents = await started()
    const all = [3, 1, 2].map((rank) => thing({ rank, flag: rank !== 2 }))
    await documents.insertMany(things, all)
    const ids = all.map((one) => one.id)
    const rows = await documents.find(things, {
      where: { id: { in: [...ids, 'none'] }, flag: true, name: { in: [null, 'x'] } },
      sort: [['rank', 'asc']],
      limit: 10,
    })
    expect(rows.map((row) => row.rank)).toEqual([1, 3])
    const [first] = all as [Thing]
    expect(await documents.find(things, { where: { id: first.id, rank: 4 }, limit: 1 })).toEqual([])
  })

  it('counts no further than asked', async () => {
    const documents = await started()
    await documents.insertMany(
      things,
      Array.from({ length: 30 }, () => thing()),
    )
    expect(await documents.count(things, { where: { owner: 'ann' }, upTo: 20 })).toBe(20)
    expect(await documents.count(things, { where: { owner: 'ann' }, upTo: 31 })).toBe(30)
  })

  it('shows a write to every read that starts after it', async () => {
    const documents = await started()
    for (let n = 0; n < 50; n++) {
      const one = thing({ name: `n${n}` })
      await documents.insert(things, one)
      expect(await documents.get(things, one.id)).toEqual(one)
      await documents.update(things, one.id, { set: { name: `m${n}` } })
      expect(await documents.count(things, { where: { name: `m${n}` }, upTo: 2 })).toBe(1)
      expect(await documents.count(things, { where: { name: `n${n}` }, upTo: 2 })).toBe(0)
    }
  })
}

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()

function visit(given: Partial<Visit> = {}): Visit {
  const n = ++made
  return { id: `visit-${n}`, room: 'blue', state: null, guest: null, since: minute(n), until: null, ...given }
}

function symbolPromises(started: Started, start: () => Promise<OpenedDocuments>): void {
  it('gives them back as they were, also when it is opened again', async () => {
    const { documents, reopen } = await start()
    const all = [
      visit({ room: '', state: 'a\0b\u0001', guest: { teams: ['x'], user: 'é' }, until: '0000-01-01T00:00:00.000Z' }),
      visit({ room: '😀'.repeat(100), state: '1', guest: [], until: '9999-12-31T23:59:59.999Z' }),
      visit({ room: '1', state: '', guest: 'text', since: '1969-12-31T23:59:59.999Z' }),
    ]
    expect(await documents.insert(visits, all[0] as Visit)).toBe(true)
    expect(await documents.insertMany(visits, all.slice(1))).toEqual([])
    const kept = async (from: Documents) => Promise.all(all.map((one) => from.get(visits, one.id)))
    expect(await kept(documents)).toEqual(all)
    if (!reopen) return
    const again = await reopen()
    await again.declare(declared)
    expect(await kept(again)).toEqual(all)
    // with what is new beside what was there
    const later = visit({ room: '1', state: 'new' })
    await again.insert(visits, later)
    expect(await again.find(visits, { where: { room: '1' }, limit: 9, fields: ['state'] })).toEqual(
      expect.arrayContaining([{ state: '' }, { state: 'new' }]),
    )
  })

  it('finds by equality, by lists and by what nobody has', async () => {
    const documents = await started()
    const [one, other, third] = [visit({ state: 'open' }), visit({ state: 'closed' }), visit({ room: 'red' })] as const
    await documents.insertMany(visits, [one, other, third])
    const ids = async (where: Where<Visit>) =>
      (await documents.find(visits, { where, limit: 10, fields: ['id'] })).map(({ id }) => id).sort()
    expect(await ids({ room: 'blue', state: 'open' })).toEqual([one.id])
    expect(await ids({ room: 'blue', state: { in: ['open', 'closed', 'unheard-of'] } })).toEqual([one.id, other.id])
    expect(await ids({ room: 'red', state: null })).toEqual([third.id])
    expect(await ids({ room: { in: ['red', 'unheard-of'] }, state: { in: [null, 'open'] } })).toEqual([third.id])
    expect(await ids({ room: 'unheard-of' })).toEqual([])
    expect(await documents.count(visits, { where: { room: 'unheard-of' }, upTo: 5 })).toBe(0)
    expect(await documents.update(visits, one.id, { set: { state: 'closed' } }, { state: 'unheard-of' })).toBe(false)
    expect(await documents.update(visits, one.id, { set: { state: 'never seen before' } }, { state: 'open' })).toBe(
      true,
    )
    expect(await ids({ room: 'blue', state: 'never seen before' })).toEqual([one.id])
  })

  it("meets each once who goes from one to the next, beginning with ''", async () => {
    const documents = await started()
    const rooms = ['red', 'blue', 'green', 'a', 'Z']
    await documents.insertMany(
      visits,
      [...rooms, ...rooms].map((room) => visit({ room, state: 'open' })),
    )
    const met: string[] = []
    for (let room = ''; met.length < 20; ) {
      const [next] = await documents.find(visits, {
        where: { state: 'open', room: { gt: room } },
        sort: [['room', 'asc']],
        limit: 1,
        fields: ['room'],
      })
      if (!next) break
      room = next.room
      met.push(room)
    }
    expect(met.sort()).toEqual(rooms.sort())
  })

  it('orders instants by time, and takes no other form of them', async () => {
    const documents = await started()
    const all = [
      '2026-01-01T00:00:00.001Z',
      '1999-12-31T23:59:59.999Z',
      '0099-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]
    await documents.insertMany(
      visits,
      all.map((since) => visit({ since })),
    )
    const sorted = async (direction: 'asc' | 'desc') =>
      (
        await documents.find(visits, { where: { room: 'blue', state: null }, sort: [['since', direction]], limit: 9 })
      ).map(({ since }) => since)
    expect(await sorted('asc')).toEqual([...all].sort())
    expect(await sorted('desc')).toEqual([...all].sort().reverse())
    const since = { gt: '1999-12-31T23:59:59.999Z', lte: '2026-01-01T00:00:00.000Z' }
    expect(
      await documents.find(visits, { where: { room: 'blue', state: null, since }, limit: 9, fields: ['since'] }),
    ).toEqual([{ since: '2026-01-01T00:00:00.000Z' }])
    for (const wrong of ['2026-01-01T00:00:00Z', '2026-02-30T00:00:00.000Z', 'today', '']) {
      await expect(documents.insert(visits, visit({ since: wrong }))).rejects.toThrow(/instant/)
    }
  })

  it('keeps a new symbol with the first write that has it, whichever of many is first', async () => {
    const { documents, reopen } = await start()
    const rows = Array.from({ length: 200 }, (_, n) => visit({ room: `room ${n % 20}`, guest: { n: n % 7 } }))
    await Promise.all([
      ...rows.slice(0, 100).map((row) => documents.insert(visits, row)),
      documents.insertMany(visits, rows.slice(100, 150)),
      documents.inOrder((writes) => {
        void writes.insertMany(visits, rows.slice(150))
        void writes.update(visits, (rows[199] as Visit).id, { set: { state: 'only here' } })
      }),
    ])
    const from = reopen ? await reopen() : documents
    if (reopen) await from.declare(declared)
    const expected = rows.map((row, n) => (n === 199 ? { ...row, state: 'only here' } : row))
    expect(await Promise.all(rows.map((row) => from.get(visits, row.id)))).toEqual(expected)
  })
}

function apartPromises(started: () => Promise<Documents>, start: () => Promise<OpenedDocuments>): void {
  const content = { lines: ['one', 'two'], none: null, text: 'x\u0000y'.repeat(2_000) }
  const parcel = (given: Partial<Parcel> = {}): Parcel => {
    const id = `parcel-${String(++made).padStart(6, '0')}`
    return { id, owner: 'ann', key: id, state: 'sent', stops: 0, content, ...given }
  }

  it('is given back with its document, and only where it is asked for', async () => {
    const { documents, reopen } = await start()
    const [one, none, other] = [parcel(), parcel({ content: null }), parcel({ content: 'a text' })]
    expect(await documents.insert(parcels, one)).toBe(true)
    expect(await documents.insertMany(parcels, [none, other])).toEqual([])
    const isThere = async (from: Documents) => {
      for (const each of [one, none, other]) expect(await from.get(parcels, each.id)).toEqual(each)
      const query = { where: { owner: 'ann', state: 'sent' }, sort: [['id', 'asc'] as const], limit: 9 }
      expect(await from.find(parcels, query)).toEqual([one, none, other])
      expect(await from.find(parcels, { ...query, fields: ['content', 'id'] })).toEqual(
        [one, none, other].map((each) => ({ content: each.content, id: each.id })),
      )
      expect(await from.get(parcels, one.id, ['state'])).toEqual({ state: 'sent' })
    }
    await isThere(documents)
    if (!reopen) return
    const again = await reopen()
    await again.declare(declared)
    await isThere(again)
  })

  it('is not that of a duplicate', async () => {
    const documents = await started()
    const first = parcel()
    await documents.insert(parcels, first)
    expect(await documents.insert(parcels, { ...first, content: 'another' })).toBe(false)
    expect(await documents.insert(parcels, parcel({ key: first.key, content: 'a third' }))).toBe(false)
    const more = parcel()
    expect(await documents.insertMany(parcels, [{ ...first, content: 'again' }, more])).toEqual([first.id])
    expect(await documents.get(parcels, first.id)).toEqual(first)
    expect(await documents.get(parcels, more.id)).toEqual(more)
  })

  it('stays as it is when the rest changes', async () => {
    const documents = await started()
    const [one, other] = [parcel(), parcel()]
    await documents.insertMany(parcels, [one, other])
    await documents.update(parcels, one.id, { set: { state: 'here' }, inc: { stops: 1 } })
    await documents.updateMany(parcels, [one.id, other.id], { inc: { stops: 1 } })
    await documents.updateEach(parcels, [{ id: other.id, change: { set: { state: 'lost' } } }])
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'here', stops: 2 })
    expect(await documents.get(parcels, other.id)).toEqual({ ...other, state: 'lost', stops: 1 })
  })

  it('is dropped with a change whose condition holds, and with no other', async () => {
    const documents = await started()
    const all = Array.from({ length: 600 }, () => parcel())
    const [one, other, third, ...many] = all as [Parcel, Parcel, Parcel, ...Parcel[]]
    await documents.insertMany(parcels, all)
    const drop = { set: { state: 'read', content: null } }
    const sent = { state: 'sent' }
    expect(await documents.update(parcels, one.id, drop, sent)).toBe(true)
    expect(await documents.update(parcels, one.id, drop, sent)).toBe(false)
    expect(await documents.update(parcels, other.id, drop, { state: 'lost' })).toBe(false)
    expect(await documents.updateMany(parcels, [one.id, third.id, 'nobody'], drop, sent)).toBe(1)
    await documents.updateEach(
      parcels,
      many.map(({ id }, at) => ({ id, change: drop, condition: { state: at % 2 === 0 ? 'sent' : 'lost' } })),
    )
    const after = await documents.find(parcels, { where: { id: { in: all.map(({ id }) => id) } }, limit: 1000 })
    const byId = new Map(after.map((each) => [each.id, each]))
    const isDropped = (each: Parcel) => each !== other && (many.indexOf(each) < 0 || many.indexOf(each) % 2 === 0)
    for (const each of all) {
      expect(byId.get(each.id)).toEqual(isDropped(each) ? { ...each, state: 'read', content: null } : each)
    }
  })

  it('goes with its document, and is not there when that comes again', async () => {
    const documents = await started()
    const [one, other] = [parcel(), parcel()]
    await documents.insertMany(parcels, [one, other])
    expect(await documents.delete(parcels, [one.id, other.id], { state: 'lost' })).toBe(0)
    expect(await documents.get(parcels, one.id)).toEqual(one)
    expect(await documents.delete(parcels, [one.id, other.id])).toBe(2)
    const again = { ...one, content: null }
    expect(await documents.insert(parcels, again)).toBe(true)
    expect(await documents.get(parcels, one.id)).toEqual(again)
    expect(await documents.insert(parcels, { ...other, content: 'new' })).toBe(true)
    expect(await documents.get(parcels, other.id)).toEqual({ ...other, content: 'new' })
  })

  it('is written in its turn where writes stand in a row', async () => {
    const documents = await started()
    const one = parcel()
    await documents.inOrder((writes) => {
      void writes.insertMany(parcels, [one])
      void writes.updateEach(parcels, [{ id: one.id, change: { set: { state: 'here' } } }])
    })
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'here' })
    await documents.inOrder((writes) => {
      void writes.update(parcels, one.id, { set: { state: 'read', content: null } }, { state: 'here' })
    })
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'read', content: null })
  })
}

function undeclaredPromises(started: Started): void {
  const asked: [string, Where<Thing>, (keyof Thing & string)[]][] = [
    ['a field without an index', { rank: 1 }, []],
    ['a gap in the index', { owner: 'ann', weight: 1 }, []],
    ['a further filter', { owner: 'ann', key: 'k', rank: 1 }, []],
    ['a sort without an index', { owner: 'ann' }, ['weight']],
    ['a sort past a gap', { owner: 'ann' }, ['id']],
    ['a sort before the range', { owner: 'ann', rank: { gt: 1 } }, ['id']],
    ['two ranges', { owner: 'ann', name: { gt: 'a' }, rank: { gt: 1 } }, []],
    ['everything, sorted', {}, ['weight']],
  ]
  for (const [what, where, sort] of asked) {
    it(`is refused: ${what}`, async () => {
      const documents = await started()
      const query = { where, sort: sort.map((field) => [field, 'asc'] as const), limit: 10 }
      await expect(documents.find(things, query)).rejects.toThrow(UndeclaredQuery)
      if (sort.length === 0) await expect(documents.count(things, { where, upTo: 1 })).rejects.toThrow(UndeclaredQuery)
    })
  }

  it('is refused: a sort in two directions', async () => {
    const documents = await started()
    const sort = [
      ['rank', 'asc'],
      ['id', 'desc'],
    ] as const
    await expect(documents.find(things, { where: { owner: 'ann' }, sort, limit: 1 })).rejects.toThrow(UndeclaredQuery)
  })

  it('is a mistake to filter by undefined, by json or by no field', async () => {
    const documents = await started()
    for (const where of [{ owner: undefined }, { detail: 'x' }, { nothing: 1 }, { owner: {} }]) {
      await expect(documents.find(things, { where: where as never, limit: 1 })).rejects.toThrow(/things/)
    }
  })
}

function changePromises(started: Started): void {
  it('changes a document that meets the condition, and no other', async () => {
    const documents = await started()
    const one = thing({ rank: 5, name: null })
    await documents.insert(things, one)
    const set = { name: 'done', detail: { by: 'x' } }
    expect(await documents.update(things, one.id, { set }, { rank: { gt: 5 } })).toBe(false)
    expect(await documents.update(things, one.id, { set }, { name: { in: ['x'] } })).toBe(false)
    expect(await documents.update(things, 'none', { set })).toBe(false)
    expect(await documents.get(things, one.id)).toEqual(one)
    expect(await documents.update(things, one.id, { set, inc: { rank: -2 } }, { rank: 5, name: null })).toBe(true)
    expect(await documents.get(things, one.id)).toEqual({ ...one, ...set, rank: 3 })
    expect(await documents.update(things, one.id, { set: { detail: null, name: null } })).toBe(true)
    expect(await documents.get(things, one.id)).toEqual({ ...one, rank: 3 })
  })

  it('changes all of many ids that meet the condition, and says how many', async () => {
    const documents = await started()
    const all = Array.from({ length: 2500 }, (_, rank) => thing({ rank, flag: rank % 5 === 0 }))
    await documents.insertMany(things, all)
    const ids = all.slice(0, 2200).map((one) => one.id)
    const change = { set: { name: 'changed' }, inc: { rank: 10_000 } }
    expect(await documents.updateMany(things, [...ids, ids[0] as string, 'none'], change, { flag: true })).toBe(440)
    expect(await documents.count(things, { where: { name: 'changed' }, upTo: 10_000 })).toBe(440)
    expect(await documents.count(things, { where: { owner: 'ann', rank: { gte: 10_000 } }, upTo: 10_000 })).toBe(440)
    expect(await documents.updateMany(things, [], change)).toBe(0)
  })

  it('makes each of many conditional changes by itself', async () => {
    const documents = await started()
    const all = Array.from({ length: 600 }, (_, rank) => thing({ rank }))
    await documents.insertMany(things, all)
    await documents.updateEach(
      things,
      all.map(({ id, rank }) => ({
        id,
        change: rank % 2 === 0 ? { set: { name: `n${rank}` } } : { inc: { rank: 1000 } },
        condition: { rank: { lt: 500 } },
      })),
    )
    for (const one of [all[0], all[7], all[498], all[501], all[502]] as Thing[]) {
      const changed = one.rank >= 500 ? {} : one.rank % 2 === 0 ? { name: `n${one.rank}` } : { rank: one.rank + 1000 }
      expect(await documents.get(things, one.id)).toEqual({ ...one, ...changed })
    }
  })

  it('makes writes in the order in which they were asked for, all durable at its end', async () => {
    const documents = await started()
    const one = thing({ id: 'in-order', owner: 'ann', key: 'in-order', rank: 1 })
    await documents.inOrder((writes) => {
      void writes.insertMany(things, [one])
      void writes.update(things, 'in-order', { set: { rank: 2 } }, { rank: 1 })
      void writes.updateEach(things, [{ id: 'in-order', change: { inc: { rank: 5 } }, condition: { rank: 2 } }])
      void writes.upsertIfNewer(things, [{ ...one, rank: 8, name: 'last' }], 'rank')
    })
    expect(await documents.get(things, 'in-order', ['rank', 'name'])).toEqual({ rank: 8, name: 'last' })
  })

  it('deletes the ids that meet the condition, and says how many', async () => {
    const documents = await started()
    const all = Array.from({ length: 20 }, (_, rank) => thing({ rank }))
    await documents.insertMany(things, all)
    const ids = all.map((one) => one.id)
    expect(await documents.delete(things, [...ids, 'none'], { rank: { gte: 15 } })).toBe(5)
    expect(await documents.delete(things, ids.slice(14))).toBe(1)
    expect(await documents.delete(things, ids.slice(14))).toBe(0)
    expect(await documents.count(things, { where: { owner: 'ann' }, upTo: 100 })).toBe(14)
    expect(await documents.insert(things, all[19] as Thing)).toBe(true)
  })

  it('ends at the newest version, in whatever order and however often versions come', async () => {
    const documents = await started()
    const versions = fc.array(
      fc.record({ which: fc.integer({ min: 0, max: 3 }), rank: fc.integer({ min: 1, max: 9 }) }),
      { minLength: 1, maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(versions, fc.integer({ min: 1, max: 5 }), async (given, size) => {
        const ids = Array.from({ length: 4 }, () => thing().id)
        const rows = given.map(({ which, rank }) =>
          thing({ id: ids[which] as string, key: ids[which] as string, rank, name: `v${rank}` }),
        )
        const calls: Promise<void>[] = []
        for (let at = 0; at < rows.length; at += size) {
          // one call never holds a document twice: engines may write a batch in any order
          const batch = new Map(rows.slice(at, at + size).map((row) => [row.id, row]))
          calls.push(documents.upsertIfNewer(things, [...batch.values()], 'rank'))
          if (size % 2 === 0) await calls.at(-1)
          for (const lost of rows.slice(at, at + size).filter((row) => batch.get(row.id) !== row)) {
            calls.push(documents.upsertIfNewer(things, [lost], 'rank'))
          }
        }
        await Promise.all(calls)
        for (const [which, id] of ids.entries()) {
          const newest = Math.max(0, ...given.filter((one) => one.which === which).map((one) => one.rank))
          const kept = await documents.get(things, id, ['rank', 'name'])
          expect(kept).toEqual(newest === 0 ? undefined : { rank: newest, name: `v${newest}` })
        }
      }),
      { numRuns: 40 },
    )
  })
}

function racePromises(started: Started): void {
  it('lets exactly one of 32 writers have a unique key', async () => {
    const documents = await started()
    for (let round = 0; round < 10; round++) {
      const writers = Array.from({ length: 32 }, () => thing({ owner: 'race', key: `key-${round}` }))
      const won = await Promise.all(writers.map((one) => documents.insert(things, one)))
      expect(won.filter(Boolean)).toHaveLength(1)
      const winner = writers[won.indexOf(true)] as Thing
      const kept = await documents.find(things, { where: { owner: 'race', key: `key-${round}` }, limit: 10 })
      expect(kept).toEqual([winner])
    }
  })

  it('appends to one journal from many writers with no gap, and loses none', async () => {
    const documents = await started()
    const append = async (text: string) => {
      for (;;) {
        const [head] = await documents.find(lines, {
          where: { journal: 'j' },
          sort: [['number', 'desc']],
          limit: 1,
          fields: ['number'],
        })
        const number = (head?.number ?? 0) + 1
        if (await documents.insert(lines, { id: `j/${number}`, journal: 'j', number, text })) return
      }
    }
    const texts = Array.from({ length: 16 }, (_, writer) => Array.from({ length: 10 }, (_, n) => `${writer}:${n}`))
    await Promise.all(
      texts.map(async (own) => {
        for (const text of own) await append(text)
      }),
    )
    const all = await documents.find(lines, { where: { journal: 'j' }, sort: [['number', 'asc']], limit: 1000 })
    expect(all.map((line) => line.number)).toEqual(Array.from({ length: 160 }, (_, at) => at + 1))
    expect(all.map((line) => line.text).sort()).toEqual(texts.flat().sort())
  })

  it('lets one of 100 conditional updates at a time through, and adds up', async () => {
    const documents = await started()
    const one = thing()
    await documents.insert(things, one)
    const firsts = await Promise.all(
      Array.from({ length: 100 }, () => documents.update(things, one.id, { inc: { rank: 1 } }, { rank: 0 })),
    )
    expect(firsts.filter(Boolean)).toHaveLength(1)
    await Promise.all(Array.from({ length: 100 }, () => documents.update(things, one.id, { inc: { rank: 1 } })))
    expect(await documents.get(things, one.id, ['rank'])).toEqual({ rank: 101 })
  })

  it('fails a mistaken write by itself, never those beside it', async () => {
    const documents = await started()
    const [taken, mine] = [thing(), thing()]
    await documents.insertMany(things, [taken, mine])
    const others = Array.from({ length: 50 }, () => thing({ name: 'beside' }))
    const [wrong, ...right] = await Promise.allSettled([
      documents.update(things, mine.id, { set: { key: taken.key } }),
      ...others.map((one) => documents.insert(things, one)),
    ])
    expect(wrong.status).toBe('rejected')
    expect(right).toEqual(others.map(() => ({ status: 'fulfilled', value: true })))
    expect(await documents.count(things, { where: { name: 'beside' }, upTo: 100 })).toBe(50)
    expect(await documents.get(things, mine.id)).toEqual(mine)
  })
}
