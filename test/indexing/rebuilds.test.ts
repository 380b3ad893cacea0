import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { rebuildsIn } from '../../src/indexing/ask-rebuild.ts'
import { maintainIndexes, rebuildOutdated } from '../../src/indexing/maintain-indexes.ts'
import { newRebuild, rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { actorAda, apply, type World, workspace, world } from '../support/apply.ts'
import { freezing, gate, pass, rebuildsOf, rebuiltAlone } from '../support/rebuilds.ts'

const admin: Actor = { ...actorAda, scopes: ['admin'] }

describe('rebuilds of a search index', () => {
  let on: World
  let ports: JournalPorts
  let stopping: AbortController
  beforeEach(async () => {
    on = await world()
    ports = on.portsOf(on)
    stopping = new AbortController()
    await apply(on, remember, { kind: 'fact', content: 'Zebras graze.' })
  })
  afterEach(() => on.close())

  const live = async () => (await checkpointOf(on.documents, workspace)).live
  const keep = () => maintainIndexes(ports, stopping.signal)
  const ask = async () => (await rebuildsIn(on.documents, on.clock).ask(admin, {}))[0]
  const stateOf = async (index: string) => (await on.documents.get(rebuilds, index))?.state
  /** A rebuild that was abandoned while its worker was suspended at this call. `finish` lets the worker go on. */
  async function abandonedAt(at: 'advance' | 'create') {
    const asked = (await ask())?.index as string
    const frozen = freezing(on.search, at)
    const worker = maintainIndexes({ ...ports, search: frozen.search }, stopping.signal)
    await frozen.reached
    pass(on, 61_000)
    await keep()
    return {
      asked,
      now: await live(),
      finish() {
        frozen.thaw()
        return worker
      },
    }
  }

  it('run when requested, and the replaced index is dropped after its readers have finished', async () => {
    await ask()
    await keep()
    const first = await live()
    const asked = await ask()
    expect(asked?.state).toBe('asked')
    await keep()
    expect(await live()).toBe(asked?.index)
    expect(await on.search.count(await live(), workspace)).toBe(1)
    await keep()
    // readers may still have its name
    expect(await on.search.watermark(first, workspace)).toBeDefined()
    pass(on, 61_000)
    await keep()
    expect(await on.search.watermark(first, workspace)).toBeUndefined()
    expect(await stateOf(asked?.index as string)).toBe('done')
  })

  it('are not requested twice', async () => {
    expect((await ask())?.index).toBe((await ask())?.index)
  })

  it('run one after the other if two admins request one at once', async () => {
    const [first, second] = [newRebuild(on.clock, workspace, null), newRebuild(on.clock, workspace, null)]
    await on.documents.insert(rebuilds, first)
    const frozen = freezing(on.search, 'advance')
    const worker = maintainIndexes({ ...ports, search: frozen.search }, stopping.signal)
    await frozen.reached
    await on.documents.insert(rebuilds, second)
    await keep()
    expect(await stateOf(second.id)).toBe('asked')
    frozen.thaw()
    await worker
    expect(await stateOf(first.id)).toBe('live')
    await keep()
    expect(await live()).toBe(second.id)
  })

  it('start over after a crash, and the half-filled index is dropped', async () => {
    const asked = (await ask())?.index as string
    const death = gate()
    // the worker never sends a heartbeat again
    const dying = { ...on.search, advance: () => death.stop().then(() => true) }
    void maintainIndexes({ ...ports, search: dying }, stopping.signal)
    await death.reached
    await on.search.refresh(asked, workspace)
    expect(await on.search.count(asked, workspace)).toBe(1)
    await keep()
    expect(await stateOf(asked)).toBe('filling')
    pass(on, 61_000)
    await keep()
    expect(await stateOf(asked)).toBeUndefined()
    await expect(on.search.count(asked, workspace)).rejects.toThrow()
    expect(await live()).toMatch(/^records-/)
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('never swap in an index that was abandoned while its worker was suspended', async () => {
    const { asked, now, finish } = await abandonedAt('advance')
    await expect(finish()).rejects.toThrow()
    expect(await live()).toBe(now)
    expect(now).not.toBe(asked)
  })

  /** Ports of a worker whose swap fails in the way of `swap`. */
  const swapping = (how: (swap: () => Promise<boolean>) => Promise<boolean>): JournalPorts => ({
    ...ports,
    documents: {
      ...on.documents,
      update: (collection, id, change, condition) => {
        const update = () => on.documents.update(collection, id, change, condition)
        return 'live' in (change.set ?? {}) ? how(update) : update()
      },
    },
  })

  it('drop the replaced index even if the worker dies right after the swap', async () => {
    const before = await rebuiltAlone(on)
    const asked = (await ask())?.index as string
    const death = gate()
    const dying = swapping(async (update) => {
      const swapped = await update()
      await death.stop()
      return swapped
    })
    void maintainIndexes(dying, stopping.signal)
    await death.reached
    pass(on, 61_000)
    await keep()
    expect(await stateOf(asked)).toBe('live')
    pass(on, 61_000)
    await keep()
    expect(await on.search.watermark(before, workspace)).toBeUndefined()
    expect(await live()).toBe(asked)
    expect((await rebuildsOf(on)).map(({ state }) => state)).toEqual(['done', 'done'])
  })

  it('are live even if the answer to the swap was lost, and the replaced index is dropped', async () => {
    const before = await rebuiltAlone(on)
    const asked = (await ask())?.index as string
    const losing = swapping(async (update) => {
      await update()
      throw new EngineUnavailable('test', 'the answer was lost')
    })
    await maintainIndexes(losing, stopping.signal)
    expect(await stateOf(asked)).toBe('live')
    expect(await live()).toBe(asked)
    pass(on, 61_000)
    await keep()
    expect(await on.search.watermark(before, workspace)).toBeUndefined()
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('are live even if the swap takes effect after the worker saw an error', async () => {
    const before = await rebuiltAlone(on)
    const asked = (await ask())?.index as string
    let late = async () => false
    const hanging = swapping(async (update) => {
      late = update
      throw new EngineUnavailable('test', 'no answer')
    })
    await expect(maintainIndexes(hanging, stopping.signal)).rejects.toThrow('no answer')
    expect(await late()).toBe(true)
    await keep()
    expect(await stateOf(asked)).toBe('live')
    pass(on, 61_000)
    await keep()
    expect(await on.search.watermark(before, workspace)).toBeUndefined()
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('never swap in a dropped index, even if the worker was suspended just before the swap', async () => {
    const asked = (await ask())?.index as string
    const freeze = gate()
    const freezing = swapping(async (update) => {
      await freeze.stop()
      return update()
    })
    const worker = maintainIndexes(freezing, stopping.signal)
    await freeze.reached
    pass(on, 61_000)
    const ending = new AbortController()
    const dropping: JournalPorts['search'] = {
      ...on.search,
      async drop(index) {
        await on.search.drop(index)
        // before it starts over: nothing else keeps the suspended worker from swapping
        ending.abort()
      },
    }
    await maintainIndexes({ ...ports, search: dropping }, ending.signal)
    expect(await on.search.watermark(asked, workspace)).toBeUndefined()
    const before = await live()
    freeze.open()
    await expect(worker).rejects.toThrow('was abandoned')
    expect(await live()).toBe(before)
    await keep()
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('leave no index that the worker creates after the rebuild was abandoned', async () => {
    const { asked, now, finish } = await abandonedAt('create')
    await expect(finish()).rejects.toThrow('was abandoned')
    await expect(on.search.count(asked, workspace)).rejects.toBeInstanceOf(EngineUnavailable)
    expect(await live()).toBe(now)
  })

  it('that fail block neither other rebuilds nor cleaning up', async () => {
    const replaced = await rebuiltAlone(on)
    await rebuiltAlone(on)
    pass(on, 61_000)
    const other = '00000000-0000-7000-8000-0000000000bb' as typeof workspace
    const failing = (await ask())?.index as string
    const asked = newRebuild(on.clock, other, null)
    await on.documents.insert(rebuilds, asked)
    let replacedIsThere = true
    const full: JournalPorts['search'] = {
      ...on.search,
      async create(index) {
        replacedIsThere = (await on.search.watermark(replaced, workspace)) !== undefined
        if (index === failing) throw new Error('no room for another index')
        await on.search.create(index)
      },
    }
    for (let times = 0; times < 3; times++) {
      await expect(maintainIndexes({ ...ports, search: full }, stopping.signal)).rejects.toThrow('no room')
    }
    // cleaning up comes first, because it makes room
    expect(replacedIsThere).toBe(false)
    expect((await checkpointOf(on.documents, other)).live).toBe(asked.id)
    expect(await stateOf(failing)).toBe('asked')
    expect((await rebuildsOf(on)).length).toBe(4)
  })

  it('of all workspaces move those with a shared index into a new shared one, and drop the old one', async () => {
    const other = '00000000-0000-7000-8000-0000000000bb' as typeof workspace
    await checkpointOf(on.documents, other)
    const runner: Actor = { ...admin, workspace: firstWorkspace }
    const askAll = () => rebuildsIn(on.documents, on.clock).ask(runner, {})
    const lives = () => Promise.all([workspace, other].map(async (id) => (await checkpointOf(on.documents, id)).live))
    const [first, second] = await askAll()
    expect(first?.index).toBe(second?.index)
    await keep()
    expect(await lives()).toEqual([first?.index, first?.index])
    // a rebuild requested for one workspace gets an index of its own
    const alone = (await ask())?.index
    await keep()
    pass(on, 61_000)
    await keep()
    expect(await lives()).toEqual([alone, first?.index])
    expect(await on.search.watermark(first?.index as string, other)).toBeDefined()
    const third = (await askAll()).find((one) => one.workspace === other)?.index
    await keep()
    pass(on, 61_000)
    await keep()
    expect((await lives())[1]).toBe(third)
    expect(await on.search.watermark(first?.index as string, other)).toBeUndefined()
  })

  it('are continued by the next process if a process stops', async () => {
    const asked = (await ask())?.index as string
    const ending: JournalPorts['search'] = {
      ...on.search,
      async create(index) {
        stopping.abort()
        await on.search.create(index)
      },
    }
    await maintainIndexes({ ...ports, search: ending }, stopping.signal)
    expect(await stateOf(asked)).toBe('asked')
    stopping = new AbortController()
    await keep()
    expect(await live()).toBe(asked)
  })

  it('start by themselves if the index was lost, even without new writes', async () => {
    const before = await live()
    await rebuildOutdated(ports, stopping.signal)
    expect(await live()).toBe(before)
    await on.search.drop(before)
    await rebuildOutdated(ports, stopping.signal)
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('cover the own workspace for admins, and all workspaces for admins of the first one', async () => {
    const { ask: askFor, list } = rebuildsIn(on.documents, on.clock)
    await expect(askFor(actorAda, {})).rejects.toMatchObject({ code: 'insufficient_scope' })
    await expect(askFor(admin, { workspace: firstWorkspace })).rejects.toMatchObject({ code: 'not_found' })
    const runner: Actor = { ...admin, workspace: firstWorkspace }
    expect((await askFor(runner, {})).map((one) => one.workspace)).toEqual([workspace])
    expect(await list(runner)).toHaveLength(1)
    expect(await list(admin)).toHaveLength(1)
    expect(await list({ ...admin, workspace: '00000000-0000-7000-8000-0000000000bb' as typeof workspace })).toEqual([])
  })
})
