/** The contract of every search adapter about indexes of several versions. */
import { afterEach, describe, expect, it } from 'vitest'
import { inVersion } from '../../src/ports/index-versions.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { equal } from '../support/search-query.ts'
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
  describe(`${name}: an index in several versions`, () => {
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
    async function found(engine: SearchEngine, index = 'live'): Promise<string[]> {
      return (await engine.candidates(index, everyone, equal(['queue']), 10)).items.map(({ id }) => id)
    }

    it('keeps an index when the same version opens it again', async () => {
      await fill(await open(1), 'kept')
      const again = await open(1)
      expect(await again.watermark('live', workspace)).toEqual(mark)
      expect(await found(again)).toEqual(['kept'])
      expect(await again.versions('live')).toEqual([again.version])
      expect(await again.versions('li')).toEqual([])
    })

    it('searches and fills an index of an older version by its name', async () => {
      const older = await open(1)
      await fill(older, 'theirs')
      const engine = await open(2)
      expect(await engine.versions('live')).toEqual([older.version])
      const name = inVersion('live', older.version)
      await engine.upsert(name, [
        documentOf('ours', 'queue', { vector: { space: 'm', values: Float32Array.of(0.6, 0.8) } }),
      ])
      expect(await engine.advance(name, workspace, { epoch: 'e', sequence: 8 })).toBe(true)
      for (const index of ['live', inVersion('live', engine.version)]) {
        await expect(found(engine, index)).rejects.toBeInstanceOf(EngineUnavailable)
      }
      expect((await found(engine, name)).sort()).toEqual(['ours', 'theirs'])
      expect(await engine.count(name, workspace)).toBe(2)
      expect(await engine.unembedded(name, workspace, 'm', ['ours', 'theirs'])).toEqual(['theirs'])
      // the older version sees the same
      expect((await found(older)).sort()).toEqual(['ours', 'theirs'])
      expect(await older.watermark('live', workspace)).toEqual({ epoch: 'e', sequence: 8 })
    })

    it('fills an index beside the one of an older version', async () => {
      const older = await open(1)
      await fill(older, 'theirs')
      const engine = await open(2)
      await fill(engine, 'ours')
      expect(await engine.versions('live')).toEqual([engine.version, older.version])
      expect(await found(engine)).toEqual(['ours'])
      expect(await found(engine, inVersion('live', older.version))).toEqual(['theirs'])
      expect(await found(older)).toEqual(['theirs'])
      await engine.advance('live', workspace, { epoch: 'e', sequence: 9 })
      expect(await older.watermark('live', workspace)).toEqual(mark)
    })

    for (const [what, wrote, opens] of [
      ['older', 1, 2],
      ['newer', 2, 1],
    ] as const) {
      it(`without a version in its name, an index of ${what} version is missing`, async () => {
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
        await engine.create('live')
        expect(await engine.watermark('live', workspace)).toBeUndefined()
        expect(await engine.advance('live', workspace, mark)).toBe(false)
        expect(await engine.count('live', workspace)).toBe(0)
        expect(await found(engine)).toEqual([])
      })
    }

    it('leaves an index of a newer version alone', async () => {
      const newer = await open(2)
      await fill(newer, 'theirs')
      const engine = await open(1)
      expect(await engine.versions('live')).toEqual([])
      await fill(engine, 'ours')
      await engine.dropOlder('live')
      await engine.drop('live')
      expect(await found(newer)).toEqual(['theirs'])
      expect(await store?.stored()).toBe(1)
    })

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
      expect(await engine.versions('live')).toEqual([engine.version])
    })
  })
}
