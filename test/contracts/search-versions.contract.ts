/** Tests that every search adapter handles indexes of another version of the text analysis. */
import { afterEach, describe, expect, it } from 'vitest'
import type { SearchEngine } from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { workspace } from './indexes.ts'
import { documentOf, everyone } from './search.contract.ts'

export interface VersionedStore {
  /** Opens the store as a service whose text analysis has this version. */
  open(analysis: number): Promise<SearchEngine>
  /** How many documents the store holds, of any version and in any index. */
  stored(): Promise<number>
  /** Deletes the store. */
  remove(): Promise<void>
}

export function searchVersionsContract(name: string, openStore: () => Promise<VersionedStore>): void {
  describe(`${name}: indexes of another version`, () => {
    let store: VersionedStore | undefined
    const opened: SearchEngine[] = []
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
      await store?.remove()
      store = undefined
    })
    async function open(analysis: number): Promise<SearchEngine> {
      store ??= await openStore()
      const engine = await store.open(analysis)
      opened.push(engine)
      return engine
    }

    const mark = { epoch: 'e', sequence: 7 }
    async function fill(engine: SearchEngine, id: string): Promise<void> {
      await engine.create('live')
      await engine.upsert('live', [documentOf(id, 'queue')])
      await engine.refresh('live', workspace, mark)
    }
    async function found(engine: SearchEngine): Promise<string[]> {
      return (await engine.candidates('live', everyone, ['queue'], 10)).items.map(({ id }) => id)
    }

    it('keeps an index when the same version opens it again', async () => {
      await fill(await open(1), 'kept')
      const again = await open(1)
      expect(await again.watermark('live', workspace)).toEqual(mark)
      expect(await found(again)).toEqual(['kept'])
    })

    for (const [what, wrote, opens] of [
      ['older', 1, 2],
      ['newer', 2, 1],
    ] as const) {
      it(`an index of ${what} version is missing`, async () => {
        await fill(await open(wrote), 'theirs')
        const engine = await open(opens)
        expect(await engine.watermark('live', workspace)).toBeUndefined()
        const document = documentOf('ours', 'queue')
        for (const call of [
          () => found(engine),
          () => engine.count('live', workspace),
          () => engine.upsert('live', [document]),
          () => engine.refresh('live', workspace, mark),
          () => engine.advance('live', workspace, mark),
        ]) {
          await expect(call()).rejects.toBeInstanceOf(EngineUnavailable)
        }
      })

      it(`create() makes an empty index instead of one of ${what} version`, async () => {
        await fill(await open(wrote), 'theirs')
        const engine = await open(opens)
        await engine.create('live')
        expect(await engine.watermark('live', workspace)).toBeUndefined()
        expect(await engine.advance('live', workspace, mark)).toBe(false)
        expect(await engine.count('live', workspace)).toBe(0)
        expect(await found(engine)).toEqual([])
        await fill(engine, 'ours')
        expect(await engine.watermark('live', workspace)).toEqual(mark)
        expect(await found(engine)).toEqual(['ours'])
      })
    }

    it('drop() leaves nothing of older versions', async () => {
      await fill(await open(1), 'oldest')
      await fill(await open(2), 'older')
      const engine = await open(3)
      await fill(engine, 'ours')
      await engine.drop('live')
      expect(await store?.stored()).toBe(0)
    })

    it('dropOlder() leaves only the index of this version', async () => {
      await fill(await open(1), 'oldest')
      await fill(await open(2), 'older')
      const engine = await open(3)
      await fill(engine, 'ours')
      await engine.dropOlder('live')
      await engine.dropOlder('none')
      expect(await store?.stored()).toBe(1)
      expect(await found(engine)).toEqual(['ours'])
    })
  })
}
