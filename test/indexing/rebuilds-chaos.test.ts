/** Rebuilds of several workspaces that share an index, under faults, lost indexes and clocks that jump. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import { rebuildsIn } from '../../src/indexing/ask-rebuild.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { outdatedIndexes } from '../../src/indexing/lost-indexes.ts'
import { maintainIndexes, rebuildOutdated } from '../../src/indexing/maintain-indexes.ts'
import { rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf, checkpoints, firstIndex } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { receipts } from '../../src/receipt.ts'
import { records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { actorAda, openWorld, promise, type World } from '../support/apply.ts'
import { randomOf, ticks } from '../support/chaos.ts'
import { chaoticWorkers } from '../support/index-chaos.ts'
import { never, rebuildsOf } from '../support/rebuilds.ts'
import { equal } from '../support/search-query.ts'
import { tries } from '../support/size.ts'

const runs = Number(process.env.PROTOCOL_RUNS ?? tries(25))
const spaces = ['aa', 'bb', 'cc'].map((end) => `00000000-0000-7000-8000-0000000000${end}` as WorkspaceId)
const faultRate = 0.03

describe('rebuilds of search indexes, under crashes, freezes, lost answers and lost indexes', () => {
  it('lose nothing, drop no live index, and leave nothing behind', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const on = await openWorld(randomOf(seed))
        try {
          await everythingIsShown(await run(on, seed))
        } finally {
          await on.close()
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })
})

/** A world whose clock jumps, and that records which indexes exist. */
interface Leaping {
  on: World
  ports: JournalPorts
  indexes: Set<string>
  dropped: Set<string>
  accepted: string[]
  leap(ms: number): void
}

function leapingIn(on: World): Leaping {
  let ahead = 0
  const clock = { ...on.clock, now: () => on.clock.now() + ahead }
  const indexes = new Set<string>()
  const dropped = new Set<string>()
  const search: JournalPorts['search'] = {
    ...on.search,
    async create(index) {
      await on.search.create(index)
      indexes.add(index)
    },
    async drop(index) {
      const served = await on.documents.find(checkpoints, { where: { live: index }, limit: 1 })
      expect(served, `${index} is dropped`).toEqual([])
      await on.search.drop(index)
      indexes.delete(index)
      dropped.add(index)
    },
  }
  const ports = { ...on.portsOf({ documents: on.documents, search }), clock }
  const leap = (ms: number) => {
    ahead += ms
  }
  return { on, ports, indexes, dropped, accepted: [], leap }
}

async function run(on: World, seed: number): Promise<Leaping> {
  const leaping = leapingIn(on)
  const random = randomOf(seed)
  const { pick, loop, thawing, end, inWorker: inFaultyWorker } = chaoticWorkers(random, faultRate)
  const inWorker = (work: (ports: JournalPorts) => Promise<unknown>) =>
    inFaultyWorker(leaping.ports, (engines) => work({ ...leaping.ports, ...engines }))
  const write = async (workspace = pick(spaces)) => {
    const actor = { ...actorAda, workspace }
    const content = `Fact number ${leaping.accepted.length} holds.`
    const { id } = await promise(on, remember, { kind: 'fact', content }, actor)
    leaping.accepted.push(id)
    await drain(leaping.ports, { workspace, lane: 'interactive' })
  }
  const disaster = async () => {
    const { live } = await checkpointOf(on.documents, pick(spaces))
    await on.search.drop(live)
    leaping.indexes.delete(live)
  }
  const ask = async () => {
    const runner: Actor = { ...actorAda, workspace: firstWorkspace, scopes: ['admin'] }
    const request = random() < 0.5 ? {} : { workspace: pick(spaces) }
    // the first workspace has no admin here, so each workspace asks for itself
    const by = request.workspace ? { ...runner, workspace: request.workspace } : runner
    await rebuildsIn(on.documents, leaping.ports.clock).ask(by, request)
  }

  for (const workspace of [...spaces, ...spaces]) await write(workspace)
  const background = [
    ...[0, 1, 2].map(() =>
      loop(() => inWorker((ports) => indexWorkspace(ports, { workspace: pick(spaces), lane: 'interactive' })), 10),
    ),
    ...[0, 1].map(() => loop(() => inWorker((ports) => maintainIndexes(ports, never)), 30)),
    loop(() => inWorker((ports) => rebuildOutdated(ports, never)), 60),
    thawing(),
    loop(async () => leaping.leap(random() < 0.5 ? 61_000 : 5_000), 200),
  ]
  const failed = Promise.all(background)
  const acting = (async () => {
    for (let times = 0; times < 25; times++) {
      await pick([() => write(), () => write(), ask, disaster])()
      await ticks(Math.floor(random() * 200))
    }
  })()
  await Promise.race([acting, failed])
  await end(failed)
  return leaping
}

/** Waits until workers without faults have finished. */
async function everythingIsShown({ on, ports, indexes, dropped, accepted, leap }: Leaping): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await maintainIndexes(ports, never)
    await rebuildOutdated(ports, never)
    for (const workspace of spaces) await indexWorkspace(ports, { workspace, lane: 'interactive' })
    leap(61_000)
  }
  const lives = new Set<string>([firstIndex])
  for (const workspace of spaces) {
    const { live, filling } = await checkpointOf(on.documents, workspace)
    lives.add(live)
    // it may name an abandoned rebuild whose worker woke up and died: that rebuild has ended, and blocks no other
    if (filling !== null) expect(['done', undefined]).toContain((await on.documents.get(rebuilds, filling))?.state)
    const rows = await on.documents.find(records, { where: { workspace }, limit: 10_000 })
    expect(await on.search.count(live, workspace)).toBe(rows.length)
    for (const row of rows) {
      const terms = [...new Set((await searchDocumentOf(row)).tokens)].slice(0, 64)
      const { items } = await on.search.candidates(live, { workspace, audiences: [row.audience] }, equal(terms), 200)
      expect(items.find(({ id }) => id === row.id)?.version).toBe(row.seq)
    }
  }
  for await (const { id } of outdatedIndexes(on, 'epoch')) expect.unreachable(`the index of ${id} is lost`)
  const ended = await on.documents.find(receipts, { where: { id: { in: accepted } }, limit: 1_000, fields: ['state'] })
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['applied']))
  expect(new Set((await rebuildsOf(on)).map(({ state }) => state))).toEqual(new Set(['done']))
  // an index is left over if its worker was suspended before creating it, woke up after it was dropped, and died
  expect([...indexes].filter((index) => !lives.has(index) && !dropped.has(index))).toEqual([])
}
