/** Fields in a side table. */
import { expect, it } from 'vitest'
import type { Documents } from '../../../src/ports/documents.ts'
import { declared, type Parcel, parcel, parcels } from './collections.ts'
import type { Start, Started } from './opened.ts'

export function sideTablePromises(started: Started, start: Start): void {
  it('returns the value of a side table with its document, if it is selected', async () => {
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

  it('does not store the side value of a duplicate', async () => {
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

  it('keeps the side value when other fields change', async () => {
    const documents = await started()
    const [one, other] = [parcel(), parcel()]
    await documents.insertMany(parcels, [one, other])
    await documents.update(parcels, one.id, { set: { state: 'here' }, inc: { stops: 1 } })
    await documents.updateMany(parcels, [one.id, other.id], { inc: { stops: 1 } })
    await documents.updateEach(parcels, [{ id: other.id, change: { set: { state: 'lost' } } }])
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'here', stops: 2 })
    expect(await documents.get(parcels, other.id)).toEqual({ ...other, state: 'lost', stops: 1 })
  })

  it('drops the side value only if the condition of the change holds', async () => {
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

  it('deletes the side value with its document', async () => {
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

  it('writes side values in the order of inOrder()', async () => {
    const documents = await started()
    const one = parcel()
    await documents.inOrder((writes) => {
      writes.insertMany(parcels, [one])
      writes.updateEach(parcels, [{ id: one.id, change: { set: { state: 'here' } } }])
    })
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'here' })
    await documents.inOrder((writes) => {
      writes.update(parcels, one.id, { set: { state: 'read', content: null } }, { state: 'here' })
    })
    expect(await documents.get(parcels, one.id)).toEqual({ ...one, state: 'read', content: null })
  })
}
