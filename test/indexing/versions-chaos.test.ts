/** A rolling upgrade under faults: processes of both versions index, fill and search one workspace at the same time. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { outdatedIndexes } from '../../src/indexing/lost-indexes.ts'
import { maintainIndexes, rebuildOutdated } from '../../src/indexing/maintain-indexes.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { indexToSearch } from '../../src/journal/shown-in.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { inVersion } from '../../src/ports/index-versions.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { receipts } from '../../src/receipt.ts'
import { openWorld, promise, type World, workspace } from '../support/apply.ts'
import { randomOf, ticks } from '../support/chaos.ts'
import { chaoticWorkers } from '../support/index-chaos.ts'
import { never } from '../support/rebuilds.ts'
import { equal } from '../support/search-query.ts'
import { tries } from '../support/size.ts'

const runs = Number(process.env.PROTOCOL_RUNS ?? tries(40))
const faultRate = 0.02
const lane = 'interactive'

/** A process: its engines, and the index that it searches. */
interface Process {
  documents: Documents
  search: SearchEngine
  indexToSearch(): Promise<string>
}

describe('two versions at work on one workspace', () => {
  for (const [name, olderOf] of [
    ['this code', processOf],
    ['version 0.1.0', released],
  ] as const) {
    it(`${name} as the older one: each applied write is found by both, always`, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), fc.boolean(), async (seed, isUpgrade) => {
          const on = await openWorld(randomOf(seed))
          try {
            const older = olderOf(on, on.searchOf(11))
            const newer = processOf(on, on.searchOf(12))
            const accepted = await run(on, seed, [older, newer])
            await settle(on, isUpgrade || name === 'version 0.1.0' ? newer : older, accepted)
          } finally {
            await on.close()
          }
        }),
        { numRuns: runs, endOnFailure: true },
      )
    })
  }
})

function processOf(on: World, search: SearchEngine): Process {
  const { documents } = on
  return {
    documents,
    search,
    indexToSearch: async () => indexToSearch(search, await checkpointOf(documents, workspace)),
  }
}

/** Version 0.1.0 knows only its own version, and does not list versions in the checkpoint. */
function released(on: World, engine: SearchEngine): Process {
  const without = (object: object) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'shown_in'))
  const documents: Documents = {
    ...on.documents,
    async update(collection, id, change, condition) {
      if (collection.name !== checkpoints.name) return on.documents.update(collection, id, change, condition)
      const set = without(change.set ?? {}) as NonNullable<typeof change.set>
      if (Object.keys(set).length === 0) return true
      const kept = condition === undefined ? undefined : (without(condition) as typeof condition)
      return on.documents.update(collection, id, { ...change, set }, kept)
    },
  }
  const search: SearchEngine = {
    ...engine,
    versions: async (index) => ((await engine.versions(index)).includes(engine.version) ? [engine.version] : []),
  }
  const own = async () => inVersion((await checkpointOf(on.documents, workspace)).live, search.version)
  return { documents, search, indexToSearch: own }
}

/** Returns the ids of the receipts. */
async function run(on: World, seed: number, processes: readonly [Process, Process]): Promise<string[]> {
  const random = randomOf(seed)
  const accepted: string[] = []
  const { loop, thawing, end, inWorker: inFaultyWorker } = chaoticWorkers(random, faultRate)
  const inWorker = (one: Process, work: (ports: JournalPorts) => Promise<unknown>) =>
    inFaultyWorker(one, (engines) => work(on.portsOf(engines)))
  const write = async (by: Process) => {
    const content = `Zebra ${accepted.length} holds.`
    const { id } = await promise(on, remember, { kind: 'fact', content })
    accepted.push(id)
    await drain(on.portsOf(by), { workspace, lane })
  }

  const [older, newer] = processes
  for (let number = 0; number < 3; number++) await write(older)
  await indexWorkspace(on.portsOf(older), { workspace, lane })
  const background = [
    ...[older, newer, newer].map((one) =>
      loop(() => inWorker(one, (ports) => indexWorkspace(ports, { workspace, lane })), 20),
    ),
    ...processes.map((one) => loop(() => inWorker(one, (ports) => rebuildOutdated(ports, never)), 60)),
    ...processes.map((one) => loop(() => inWorker(one, (ports) => maintainIndexes(ports, never)), 60)),
    ...processes.map((one) => loop(() => assertFinds(on, one, accepted), 10)),
    thawing(),
  ]
  const failed = Promise.all(background)
  const acting = (async () => {
    for (let times = 0; times < 20; times++) {
      await write(newer)
      await ticks(Math.floor(random() * 150))
    }
  })()
  await Promise.race([acting, failed])
  await end(failed)
  return accepted
}

/** A process that searches finds all records whose receipts were applied before. */
async function assertFinds(on: World, process: Process, accepted: readonly string[]): Promise<void> {
  const where = { id: { in: accepted }, state: 'applied' }
  const applied = await on.documents.find(receipts, { where, limit: 1_000, fields: ['entity'] })
  const found = await idsFound(process).catch((error: Error) => {
    // its index was dropped or is being filled, so the caller gets 503 instead of a wrong answer
    if (error.name === 'EngineUnavailable') return undefined
    throw error
  })
  if (found === undefined) return
  for (const { entity } of applied) expect(found).toContain(entity?.id)
}

async function idsFound({ search, indexToSearch }: Process): Promise<string[]> {
  const index = await indexToSearch()
  await ticks(2)
  const { items } = await search.candidates(index, { workspace, audiences: ['workspace'] }, equal(['zebra']), 200)
  return items.map(({ record_id }) => record_id)
}

/** Only processes of one version are left. */
async function settle(on: World, process: Process, accepted: readonly string[]): Promise<void> {
  const ports = on.portsOf(process)
  let ahead = 0
  const later = { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + ahead } }
  for (let round = 0; round < 6; round++) {
    await maintainIndexes(later, never)
    await rebuildOutdated(later, never)
    await indexWorkspace(later, { workspace, lane })
    ahead += 8 * 60_000
  }
  const { live, indexed, projected } = await checkpointOf(on.documents, workspace)
  expect(indexed).toBe(projected)
  expect((await idsFound(process)).length).toBe(accepted.length)
  expect(await process.search.count(live, workspace)).toBe(accepted.length)
  expect(await process.search.versions(live)).toEqual([process.search.version])
  for await (const { trouble } of outdatedIndexes(process, 'epoch')) expect.unreachable(trouble)
  const ended = await on.documents.find(receipts, { where: { id: { in: accepted } }, limit: 1_000, fields: ['state'] })
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['applied']))
}
