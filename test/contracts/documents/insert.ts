/** insert: the values it stores, and the documents it refuses. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Thing, thing, things } from './collections.ts'
import type { Started } from './opened.ts'

export function insertPromises(started: Started): void {
  it('stores values of every type unchanged', async () => {
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

  it('stores every string unchanged', async () => {
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

  it('refuses a document with an existing id or unique key, and keeps the first', async () => {
    const documents = await started()
    const one = thing({ name: 'first' })
    await documents.insert(things, one)
    expect(await documents.insert(things, { ...thing({ name: 'same id' }), id: one.id })).toBe(false)
    expect(await documents.insert(things, { ...thing({ name: 'same key' }), key: one.key })).toBe(false)
    expect(await documents.insert(things, { ...thing(), owner: 'bob', key: one.key })).toBe(true)
    expect(await documents.get(things, one.id)).toEqual(one)
  })

  it('inserts all documents that are no duplicates, and returns the duplicates', async () => {
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

  it('refuses documents with missing, unknown or wrongly typed fields', async () => {
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
