/** What a decision will supersede, and what will supersede it, with very many links (SEMANTICS 2). */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { findDecisions } from '../../src/decisions/find.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import type { RecordId } from '../../src/ids.ts'
import { type DraftLink, type Link, linkOf, links } from '../../src/records/link.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { actorAda, apply, rows, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { heldBy } from '../support/blocked-thread.ts'

const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }
const ahead = (day: number) => new Date(Date.UTC(2090, 0, 1 + day)).toISOString()

let on: World
let copied = 0x10000
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

async function decide(title: string, more: object = {}): Promise<RecordId> {
  const receipt = await apply(on, recordDecision, { title, judgment: `${title}.`, ...more })
  expect(receipt.error).toBeNull()
  return receipt.entity?.id as RecordId
}

/** Copies of a decision, as if each had been recorded. */
async function copies(
  of: RecordId,
  count: number,
  change: (at: number, ids: readonly RecordId[]) => Partial<PrecedentRecord>,
): Promise<RecordId[]> {
  const row = (await rows(on)).find(({ record_id }) => record_id === of) as PrecedentRecord
  const ids = Array.from({ length: count }, (_, at) => `${of.slice(0, -5)}${(copied + at).toString(16)}` as RecordId)
  copied += count
  const made = ids.map((id, at) => {
    return { ...row, id, record_id: id, external_id: null, ...change(at, ids) } as PrecedentRecord
  })
  expect(await on.documents.insertMany(records, made)).toEqual([])
  return made.map(({ record_id }) => record_id)
}

async function link(pairs: [successor: RecordId, target: RecordId][], change: Partial<Link> = {}): Promise<void> {
  const common: Omit<DraftLink, 'id' | 'successor' | 'target'> = {
    target_kind: 'decision',
    due: ahead(0),
    state: 'on_hold',
    audiences: ['workspace'],
    reason: null,
  }
  const made = pairs.map(([successor, target]) => ({
    ...linkOf({ successor, target, ...common, ...change }),
    workspace,
    entry: 1,
  }))
  expect(await on.documents.insertMany(links, made as Link[])).toEqual([])
}

it('shows what a proposal will supersede, however many hidden decisions other proposals will supersede', async () => {
  const old = await decide('Old')
  const wanted = { supersedes: [old], supersession_reason: 'Rust' }
  const proposals: RecordId[] = []
  for (let at = 0; at < 31; at++) {
    proposals.push(await decide(`Proposal ${at}`, { status: 'proposed', ...([0, 30].includes(at) ? wanted : {}) }))
  }
  const list = async () => ask(await readsOf(on), findDecisions, { status: ['proposed'], limit: 50 }, eve)
  const before = await list()
  for (const at of [0, 30]) {
    expect(before.items[at]).toMatchObject({ pending_supersedes: [{ id: old, reason: 'Rust' }] })
  }
  const hidden = await copies(old, 100, () => ({ audience: 'user:ada' }))
  for (const one of proposals) await link(hidden.map((target) => [one, target]))
  expect(await list()).toEqual(before)
  // more than one query reads
  const more = await copies(hidden[0] as RecordId, 300, () => ({ audience: 'user:ada' }))
  for (const one of proposals) await link(more.map((target) => [one, target]))
  expect(await list()).toEqual(before)
})

it('reads a decision that very many are to supersede in short pieces', async () => {
  const old = await decide('Old')
  const newer = await decide('Newer', { decided_at: ahead(0) })
  // each of them is to supersede it; they are in chains, which are read to the end
  const isLast = (at: number) => at % 475 === 474
  const successors = await copies(newer, 1_900, (at, ids) => ({
    valid_from: ahead(at),
    successors: ids
      .slice(at + 1, isLast(at) ? 0 : at + 2)
      .map((id) => ({ id, valid_from: ahead(at + 1), reason: null })),
  }))
  await link(
    successors.map((one) => [one, old]),
    { state: 'dated' },
  )
  const reads = await readsOf(on)
  const { result, longest } = await heldBy(() => ask(reads, getDecision, { id: old }))
  expect(result.planned_successors).toHaveLength(50)
  expect(longest).toBeLessThan(200)
})
