import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { rebuildsIn } from '../../src/journal/ask-rebuild.ts'
import { checkpointOf } from '../../src/journal/head.ts'
import { keepIndexes, rebuildLost } from '../../src/journal/keep-indexes.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { rebuilds } from '../../src/journal/rebuilds.ts'
import { remember } from '../../src/memories/remember.ts'
import { actorAda, apply, type World, workspace, world } from '../support/apply.ts'

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
  const keep = () => keepIndexes(ports, stopping.signal)
  const ask = async () => (await rebuildsIn(on.documents, on.clock).ask(admin, {}))[0]
  const stateOf = async (index: string) => (await on.documents.get(rebuilds, index))?.state
  /** The world's clock moves when it is asked. */
  const pass = (ms: number) => {
    const until = on.clock.now() + ms
    while (on.clock.now() < until) {}
  }

  it('are done when they are asked for; what they replace goes once nobody reads it any more', async () => {
    await ask()
    await keep()
    const first = await live()
    const asked = await ask()
    expect(asked?.state).toBe('asked')
    await keep()
    expect(await live()).toBe(asked?.index)
    expect(await on.search.count(await live(), workspace)).toBe(1)
    await keep()
    // readers may have its name still
    expect(await on.search.mark(first, workspace)).toBeDefined()
    pass(61_000)
    await keep()
    expect(await on.search.mark(first, workspace)).toBeUndefined()
    expect(await stateOf(asked?.index as string)).toBe('done')
  })

  it('are not asked for twice', async () => {
    expect((await ask())?.index).toBe((await ask())?.index)
  })

  it('are begun anew after a death, and what was half built is dropped', async () => {
    const asked = (await ask())?.index as string
    let filled = () => {}
    const filling = new Promise<void>((resolve) => {
      filled = resolve
    })
    // the worker is never heard of again
    const dying = { ...on.search, refresh: () => new Promise<never>(() => filled()) }
    void keepIndexes({ ...ports, search: dying }, stopping.signal)
    await filling
    expect(await on.search.count(asked, workspace)).toBe(1)
    await keep()
    expect(await stateOf(asked)).toBe('filling')
    pass(61_000)
    await keep()
    expect(await stateOf(asked)).toBeUndefined()
    await expect(on.search.count(asked, workspace)).rejects.toThrow()
    expect(await live()).toMatch(/^records-/)
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('never bring in an index that was given up while its worker was frozen', async () => {
    const asked = (await ask())?.index as string
    let thaw = () => {}
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve
    })
    let filled = () => {}
    const filling = new Promise<void>((resolve) => {
      filled = resolve
    })
    const freezing: JournalPorts['search'] = {
      ...on.search,
      async refresh(...all) {
        filled()
        await frozen
        return on.search.refresh(...all)
      },
    }
    const worker = keepIndexes({ ...ports, search: freezing }, stopping.signal)
    await filling
    pass(61_000)
    await keep()
    const now = await live()
    thaw()
    await expect(worker).rejects.toThrow()
    expect(await live()).toBe(now)
    expect(now).not.toBe(asked)
  })

  it('are left to the next process by one that stops', async () => {
    const asked = (await ask())?.index as string
    const ending: JournalPorts['search'] = {
      ...on.search,
      async create(index) {
        stopping.abort()
        await on.search.create(index)
      },
    }
    await keepIndexes({ ...ports, search: ending }, stopping.signal)
    expect(await stateOf(asked)).toBe('asked')
    stopping = new AbortController()
    await keep()
    expect(await live()).toBe(asked)
  })

  it('happen by themselves where the index was lost, though nothing new is written', async () => {
    const before = await live()
    await rebuildLost(ports)
    expect(await live()).toBe(before)
    await on.search.drop(before)
    await rebuildLost(ports)
    expect(await on.search.count(await live(), workspace)).toBe(1)
  })

  it('are of the own workspace, for admins; of all for those who run the service', async () => {
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
