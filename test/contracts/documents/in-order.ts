/** Several writes in one order. */
import { expect, it } from 'vitest'
import type { OrderedWrites } from '../../../src/ports/documents.ts'
import { type Thing, thing, things } from './collections.ts'
import type { Started } from './opened.ts'

export function inOrderPromises(started: Started): void {
  it('runs inOrder() writes in their order, and resolves when all are durable', async () => {
    const documents = await started()
    const one = thing({ id: 'in-order', owner: 'ann', key: 'in-order', rank: 1 })
    await documents.inOrder((writes) => {
      writes.insertMany(things, [one])
      writes.update(things, 'in-order', { set: { rank: 2 } }, { rank: 1 })
      writes.updateEach(things, [{ id: 'in-order', change: { inc: { rank: 5 } }, condition: { rank: 2 } }])
      writes.upsertIfNewer(things, [{ ...one, rank: 8, name: 'last' }], 'rank')
    })
    expect(await documents.get(things, 'in-order', ['rank', 'name'])).toEqual({ rank: 8, name: 'last' })
  })

  it('keeps the order of inOrder() writes of thousands of documents', async () => {
    const documents = await started()
    const all = Array.from({ length: 2_500 }, (_, rank) => thing({ rank }))
    await documents.inOrder((writes) => {
      writes.insertMany(things, all)
      writes.updateEach(
        things,
        all.slice(-600).map(({ id }) => ({ id, change: { set: { name: 'first' } } })),
      )
      writes.updateEach(
        things,
        all.slice(-300).map(({ id }) => ({ id, change: { set: { name: 'second' } }, condition: { name: 'first' } })),
      )
    })
    const named = (name: string) => documents.count(things, { where: { name }, upTo: 1000 })
    expect([await named('first'), await named('second')]).toEqual([300, 300])
  })

  it('gives the callback of inOrder() no results to wait for', async () => {
    const documents = await started()
    const one = thing()
    const results: unknown[] = []
    await documents.inOrder((writes) => {
      results.push(writes.insertMany(things, [one]))
      results.push(writes.update(things, one.id, { set: { rank: 2 } }))
      results.push(writes.updateEach(things, []))
      results.push(writes.upsertIfNewer(things, [one], 'rank'))
    })
    expect(results).toEqual([undefined, undefined, undefined, undefined])
  })

  it('inOrder() without writes resolves', async () => {
    await (await started()).inOrder(() => {})
  })

  const failures: [string, (writes: OrderedWrites, taken: Thing) => void][] = [
    ['is invalid', (writes) => writes.insertMany({ ...things, name: 'undeclared' }, [thing()])],
    // a new document with a unique key that another document has
    ['the engine refuses', (writes, { key }) => writes.upsertIfNewer(things, [thing({ key })], 'rank')],
  ]
  for (const [what, fail] of failures) {
    it(`does not run the writes after one that ${what}`, async () => {
      const documents = await started()
      const [taken, before, after] = [thing(), thing(), thing()]
      await documents.insert(things, taken)
      const running = documents.inOrder((writes) => {
        writes.insertMany(things, [before])
        fail(writes, taken)
        writes.insertMany(things, [after])
        writes.update(things, taken.id, { set: { name: 'too far' } })
      })
      await expect(running).rejects.toThrow()
      expect(await documents.get(things, after.id)).toBeUndefined()
      expect(await documents.get(things, taken.id)).toEqual(taken)
    })
  }

  it('writes nothing if the callback of inOrder() throws', async () => {
    const documents = await started()
    const one = thing()
    const running = documents.inOrder((writes) => {
      writes.insertMany(things, [one])
      throw new Error('changed my mind')
    })
    await expect(running).rejects.toThrow('changed my mind')
    expect(await documents.get(things, one.id)).toBeUndefined()
  })

  it('refuses an async callback of inOrder(), and writes nothing', async () => {
    const documents = await started()
    const one = thing()
    const late: unknown[] = []
    // @ts-expect-error: the type must refuse a callback that returns a promise
    const running = documents.inOrder(async (writes) => {
      writes.insertMany(things, [one])
      await Promise.resolve()
      try {
        writes.insertMany(things, [thing()])
      } catch (error) {
        late.push(error)
        throw error
      }
    })
    await expect(running).rejects.toThrow(/returned a promise/)
    expect(late).toMatchObject([{ message: expect.stringContaining('after the callback of inOrder() had returned') }])
    expect(await documents.get(things, one.id)).toBeUndefined()
  })

  it('refuses a callback of inOrder() that returns a thenable which is no promise', async () => {
    const documents = await started()
    // biome-ignore lint/suspicious/noThenProperty: the thenable under test
    const running = documents.inOrder((() => ({ then: () => {} })) as never)
    await expect(running).rejects.toThrow(/returned a promise/)
  })

  it('refuses a write that is requested after the callback of inOrder() has returned', async () => {
    const documents = await started()
    const [one, late] = [thing(), thing()]
    let kept: OrderedWrites | undefined
    const running = documents.inOrder((writes) => {
      kept = writes
      writes.insertMany(things, [one])
    })
    const refused = /after the callback of inOrder\(\) had returned/
    expect(() => kept?.insertMany(things, [late])).toThrow(refused)
    await running
    expect(() => kept?.insertMany(things, [late])).toThrow(refused)
    expect(() => kept?.update(things, one.id, { set: { rank: 9 } })).toThrow(refused)
    expect(() => kept?.updateEach(things, [])).toThrow(refused)
    expect(() => kept?.upsertIfNewer(things, [late], 'rank')).toThrow(refused)
    expect(await documents.get(things, one.id)).toEqual(one)
    expect(await documents.get(things, late.id)).toBeUndefined()
  })
}
