/** Interned fields and instants. */
import { expect, it } from 'vitest'
import type { Documents, Where } from '../../../src/ports/documents.ts'
import { declared, type Visit, visit, visits } from './collections.ts'
import type { Start, Started } from './opened.ts'

export function internedPromises(started: Started, start: Start): void {
  it('returns interned values and instants unchanged, also after reopening', async () => {
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
    // new values next to known ones
    const later = visit({ room: '1', state: 'new' })
    await again.insert(visits, later)
    expect(await again.find(visits, { where: { room: '1' }, limit: 9, fields: ['state'] })).toEqual(
      expect.arrayContaining([{ state: '' }, { state: 'new' }]),
    )
  })

  it('finds interned values by equality and lists, and nothing for unknown values', async () => {
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

  it("visits each interned value once when iterating from ''", async () => {
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

  it('sorts instants by time, and refuses other formats', async () => {
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

  it('stores a new interned value with the first of many writes that use it', async () => {
    const { documents, reopen } = await start()
    const rows = Array.from({ length: 200 }, (_, n) => visit({ room: `room ${n % 20}`, guest: { n: n % 7 } }))
    await Promise.all([
      ...rows.slice(0, 100).map((row) => documents.insert(visits, row)),
      documents.insertMany(visits, rows.slice(100, 150)),
      documents.inOrder((writes) => {
        writes.insertMany(visits, rows.slice(150))
        writes.update(visits, (rows[199] as Visit).id, { set: { state: 'only here' } })
      }),
    ])
    const from = reopen ? await reopen() : documents
    if (reopen) await from.declare(declared)
    const expected = rows.map((row, n) => (n === 199 ? { ...row, state: 'only here' } : row))
    expect(await Promise.all(rows.map((row) => from.get(visits, row.id)))).toEqual(expected)
  })
}
