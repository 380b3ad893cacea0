/**
 * What is in force when (SEMANTICS 1). After random histories, each read is compared with a small model of the rules, at
 * each instant at which anything begins or ends.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { getMemory } from '../../src/memories/get.ts'
import type { Reads } from '../../src/operation.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { type Act, act, advance, day, type History, index, openTimedWorld, perform } from '../support/history.ts'
import {
  ahead,
  behind,
  boundaries,
  currentOf,
  endOf,
  headOf,
  isDatedAhead,
  isInForce,
  type Kept,
  proposalOf,
  type Revision,
  revisionInForce,
  shownAt,
  takeDue,
} from '../support/history-model.ts'
import { profile } from '../support/profile.ts'
import { tries } from '../support/size.ts'

/** Each run makes hundreds of reads, which take many seconds on servers. More runs: TIME_RUNS. */
const { runs, ...lengths } =
  profile === 'embedded' ? { runs: 25, minLength: 3, maxLength: 25 } : { runs: 3, minLength: 8, maxLength: 12 }

it('each read at each instant shows what was in force then, after any history', { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, lengths).filter(recordsSomething), async (acts) => {
      const on = await openTimedWorld()
      try {
        const cache: Cache = { changes: new Map(), cursor: undefined }
        const so = await perform(acts, on, (history) => followFeed(history, cache))
        await compare(so, cache)
        // after everything that is dated ahead has begun
        await advance(on, on.time.now + 3_000 * day)
        takeDue(so.model, on.time.now)
        await compare(so, cache)
      } finally {
        await on.close()
      }
    }),
    // shrinking would exceed the timeout, and the seed reproduces a failure
    { numRuns: Number(process.env.TIME_RUNS ?? tries(runs)), endOnFailure: true },
  )
})

/** A correction or a judgment alone finds nothing to change, so nothing is indexed and there is no index to search. */
function recordsSomething(acts: readonly Act[]): boolean {
  return acts.some(({ kind }) => kind !== 'correction' && kind !== 'judgment')
}

async function compare(so: History, cache: Cache): Promise<void> {
  await index(so.on)
  const { now } = so.on.time
  const reads = await readsOf(so.on)
  const instants = boundaries(so.model).flatMap((at) => [at - 1, at, at + 1])
  for (const at of new Set([...instants, now])) await compareAt(so, reads, at)
  await compareNow(so, reads)
  await compareReferences(so, reads)
  for (const kept of so.ids.keys()) {
    if (kept.kind === 'decision') await compareDecision(kept, so, reads)
    else await compareMemory(kept, so, reads)
  }
  await compareDecisionSearch(so, reads)
  await compareFeed(so, reads, cache)
}

/** The same records with and without a query, each in its words at that instant. */
async function compareAt({ model, ids, on }: History, reads: Reads, at: number): Promise<void> {
  const as_of = iso(at)
  const then = structuredClone(model)
  // if plans supersede each other, the first wins. Reads ahead of that time do not show which
  if (at > on.time.now && takeDue(then, at) === 'void') return
  const expected = then.kept.flatMap((kept, place) => {
    const revision = revisionInForce(kept, at)
    return revision ? [[ids.get(model.kept[place] as Kept), revision.word] as const] : []
  })
  const newest = hitsIn(await pagesOf(reads, searchContext, { as_of, limit: 7 }))
  expect(newest.map(told).sort(), as_of).toEqual(expected.map(([id, word]) => `${id} ${word}`).sort())
  const begun = newest.map(({ source }) => source.occurred_at)
  expect(begun).toEqual([...begun].sort().reverse())
  const found = hitsIn(await pagesOf(reads, searchContext, { q: 'harbour', as_of, limit: 50 }))
  expect(found.map(told).sort(), `harbour ${as_of}`).toEqual(newest.map(told).sort())
}

/** No superseded record is an item. Each found one is in conflicts, with its successor. */
async function compareNow({ model, ids, on }: History, reads: Reads): Promise<void> {
  const { now } = on.time
  const found = model.kept.filter((kept) => !isDatedAhead(kept, now))
  const current = new Set(found.map(headOf))
  const pages = await pagesOf(reads, searchContext, { q: 'harbour', limit: 50 })
  const said = ([...current] as Kept[]).map((kept) => `${ids.get(kept)} ${shownAt(kept, now).word}`)
  expect(hitsIn(pages).map(told).sort()).toEqual(said.sort())
  expect(conflictsIn(pages)).toEqual(found.flatMap((kept) => conflictsOf(kept, ids)).sort())
  const inForce = model.kept.filter((kept) => isInForce(kept, now))
  const newest = await pagesOf(reads, searchContext, { limit: 7 })
  expect(
    hitsIn(newest)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(inForce.map((kept) => ids.get(kept)).sort())
}

async function compareReferences({ ids }: History, reads: Reads): Promise<void> {
  const references = [...ids].map(([kept, id]) => ({ type: kept.kind, id }))
  for (let from = 0; from < references.length; from += 50) {
    const pages = await pagesOf(reads, searchContext, { references: references.slice(from, from + 50) })
    const some = [...ids.keys()].slice(from, from + 50)
    expect(hitsIn(pages).map(({ id }) => id)).toEqual(some.map((kept) => ids.get(kept)))
    expect(conflictsIn(pages)).toEqual(some.flatMap((kept) => conflictsOf(kept, ids)).sort())
  }
}

async function compareDecision(kept: Kept, { model, ids, on }: History, reads: Reads): Promise<void> {
  const { now } = on.time
  const id = ids.get(kept) as string
  const shown = shownAt(kept, now)
  const decision = await ask(reads, getDecision, { id })
  const { successors } = kept
  expect(decision).toMatchObject({
    id,
    judgment: expect.stringContaining(`${shown.word}.`),
    decided_at: iso(shown.from),
    status: shown.status,
    revision: shown.number,
    in_force: isInForce(kept, now),
    successors: successors.map((one) => ids.get(one.kept)),
  })
  expect(decision.valid_to).toBe(endIn(kept, shown))
  expect(decision.superseded_by_decision_id).toBe(successors[0] && ids.get(successors[0].kept))
  expect([...decision.supersedes].sort()).toEqual([...kept.supersedes].map((one) => ids.get(one)).sort())
  expect(decision.revisions).toMatchObject(
    [...kept.revisions].reverse().map((one) => ({
      revision: one.number,
      judgment: expect.stringContaining(`${one.word}.`),
      decided_at: iso(one.from),
      status: one.status,
      shown: one === shown,
    })),
  )
  expect(decision.revisions.map((one) => one.valid_to)).toEqual(
    [...kept.revisions].reverse().map((one) => endIn(kept, one)),
  )
  expect(decision.history === undefined).toBe(kept.revisions.length === 1)
  const told = [...(decision.history ?? '').matchAll(/^Revision (\d+) /gm)].map(([, number]) => Number(number))
  if (kept.revisions.length > 1) {
    const numbers = kept.revisions.map((one) => one.number).reverse()
    expect(told).toEqual(numbers.slice(0, 10))
  }
  comparePriors(decision, kept, { model, ids, on })
  const { open_questions } = await ask(reads, searchContext, { references: [{ type: 'decision', id }] })
  const asked = open_questions?.filter(({ reason }) => reason === 'pending_judgment').map(({ claim }) => claim)
  const proposal = proposalOf(kept)
  expect(asked).toEqual(proposal ? [expect.stringContaining(`${proposal.word}.`)] : [])
  const [hydrated] = (await ask(reads, searchDecisions, { ids: [id] })).items
  expect(hydrated).toMatchObject({ id, revision: shown.number, prior_positions: decision.prior_positions })
}

type PriorPositions = { prior_positions?: { id: string; supersession_reason?: string | undefined }[] | undefined }

/** The chain of predecessors, newest first, each with the reason of its supersession. */
function comparePriors({ prior_positions }: PriorPositions, kept: Kept, { ids, on }: History): void {
  const chain = behind(kept)
  const expected = chain
    .map((one) => ({ id: ids.get(one) as string, from: shownAt(one, on.time.now).from, one }))
    .sort((a, b) => b.from - a.from || (a.id < b.id ? 1 : -1))
    .map(({ id, one }) => {
      const reason = one.successors.find((successor) => [kept, ...chain].includes(successor.kept))?.reason
      return [id, reason]
    })
  expect((prior_positions ?? []).map((one) => [one.id, one.supersession_reason])).toEqual(expected)
}

async function compareMemory(kept: Kept, { ids, on }: History, reads: Reads): Promise<void> {
  const { now } = on.time
  const id = ids.get(kept) as string
  const [only] = kept.revisions as [Revision]
  const memory = await ask(reads, getMemory, { id })
  expect(memory).toMatchObject({
    id,
    kind: kept.memoryKind,
    content: expect.stringContaining(only.word),
    occurred_at: iso(only.from),
    in_force: isInForce(kept, now),
    superseded_by: kept.successors.map((one) => ({ id: ids.get(one.kept) })),
    corrected_by: ahead(kept).map((one) => ({ id: ids.get(one) })),
  })
  expect(memory.valid_to).toBe(endIn(kept, only))
  expect(memory.corrects_memory_id).toBe(kept.corrects && ids.get(kept.corrects))
  const older = behind(kept)
    .map((one) => ({ id: ids.get(one) as string, from: shownAt(one, now).from }))
    .sort((a, b) => b.from - a.from || (a.id < b.id ? 1 : -1))
  expect(memory.corrects.map((one) => one.id)).toEqual(older.map((one) => one.id))
}

async function compareDecisionSearch({ model, ids, on }: History, reads: Reads): Promise<void> {
  const { now } = on.time
  const heads = model.kept.filter((kept) => kept.kind === 'decision').map(headOf)
  const pages = await pagesOf(reads, searchDecisions, { q: 'harbour', threshold: 0, limit: 5 })
  const items = pages.flatMap((page) => page.items)
  expect(items.map(({ id }) => id).sort()).toEqual([...new Set(heads)].map((kept) => ids.get(kept)).sort())
  for (const item of items) {
    const kept = ([...ids].find(([, id]) => id === item.id) as [Kept, string])[0]
    expect(item).toMatchObject({ in_force: isInForce(kept, now), revision: shownAt(kept, now).number })
    expect(item.superseded_by_decision_id).toBeUndefined()
    comparePriors(item, kept, { model, ids, on })
  }
}

interface Cache {
  changes: Map<string, unknown>
  cursor: string | undefined
}

/** A reader that has followed from the start equals a new reader, and both equal the model. */
async function compareFeed(so: History, reads: Reads, cache: Cache): Promise<void> {
  await followFeed(so, cache)
  const fresh: Cache = { changes: new Map(), cursor: undefined }
  await followFeed(so, fresh, reads)
  expect([...cache.changes].sort()).toEqual([...fresh.changes].sort())
  const { ids } = so
  const expected = so.model.kept.map((kept): [string, object] => {
    const id = ids.get(kept) as string
    const group = kept.kind === 'memory' ? 'knowledge' : 'decisions'
    const { from: last, dismissed } = currentOf(kept)
    const [successor] = kept.successors
    if (successor) {
      const reason = successor.reason === undefined ? {} : { supersession_reason: successor.reason }
      const replacement_id = ids.get(successor.kept)
      return [id, { group, change_type: 'superseded', replacement_id, ...reason, from: iso(last) }]
    }
    if (dismissed !== undefined) return [id, { group, change_type: 'invalidated', supersedes: [], from: iso(last) }]
    const supersedes = [...kept.supersedes].map((one) => ids.get(one)).sort()
    return [id, { group, change_type: 'upsert', supersedes, from: iso(last) }]
  })
  expect([...fresh.changes].sort()).toEqual(expected.sort())
}

async function followFeed({ on }: History, cache: Cache, reads?: Reads): Promise<void> {
  const through = reads ?? (await readsOf(on))
  for (let more = true; more; ) {
    const page = await ask(through, syncContext, { limit: 10, ...(cache.cursor ? { cursor: cache.cursor } : {}) })
    for (const group of ['knowledge', 'decisions', 'work'] as const) {
      for (const { id, change_type, replacement_id, supersedes, supersession_reason, source } of page.changes[group]) {
        const why = supersession_reason === undefined ? {} : { supersession_reason }
        const change =
          change_type === 'superseded' ? { replacement_id, ...why } : { supersedes: [...(supersedes ?? [])].sort() }
        cache.changes.set(id, { group, change_type, ...change, from: source?.occurred_at })
      }
    }
    cache.cursor = page.cursor
    more = page.has_more
  }
}

const iso = (at: number) => new Date(at).toISOString()

function endIn(kept: Kept, revision: Revision): string | undefined {
  const end = endOf(kept, revision)
  return Number.isFinite(end) ? iso(end) : undefined
}

type Hits = { items: { id: string; snippet: string; source: { occurred_at?: string | undefined } }[] }

function hitsIn(pages: readonly Hits[]): Hits['items'] {
  return pages.flatMap((page) => page.items)
}

/** The record, and the revision with its words. */
function told({ id, snippet }: Hits['items'][number]): string {
  return `${id} ${/only\d+only/.exec(snippet)?.[0]}`
}

type Conflicts = { conflicts: { source: { id?: string | undefined }; superseded_by: { id?: string | undefined } }[] }

function conflictsIn(pages: readonly Conflicts[]): string[] {
  const all = pages.flatMap((page) => page.conflicts.map((one) => `${one.source.id} ${one.superseded_by.id}`))
  return all.sort()
}

/** One conflict for each successor, with the head of its chain. */
function conflictsOf(kept: Kept, ids: History['ids']): string[] {
  const heads = new Set(kept.successors.map((one) => headOf(one.kept)))
  return [...heads].map((head) => `${ids.get(kept)} ${ids.get(head)}`)
}
