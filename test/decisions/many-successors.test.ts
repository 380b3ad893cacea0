import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { decisionGraph } from '../../src/decisions/graph.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import type { RecordId } from '../../src/ids.ts'
import { records } from '../../src/records/record.ts'
import { actorAda, apply, promise, quiet, rows, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }
const named = 50
const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString()

async function decide(title: string, more: object = {}): Promise<RecordId> {
  const receipt = await apply(on, recordDecision, { title, judgment: `${title}.`, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as RecordId
}

/** Successors of the decision `old`, decided on these days. */
async function successors(old: string, days: readonly number[]): Promise<RecordId[]> {
  const before = (await rows(on)).length
  for (const n of days) {
    const input = { title: `Day ${n}`, judgment: `Day ${n}.`, external_id: `day-${n}`, supersedes: [old] }
    await promise(on, recordDecision, { ...input, decided_at: day(n), supersession_reason: `Because of day ${n}.` })
  }
  await quiet(on)
  const made = (await rows(on)).slice(before)
  return days.map((n) => made.find(({ external_id }) => external_id === `day-${n}`)?.record_id as RecordId)
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

const get = async (id: string, actor?: Actor) => ask(await readsOf(on), getDecision, { id }, actor)
const graph = async (root: string, actor?: Actor) => ask(await readsOf(on), decisionGraph, { root }, actor)
const edgesTo = async (root: string) =>
  new Map((await graph(root)).edges.map(({ from, at, reason }) => [from, { at, reason }]))

describe('a decision with more successors than its row names', () => {
  it('is shown with the 50 earliest, and with all of them in the graph', async () => {
    const old = await decide('Old', { decided_at: day(0) })
    const newer = await successors(old, upTo(60))
    const shown = await get(old)
    expect(shown.successors).toEqual(newer.slice(0, named))
    expect(shown.superseded_by_decision_id).toBe(newer[0])
    const { nodes, truncated } = await graph(old)
    expect(nodes.map(({ id }) => id)).toEqual([old, ...newer])
    expect(truncated).toBe(false)
    const edges = await edgesTo(old)
    for (const [n, id] of newer.entries()) {
      expect(edges.get(id)).toEqual({ at: day(n + 1), reason: `Because of day ${n + 1}.` })
    }
    for (const id of newer.slice(named)) expect((await get(id)).prior_positions).toMatchObject([{ id: old }])
  })

  it('keeps the one that an earlier successor displaces', async () => {
    const old = await decide('Old', { decided_at: day(0) })
    const newer = await successors(
      old,
      upTo(named).map((n) => n + 1),
    )
    const [first] = await successors(old, [1])
    expect((await get(old)).successors).toEqual([first, ...newer.slice(0, named - 1)])
    expect((await graph(old)).nodes).toHaveLength(named + 2)
    expect((await edgesTo(old)).get(newer.at(-1) as string)).toEqual({
      at: day(named + 1),
      reason: `Because of day ${named + 1}.`,
    })
  })

  it('shows a further successor from the instant on to which a revision moves it', async () => {
    const old = await decide('Old', { decided_at: day(0) })
    const newer = await successors(
      old,
      upTo(55).map((n) => n + 10),
    )
    const last = { supersedes: [old], external_id: 'day-65', decided_at: day(63), supersession_reason: 'Revised.' }
    await decide('Day 65, again', last)
    expect((await edgesTo(old)).get(newer.at(-1) as string)?.at).toBe(day(63))
    expect((await get(old)).successors).not.toContain(newer.at(-1))
    await decide('Day 65, once more', { ...last, decided_at: day(5) })
    expect((await edgesTo(old)).get(newer.at(-1) as string)?.at).toBe(day(5))
    const { successors: shown } = await get(old)
    expect(shown).toEqual([newer.at(-1), ...newer.slice(0, named - 1)])
    expect((await graph(old)).nodes).toHaveLength(56)
  })

  it('is superseded once more by a decision that names it, but not by decision.supersede', async () => {
    const old = await decide('Old', { decided_at: day(0) })
    await successors(old, upTo(named))
    const again = { id: old, superseded_by: await decide('Newer') }
    expect((await apply(on, supersedeDecision, again)).error).toMatchObject({ code: 'already_superseded' })
    await decide('Newer still', { supersedes: [old] })
    expect((await graph(old)).nodes).toHaveLength(named + 2)
  })

  it('names further ones if it is recorded after 60 that waited for it', async () => {
    const waiting = await successors('later', upTo(60))
    const old = await decide('Old', { decided_at: day(0), external_id: 'later' })
    expect((await get(old)).successors).toEqual(waiting.slice(0, named))
    expect((await graph(old)).nodes).toHaveLength(61)
  })

  it('is shown to each caller with the 50 earliest that the caller sees', async () => {
    const old = await decide('Old', { decided_at: day(0) })
    const newer = await successors(old, upTo(60))
    for (const id of newer.slice(1, 56)) await on.documents.update(records, id, { set: { audience: 'user:ada' } })
    const seen = [newer[0], ...newer.slice(56)]
    expect((await get(old, eve)).successors).toEqual(seen)
    expect((await graph(old, eve)).nodes.map(({ id }) => id)).toEqual([old, ...seen])
    expect(
      (await on.documents.find(records, { where: { workspace, record_id: old }, limit: 1 }))[0]?.successors,
    ).toHaveLength(named)
  })
})
