/** Concurrent writes. */
import { expect, it } from 'vitest'
import { lines, type Thing, thing, things } from './collections.ts'
import type { Started } from './opened.ts'

export function racePromises(started: Started): void {
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

  it('appends entries of many writers to one journal without gaps or losses', async () => {
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

  it('applies 100 concurrent conditional updates one at a time, and loses none', async () => {
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

  it('fails only the invalid write of a batch', async () => {
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
