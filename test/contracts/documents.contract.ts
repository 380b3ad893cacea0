/** The contract of every documents adapter (src/ports/documents.ts). */
import { afterEach, describe, expect, it } from 'vitest'
import type { Collection } from '../../src/ports/documents.ts'
import { changePromises } from './documents/change.ts'
import { declared, type Thing, thing, things } from './documents/collections.ts'
import { findPromises } from './documents/find.ts'
import { inOrderPromises } from './documents/in-order.ts'
import { insertPromises } from './documents/insert.ts'
import { internedPromises } from './documents/interned.ts'
import type { OpenDocuments, OpenedDocuments } from './documents/opened.ts'
import { racePromises } from './documents/race.ts'
import { sideTablePromises } from './documents/side-table.ts'
import { undeclaredPromises } from './documents/undeclared.ts'

export type { OpenDocuments, OpenedDocuments }

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
    describe('queries without an index', () => undeclaredPromises(started))
    describe('interned fields and instants', () => internedPromises(started, start))
    describe('side tables', () => sideTablePromises(started, start))
    describe('update, upsert and delete', () => changePromises(started))
    describe('inOrder', () => inOrderPromises(started))
    describe('many at once', () => racePromises(started))

    it('can declare a collection again, with new fields and indexes', async () => {
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
      await documents.declare([grown])
      expect(await documents.get(grown, one.id)).toEqual({ ...one, since: null })
      await documents.insert(grown, { ...thing(), since: 'today' })
      expect(await documents.count(grown, { where: { owner: 'ann', since: 'today' }, upTo: 10 })).toBe(1)
      // a document from before the field was added has null there, until it is filled in
      for (const since of [null, { in: [null] }, { in: [null, 'today'] }]) {
        const found = await documents.find(grown, { where: { owner: 'ann', since }, limit: 10, fields: ['id'] })
        expect(found).toContainEqual({ id: one.id })
      }
      await documents.updateEach(grown, [{ id: one.id, change: { set: { since: 'before' } } }])
      expect(await documents.count(grown, { where: { owner: 'ann', since: null }, upTo: 10 })).toBe(0)
    })

    it('keeps its documents when it is closed and opened again', async ({ skip }) => {
      const { documents, reopen } = await start()
      if (!reopen) return skip('this store does not persist')
      const one = thing({ detail: { kept: true } })
      await documents.insert(things, one)
      await documents.update(things, one.id, { inc: { rank: 7 } })
      const again = await reopen()
      await again.declare(declared)
      expect(await again.get(things, one.id)).toEqual({ ...one, rank: 7 })
      expect(await again.insert(things, { ...thing(), key: one.key })).toBe(false)
    })

    it('health() reports no fault while the store works', async () => {
      const documents = await started()
      expect(await documents.health()).toBeUndefined()
    })
  })
}
