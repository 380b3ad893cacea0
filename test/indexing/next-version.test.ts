/** Upgrades and downgrades of search indexes: processes of two versions on one store, one after the other or at once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../../src/access/settings.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { outdatedIndexes } from '../../src/indexing/lost-indexes.ts'
import { rebuildOutdated } from '../../src/indexing/maintain-indexes.ts'
import { olderKeptFor } from '../../src/indexing/next-version.ts'
import { rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf, type checkpoints, firstIndex } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { indexToSearch, serving, versionsIn } from '../../src/journal/shown-in.ts'
import { remember } from '../../src/memories/remember.ts'
import { inVersion } from '../../src/ports/index-versions.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { receipts } from '../../src/receipt.ts'
import { allOf } from '../support/all-of.ts'
import { actorAda, promise, type World, workspace, world } from '../support/apply.ts'
import { freezing, never, rebuildsOf } from '../support/rebuilds.ts'
import { equal } from '../support/search-query.ts'

const lane = 'interactive'
let on: World
let ahead: number
let older: SearchEngine
let newer: SearchEngine
beforeEach(async () => {
  on = await world()
  ahead = 0
  older = on.searchOf(11)
  newer = on.searchOf(12)
})
afterEach(() => on.close())

/** A process of the version of this engine. */
function portsOf(search: SearchEngine): JournalPorts {
  const clock = { ...on.clock, now: () => on.clock.now() + ahead }
  return { ...on.portsOf({ documents: on.documents, search }), clock }
}
const checkpoint = () => checkpointOf(on.documents, workspace)
const index = (search: SearchEngine) => indexWorkspace(portsOf(search), { workspace, lane })
const maintain = (search: SearchEngine) => rebuildOutdated(portsOf(search), never)
async function decide(content: string): Promise<string> {
  const { id } = await promise(on, remember, { kind: 'fact', content })
  await drain(portsOf(newer), { workspace, lane })
  return id
}
async function write(content: string, search: SearchEngine): Promise<void> {
  const id = await decide(content)
  await index(search)
  expect((await on.documents.get(receipts, id))?.state).toBe('applied')
}
async function found(search: SearchEngine, analysis?: number): Promise<number> {
  const name = await indexToSearch(search, await checkpoint(), analysis)
  const filter = { workspace, audiences: ['workspace'] as const }
  return (await search.candidates(name, filter, equal(['zebra']), 100)).items.length
}
const listed = async () => versionsIn(await checkpoint())
async function troubles(search: SearchEngine): Promise<string[]> {
  const all: string[] = []
  for await (const { trouble } of outdatedIndexes({ documents: on.documents, search }, 'epoch')) all.push(trouble)
  return all
}

describe('after an upgrade', () => {
  beforeEach(async () => {
    for (const number of [1, 2, 3]) await write(`Zebra ${number}.`, older)
  })

  it('the older index serves until the new one is filled beside it, and is dropped some time later', async () => {
    expect(await found(newer)).toBe(3)
    expect(await troubles(newer)).toEqual(['older'])
    await write('Zebra 4.', newer)
    expect([await found(newer), await found(older)]).toEqual([4, 4])
    expect(await listed()).toEqual([older.version])
    await maintain(newer)
    expect(await troubles(newer)).toEqual([])
    expect(await listed()).toEqual([older.version, newer.version])
    expect(await indexToSearch(newer, await checkpoint())).toBe(inVersion(firstIndex, newer.version))
    expect([await found(newer), await found(older)]).toEqual([4, 4])
    // nothing was swapped or rebuilt
    expect([(await checkpoint()).live, await rebuildsOf(on)]).toEqual([firstIndex, []])
    await write('Zebra 5.', newer)
    expect([await found(newer), await found(older)]).toEqual([5, 5])
    ahead += olderKeptFor - 60_000
    await maintain(newer)
    expect(await newer.versions(firstIndex)).toEqual([newer.version, older.version])
    ahead += 120_000
    await maintain(newer)
    expect(await newer.versions(firstIndex)).toEqual([newer.version])
    await write('Zebra 6.', newer)
    expect([await found(newer), await listed()]).toEqual([6, [newer.version]])
    expect((await on.documents.find(settings, { where: { id: { gt: 'older/' } }, limit: 9 })).length).toBe(0)
  })

  it('a search whose filter the older documents lack is refused until the new index is complete', async () => {
    await expect(found(newer, 12)).rejects.toMatchObject({ trouble: 'index_version' })
    await maintain(newer)
    expect(await found(newer, 12)).toBe(3)
  })

  it('a process of the older version writes only to its index, and no reader misses anything', async () => {
    await maintain(newer)
    await write('Zebra 4.', older)
    expect(await listed()).toEqual([older.version])
    expect([await found(newer), await found(older)]).toEqual([4, 4])
    await write('Zebra 5.', newer)
    expect([await found(newer), await found(older)]).toEqual([5, 5])
    await maintain(newer)
    expect(await listed()).toEqual([older.version, newer.version])
    expect(await newer.count(firstIndex, workspace)).toBe(5)
  })

  it('a process of version 0.1.0, which does not list versions, is noticed', async () => {
    await maintain(newer)
    await decide('Zebra 4.')
    const asReleased = {
      ...on.documents,
      update: (collection: typeof checkpoints, id: string, change: { set: object }, condition: object) => {
        const { shown_in: _, ...set } = change.set as { shown_in?: unknown }
        const { shown_in: __, ...kept } = condition as { shown_in?: unknown }
        return on.documents.update(collection, id, { set }, kept)
      },
    } as unknown as JournalPorts['documents']
    const versions = async () => [older.version]
    const released = { ...portsOf(older), documents: asReleased, search: { ...older, versions } }
    await indexWorkspace(released, { workspace, lane })
    expect([(await checkpoint()).indexed, await listed()]).toEqual([4, undefined])
    expect([await found(newer), await found(older)]).toEqual([4, 4])
    await maintain(newer)
    expect(await listed()).toEqual([older.version, newer.version])
    expect([await newer.count(firstIndex, workspace), await found(newer)]).toEqual([4, 4])
  })

  it('entries that are indexed while the new index is filled are in both', async () => {
    const { search, reached, thaw } = freezing(newer, 'advance')
    const filling = maintain(search)
    await reached
    await write('Zebra 4.', older)
    await write('Zebra 5.', newer)
    thaw()
    await filling
    expect(await listed()).toEqual([older.version, newer.version])
    expect([await newer.count(firstIndex, workspace), await found(newer), await found(older)]).toEqual([5, 5, 5])
  })

  it('a fill that was killed continues from its last watermark', async () => {
    const upserts: number[] = []
    const dying = (after: number): SearchEngine => ({
      ...newer,
      async upsert(name, documents) {
        const all = await allOf(documents)
        upserts.push(all.length)
        if (upserts.length > after) throw new EngineUnavailable('test', 'killed')
        return newer.upsert(name, all)
      },
    })
    await expect(maintain(dying(0))).rejects.toThrow('killed')
    await maintain(dying(9))
    expect(upserts).toEqual([3, 3])
    await write('Zebra 4.', older)
    await maintain(dying(9))
    // only what is newer
    expect(upserts).toEqual([3, 3, 1])
    expect([await found(newer), await listed()]).toEqual([4, [older.version, newer.version]])
  })

  it('a fill and an index worker that finish at once leave no entry out', async () => {
    await decide('Zebra 4.')
    const { search, reached, thaw } = freezing(newer, 'advance')
    // has read that only the older index is complete, and is about to end its step
    const working = index(search)
    await reached
    await maintain(newer)
    thaw()
    await working
    expect([await found(newer), await found(older)]).toEqual([4, 4])
    expect(await listed()).toEqual([older.version, newer.version])
  })

  it('a new workspace is indexed in both versions while both exist', async () => {
    const other = '00000000-0000-7000-8000-0000000000bb' as typeof workspace
    await newer.create(firstIndex)
    const { id } = await promise(on, remember, { kind: 'fact', content: 'Zebra.' }, { ...actorAda, workspace: other })
    await drain(portsOf(newer), { workspace: other, lane })
    await indexWorkspace(portsOf(newer), { workspace: other, lane })
    expect((await on.documents.get(receipts, id))?.state).toBe('applied')
    expect([await older.count(firstIndex, other), await newer.count(firstIndex, other)]).toEqual([1, 1])
  })

  it('a lost older index is rebuilt', async () => {
    await older.drop(firstIndex)
    await expect(found(newer)).rejects.toMatchObject({ trouble: 'index_lost' })
    expect(await troubles(newer)).toEqual(['lost'])
    await maintain(newer)
    expect([await found(newer), await troubles(newer)]).toEqual([3, []])
    expect((await on.documents.find(rebuilds, { where: { workspace }, limit: 9 })).length).toBe(1)
  })

  it('vectors are made again for the new index', async () => {
    expect(serving(newer, await checkpoint())).toBe(inVersion(firstIndex, older.version))
    await maintain(newer)
    expect(serving(newer, await checkpoint())).toBe(inVersion(firstIndex, newer.version))
  })
})

describe('after a downgrade', () => {
  it('the older index is used if it still exists, and the newer one is left alone', async () => {
    await write('Zebra 1.', older)
    await maintain(newer)
    await write('Zebra 2.', newer)
    expect([await found(older), await troubles(older)]).toEqual([2, []])
    await write('Zebra 3.', older)
    ahead += 2 * olderKeptFor
    await maintain(older)
    expect(await found(older)).toBe(3)
    expect(await newer.versions(firstIndex)).toEqual([newer.version, older.version])
    // and once more the newer version
    expect(await found(newer)).toBe(3)
    await maintain(newer)
    expect([await newer.count(firstIndex, workspace), await listed()]).toEqual([3, [older.version, newer.version]])
  })

  it('an older version fills its own index beside the newer one, and indexes nothing before', async () => {
    await write('Zebra 1.', newer)
    await expect(found(older)).rejects.toMatchObject({ trouble: 'index_version' })
    expect(await troubles(older)).toEqual(['newer'])
    const id = await decide('Zebra 2.')
    await index(older)
    expect((await on.documents.get(receipts, id))?.state).not.toBe('applied')
    await maintain(older)
    expect(await listed()).toEqual([older.version, newer.version])
    expect([await found(older), await found(newer)]).toEqual([2, 1])
    await index(older)
    expect((await on.documents.get(receipts, id))?.state).toBe('applied')
    expect([await found(older), await found(newer)]).toEqual([2, 2])
    expect(await newer.count(firstIndex, workspace)).toBe(1)
  })
})
