/** Updates, upserts and deletes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Thing, thing, things } from './collections.ts'
import type { Started } from './opened.ts'

export function changePromises(started: Started): void {
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

  it('changes every listed document that meets the condition, and returns how many', async () => {
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

  it('applies each of many conditional changes independently', async () => {
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

  it('deletes every listed document that meets the condition, and returns how many', async () => {
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

  it('keeps the newest version for any order and repetition of upserts', async () => {
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
          // a call never has a document twice, because engines may write a batch in any order
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
