/** find and count. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Where } from '../../../src/ports/documents.ts'
import { type Thing, thing, things } from './collections.ts'
import type { Start, Started } from './opened.ts'

export function findPromises(started: Started, start: Start): void {
  it('find() selects by equality, list and range, and null equals only null', async () => {
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

  it('find() returns the same as a filter and sort over all documents', async () => {
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

  it('gets a document by its id only if it meets the condition, by an index or without one', async () => {
    const documents = await started()
    const one = thing({ owner: 'ann', name: 'a', rank: 7 })
    await documents.insertMany(things, [one, thing({ owner: 'bob', name: 'b', rank: 7 })])
    const meets = async (condition: Where<Thing>) => {
      const found = await documents.get(things, one.id, ['rank'], condition)
      expect([undefined, { rank: 7 }]).toContainEqual(found)
      return found !== undefined
    }
    expect(await meets({})).toBe(true)
    // an index has the name and the id
    expect([await meets({ name: 'a' }), await meets({ name: 'b' }), await meets({ name: null })]).toEqual([
      true,
      false,
      false,
    ])
    expect([await meets({ rank: 7, owner: 'ann' }), await meets({ rank: 7, owner: 'bob' })]).toEqual([true, false])
    expect([await meets({ owner: 'ann', key: one.key }), await meets({ owner: 'eve' })]).toEqual([true, false])
    expect([await meets({ name: { in: ['a', null] } }), await meets({ name: { in: [] } })]).toEqual([true, false])
    expect([await meets({ rank: { gt: 6, lt: 8 } }), await meets({ rank: { gt: 7 } })]).toEqual([true, false])
    expect(await documents.get(things, 'none', ['rank'], { name: 'a' })).toBeUndefined()
    expect(await documents.get(things, one.id, undefined, { name: 'a' })).toEqual(one)
  })

  it('find() accepts lists with thousands of combinations before a sort', async () => {
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

  it('loads only the chosen fields', async () => {
    const documents = await started()
    const one = thing({ name: 'n', detail: { big: 'x'.repeat(10_000) } })
    await documents.insert(things, one)
    const fields = ['rank', 'name'] as const
    expect(await documents.get(things, one.id, fields)).toEqual({ rank: 0, name: 'n' })
    expect(await documents.find(things, { where: { name: 'n' }, limit: 1, fields })).toEqual([{ rank: 0, name: 'n' }])
    expect(await documents.find(things, { where: { name: 'n' }, limit: 1 })).toEqual([one])
  })

  it('find() filters and sorts given ids by any field', async () => {
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

  it('stops counting at the given limit', async () => {
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
