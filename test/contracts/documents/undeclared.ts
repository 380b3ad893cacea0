/** Queries without an index. */
import { expect, it } from 'vitest'
import type { Where } from '../../../src/ports/documents.ts'
import { UndeclaredQuery } from '../../../src/ports/plan.ts'
import { type Thing, things } from './collections.ts'
import type { Started } from './opened.ts'

export function undeclaredPromises(started: Started): void {
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
    it(`refuses a query without an index: ${what}`, async () => {
      const documents = await started()
      const query = { where, sort: sort.map((field) => [field, 'asc'] as const), limit: 10 }
      await expect(documents.find(things, query)).rejects.toThrow(UndeclaredQuery)
      if (sort.length === 0) await expect(documents.count(things, { where, upTo: 1 })).rejects.toThrow(UndeclaredQuery)
    })
  }

  it('refuses a query that sorts in two directions', async () => {
    const documents = await started()
    const sort = [
      ['rank', 'asc'],
      ['id', 'desc'],
    ] as const
    await expect(documents.find(things, { where: { owner: 'ann' }, sort, limit: 1 })).rejects.toThrow(UndeclaredQuery)
  })

  it('refuses a filter by undefined, by json or by an unknown field', async () => {
    const documents = await started()
    for (const where of [{ owner: undefined }, { detail: 'x' }, { nothing: 1 }, { owner: {} }]) {
      await expect(documents.find(things, { where: where as never, limit: 1 })).rejects.toThrow(/things/)
    }
  })
}
