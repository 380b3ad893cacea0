import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { checkpointOf } from '../../src/journal/head.ts'
import { remember } from '../../src/memories/remember.ts'
import { format, type Receipt, receipts } from '../../src/receipts/receipt.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { validated } from '../../src/records/validated.ts'
import { randomOf } from '../support/chaos.ts'
import { actors, openWorld, quiet, type Run, readPage, run, type World, workspace } from './world.ts'

const runs = Number(process.env.PROTOCOL_RUNS ?? 25)

describe('the way of a write, under crashes, freezes, lost answers and no wake-up at all', () => {
  it('keeps every promise of the protocol', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 3, max: 14 }), async (seed, operations) => {
        const world = await openWorld(randomOf(seed))
        try {
          const state = await run(world, seed, operations)
          const journal = await journalOf(world)
          await everyReceiptEnded(world, state)
          theJournalHasNoGap(journal)
          await recordsEqualSequentialModel(world, journal, state)
          await indexEqualsRecords(world)
          await readersMissedNothing(world, state)
        } finally {
          await world.close()
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })
})

async function journalOf(world: World): Promise<Entry[]> {
  return world.documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 10_000 })
}

async function everyReceiptEnded(world: World, state: Run): Promise<void> {
  for (const { receipt } of state.acknowledged) {
    const found = await world.documents.get(receipts, receipt, ['state', 'open', 'number'])
    expect(found?.open).toBe(0)
    expect(['applied', 'failed']).toContain(found?.state)
  }
  // watched to the end, and none changed after it had ended
  expect(state.ended.size).toBe(state.acknowledged.length)
}

function theJournalHasNoGap(journal: Entry[]): void {
  let seq = 0
  const decided = new Set<string>()
  for (const [at, entry] of journal.entries()) {
    expect(entry.number).toBe(at + 1)
    expect(entry.first_seq).toBe(seq + 1)
    const sequences = entry.records.map((change) => (change.type === 'new' ? change.row.seq : change.seq))
    expect(sequences).toEqual(entry.records.map((_, index) => seq + 1 + index))
    seq += sequences.length
    expect(entry.last_seq).toBe(seq)
    for (const { receipt } of entry.receipts) {
      expect(decided.has(receipt)).toBe(false)
      decided.add(receipt)
    }
  }
}

/** The same receipts, one by one, in the order of the journal, in a world without faults. */
async function recordsEqualSequentialModel(world: World, journal: Entry[], state: Run): Promise<void> {
  // later than anything that was accepted, as the workers of the other world were
  const model = await openWorld(randomOf(1), '2026-06-01T00:00:00Z')
  try {
    const inputs = new Map(state.acknowledged.map((one) => [one.receipt, one]))
    const named = new Map<string, string>()
    for (const decided of journal.flatMap((entry) => entry.receipts)) {
      const original = (await world.documents.get(receipts, decided.receipt)) as Receipt
      const known = inputs.get(decided.receipt)
      if (!known) continue // an operation of the service itself
      const input = { ...(known.input as object) } as Record<string, unknown>
      if (typeof input.corrects_memory_id === 'string') {
        input.corrects_memory_id = named.get(input.corrects_memory_id) ?? input.corrects_memory_id
      }
      await model.documents.insert(receipts, {
        ...original,
        input: validatedLike(original.operation, input),
        input_bytes: 1000,
        open: 1,
        undecided: 1,
        state: 'accepted',
        number: null,
        entity: null,
        error: null,
        ended_at: null,
        attempts: 0,
        errors: 0,
        format,
      })
      await quiet(model)
      const outcome = await model.documents.get(receipts, decided.receipt, ['state', 'entity', 'error'])
      expect([outcome?.state, outcome?.error?.code]).toEqual([original.state, original.error?.code])
      if (original.entity && outcome?.entity) named.set(original.entity.id, outcome.entity.id)
    }
    const nameOf = (id: string) => named.get(id) ?? id
    expect(await rowsOf(world, nameOf)).toEqual(await rowsOf(model, (id) => id))
  } finally {
    await model.close()
  }
}

/** Rows without what differs by time of deciding, ids as the model has them. */
async function rowsOf(world: World, nameOf: (id: string) => string): Promise<unknown[]> {
  const rows = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  return rows
    .map((row) => {
      const { seq: _, updated_at: __, id, record_id, superseded_by, successors, supersedes, body, ...rest } = row
      const named = { ...(body as unknown as Record<string, unknown>) }
      if (typeof named.corrects === 'string') named.corrects = nameOf(named.corrects)
      delete named.confirmed_at
      return {
        ...rest,
        id: id.replace(record_id, nameOf(record_id)),
        record_id: nameOf(record_id),
        superseded_by: superseded_by && nameOf(superseded_by),
        successors: successors.map((one) => ({ ...one, id: nameOf(one.id) })),
        supersedes: supersedes.map(nameOf),
        body: JSON.parse(JSON.stringify(named).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, nameOf)),
      }
    })
    .sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
}

async function indexEqualsRecords(world: World): Promise<void> {
  const checkpoint = await checkpointOf(world.documents, workspace)
  expect(checkpoint.indexed).toBe(checkpoint.projected)
  const rows: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  expect(await world.search.count(checkpoint.live, workspace)).toBe(rows.length)
  for (const row of rows) {
    const document = searchDocumentOf(row)
    const { items } = await world.search.candidates(
      checkpoint.live,
      { workspace, audiences: [row.audience] },
      [...new Set(document.tokens)].slice(0, 64),
      200,
    )
    const found = items.find((item) => item.id === row.id)
    expect(found && { version: found.version, valid_to: found.valid_to }).toEqual({
      version: row.seq,
      valid_to: row.valid_to,
    })
  }
}

/** Each reader goes on to the end; its cache then is what a reader sees who begins now, and what the records say. */
async function readersMissedNothing(world: World, state: Run): Promise<void> {
  for (const reader of state.readers) {
    while (await readPage(world, reader)) {}
    const fresh: Run['readers'][number] = { cache: new Map(), cursor: undefined, actor: reader.actor }
    while (await readPage(world, fresh)) {}
    expect(new Map([...reader.cache].sort())).toEqual(new Map([...fresh.cache].sort()))
    const rows = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
    const current = rows
      .filter((row) => row.feed !== 'none' && row.superseded_by === null)
      .filter((row) => row.audience === 'workspace' || row.audience === `user:${reader.actor.user}`)
    expect([...fresh.cache.keys()].sort()).toEqual(current.map((row) => row.record_id).sort())
  }
  expect(actors.length).toBe(state.readers.length)
}

function validatedLike(operation: string, input: unknown): unknown {
  return operation === 'context.remember' ? validated(remember.input, input) : validated(recordDecision.input, input)
}
