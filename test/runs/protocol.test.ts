/**
 * The protocol of runs (V2 4.4) under crashes between any two steps, frozen workers, slow pipes, lost and late answers,
 * workers that stop, and users who approve and cancel at any time. Time is simulated, the store is real.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionKeys } from '../../src/access/session-keys.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { records } from '../../src/records/record.ts'
import { hasEnded, type RunMutable } from '../../src/records/run.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { type MilestoneBatch, milestones } from '../../src/runs/stored/milestone.ts'
import { randomOf } from '../support/chaos.ts'
import { tries } from '../support/size.ts'
import type { Program } from './simulated/executor.ts'
import { stormThenCalm } from './simulated/storm.ts'
import { openRunWorld, type World, workspace } from './simulated/world.ts'

const numRuns = Number(process.env.PROTOCOL_RUNS ?? tries(25))

describe('runs under crashes, freezes and lost answers, without any wake-ups', () => {
  it('keep every promise of the protocol', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const world = await openRunWorld(randomOf(seed))
        try {
          const done = doneWatcher(world)
          await world.time.runUntil(stormThenCalm(world, done.watch))
          expect(world.bugs).toEqual([])
          const journal = await journalOf(world)
          neverTwoProgramsOfARun(world)
          noProgramWithoutABegin(world, journal)
          triesAreBounded(world, journal)
          whatEndedStaysEnded(journal)
          await nothingIsStuck(world)
          await milestonesHaveNoGap(world)
          await done.nothingFollowed()
          await tasksFollow(world)
        } finally {
          await world.close()
        }
      }),
      { numRuns, endOnFailure: true },
    )
  })
})

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

async function journalOf({ documents }: World): Promise<Entry[]> {
  return documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 10_000 })
}

function neverTwoProgramsOfARun({ programs }: World): void {
  const byRun = grouped(programs.all, ({ run }) => run)
  for (const all of byRun.values()) {
    const inOrder = all.sort((a, b) => a.startedAt - b.startedAt)
    for (const [at, program] of inOrder.entries()) {
      const next = inOrder[at + 1]
      if (next) expect({ program, next, isOver: endOf(program) <= next.startedAt }).toMatchObject({ isOver: true })
    }
  }
}

const endOf = ({ endedAt = Number.POSITIVE_INFINITY }: Program) => endedAt

/** What each entry made of a run. */
function statesOf(journal: Entry[]): { run: string; at: number; mutable: RunMutable }[] {
  return journal.flatMap(({ at, records: changes }) =>
    changes.flatMap((change) => {
      if (change.type === 'new') {
        const { row } = change
        return row.kind === 'run' ? [{ run: row.id, at: Date.parse(at), mutable: row.mutable }] : []
      }
      const { set, id } = change
      return set.kind === 'run' && set.mutable ? [{ run: id, at: Date.parse(at), mutable: set.mutable }] : []
    }),
  )
}

const start = Date.parse('2026-01-01T00:00:00Z')

function noProgramWithoutABegin({ programs }: World, journal: Entry[]): void {
  const states = statesOf(journal)
  for (const { run, fence, phase, startedAt } of programs.all) {
    const begun = states.find(
      ({ run: id, mutable }) =>
        id === run &&
        mutable.fence === fence &&
        mutable.phase === phase &&
        (mutable.state === 'planning' || mutable.state === 'running'),
    )
    expect({ run, fence, begun: begun && begun.at <= start + startedAt }).toEqual({ run, fence, begun: true })
  }
}

/** A session that its worker gave up when it stopped is not counted, so it may be tried once more for each. */
function triesAreBounded({ programs }: World, journal: Entry[]): void {
  const states = statesOf(journal)
  const rows = new Map(
    journal
      .flatMap(({ records: changes }) => changes)
      .flatMap((change) => (change.type === 'new' && change.row.kind === 'run' ? [[change.row.id, change.row]] : [])),
  )
  for (const [key, all] of grouped(programs.all, ({ run, phase }) => `${run} ${phase}`)) {
    const [run = '', phase = ''] = key.split(' ')
    const row = rows.get(run)
    const isRepeatable = row?.kind === 'run' && row.body.repeatable
    const ofRun = states.filter((state) => state.run === run)
    const uncounted = ofRun.filter(({ mutable }, at) => {
      const before = ofRun[at - 1]?.mutable
      return before !== undefined && mutable.begun[phase as 'plan'] < before.begun[phase as 'plan']
    }).length
    expect({ key, isMost: all.length <= (isRepeatable ? 3 + uncounted : 1) }).toEqual({
      key,
      isMost: true,
    })
  }
}

function whatEndedStaysEnded(journal: Entry[]): void {
  for (const all of grouped(statesOf(journal), ({ run }) => run).values()) {
    const end = all.findIndex(({ mutable }) => hasEnded(mutable.state))
    if (end >= 0) expect(all.slice(end + 1)).toEqual([])
    const fences = all.map(({ mutable }) => mutable.fence)
    expect(fences).toEqual([...fences].sort((a, b) => a - b))
  }
}

async function nothingIsStuck({ documents }: World): Promise<void> {
  const all = await documents.find(records, { where: { workspace, audience: 'workspace', kind: 'run' }, limit: 1000 })
  const open = all.flatMap((row) => (row.kind === 'run' && !hasEnded(row.mutable.state) ? [row.mutable] : []))
  expect(open).toEqual([])
  expect(await documents.find(leases, { where: { open: 1 }, limit: 100 })).toEqual([])
  expect(await documents.find(sessionKeys, { where: { id: { gt: '' } }, limit: 100 })).toEqual([])
}

async function milestonesHaveNoGap(world: World): Promise<void> {
  for (const all of (await batchesOf(world)).values()) {
    let next = 1
    for (const [at, { first, items }] of all.entries()) {
      expect(first).toBe(next)
      next += items.length
      // the empty batch closes them, and is the last
      expect(items.length === 0).toBe(at === all.length - 1)
    }
  }
}

async function batchesOf({ documents }: World): Promise<Map<string, MilestoneBatch[]>> {
  const all = await documents.find(milestones, { where: { id: { gt: '' } }, sort: [['id', 'asc']], limit: 10_000 })
  return grouped(all, ({ run }) => run)
}

/** Watches as a subscriber does: the run first, then its lease, then its milestones. */
function doneWatcher(world: World) {
  const { documents } = world
  const done = new Map<string, number>()
  return {
    async watch() {
      const rows = await documents.find(records, {
        where: { workspace, audience: 'workspace', kind: 'run' },
        limit: 1000,
        fields: ['id', 'kind', 'mutable'],
      })
      for (const row of rows) {
        if (row.kind !== 'run' || !hasEnded(row.mutable.state) || done.has(row.id)) continue
        const lease = await documents.get(leases, row.id)
        if (lease?.open !== 0) continue
        const found = await documents.find(milestones, { where: { workspace, run: row.id }, limit: 1000 })
        done.set(row.id, found.length)
      }
    },
    async nothingFollowed() {
      const stored = await batchesOf(world)
      expect(done.size).toBe(stored.size)
      for (const [run, count] of done) expect({ run, count: stored.get(run)?.length }).toEqual({ run, count })
    },
  }
}

async function tasksFollow({ documents }: World): Promise<void> {
  const rows = await documents.find(records, {
    where: { workspace, audience: 'workspace', kind: { in: ['run', 'task'] } },
    limit: 1000,
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of rows) {
    if (row.kind !== 'task' || row.mutable.run === undefined) continue
    const run = byId.get(row.mutable.run.id)
    expect(run?.kind === 'run' && run.mutable.state).toBe(row.mutable.run.state)
    if (run?.kind !== 'run' || row.mutable.status_by !== run.id) continue
    const before = run.body.status_before
    const expected = { succeeded: 'done', failed: 'blocked', cancelled: before, expired: before }
    expect(row.mutable.status).toBe(expected[run.mutable.state as 'failed'])
  }
}
