import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import type { Operation } from '../../src/operation.ts'
import { operationsByName } from '../../src/operations.ts'
import { findingsOfPair } from '../../src/questions/compare/pairs.ts'
import { isApplicable } from '../../src/questions/is-applicable.ts'
import { questionIdOf as idOfFinding } from '../../src/questions/question.ts'
import { newestFormat, type Receipt, receipts } from '../../src/receipt.ts'
import { activities } from '../../src/records/activity.ts'
import type { Answer } from '../../src/records/body.ts'
import { kinds } from '../../src/records/kinds.ts'
import { type QuestionLink, questionLinks, questionLinksOf } from '../../src/records/projections/question-links.ts'
import { taskKeys, taskKeysIn } from '../../src/records/projections/tasks.ts'
import { type PrecedentRecord, type RecordOf, records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { taskParents } from '../../src/records/task-parent.ts'
import { validated } from '../../src/validation/validated.ts'
import { randomOf } from '../support/chaos.ts'
import { equal } from '../support/search-query.ts'
import { tries } from '../support/size.ts'
import { talliesEqualJournal } from './tallies.ts'
import { actors, openWorld, pollPage, quiet, type Run, readPage, run, type World, workspace } from './world.ts'

const runs = Number(process.env.PROTOCOL_RUNS ?? tries(25))

describe('writes under crashes, freezes and lost answers, without any wake-ups', () => {
  it('keep every promise of the protocol', { timeout: 600_000 }, async () => {
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
          await questionLinksEqualRecords(world)
          await talliesEqualJournal(world.documents, journal)
          await tasksEqualRecords(world, journal)
          await contradictionsAreAsked(world)
          await readersMissedNothing(world, state)
          await pollersMissedNothing(world, state)
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
  // the run was watched to the end, and no receipt changed after it had ended
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

/** Decides the same receipts one by one, in the order of the journal, in a world without faults. */
async function recordsEqualSequentialModel(world: World, journal: Entry[], state: Run): Promise<void> {
  // later than all receipts, as the clocks of the other world's workers were
  const model = await openWorld(randomOf(1), '2026-06-01T00:00:00Z')
  try {
    const inputs = new Map(state.acknowledged.map((one) => [one.receipt, one]))
    const named = new Map<string, string>()
    for (const decided of journal.flatMap((entry) => entry.receipts)) {
      const original = (await world.documents.get(receipts, decided.receipt)) as Receipt
      const known = inputs.get(decided.receipt)
      if (!known) continue // an operation of the service itself
      const input = { ...(known.input as object) } as Record<string, unknown>
      for (const field of ['corrects_memory_id', 'question_id', 'id', 'superseded_by', 'parent_id']) {
        const value = input[field]
        if (typeof value === 'string') input[field] = named.get(value) ?? value
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
        format: newestFormat,
      })
      await quiet(model)
      const outcome = await model.documents.get(receipts, decided.receipt, ['state', 'entity', 'error'])
      expect([outcome?.state, outcome?.error?.code]).toEqual([original.state, original.error?.code])
      if (original.entity && outcome?.entity) named.set(original.entity.id, outcome.entity.id)
      await nameOutcome(world, model, decided.receipt, named)
      await nameQuestions(world, model, decided.receipt, named)
    }
    const nameOf = (id: string) => named.get(id) ?? id
    expect(await rowsOf(world, nameOf)).toEqual(await rowsOf(model, (id) => id))
  } finally {
    await model.close()
  }
}

/** The outcome that one receipt recorded: the entity of the receipt is its decision. */
async function nameOutcome(world: World, model: World, receipt: string, named: Map<string, string>): Promise<void> {
  const outcomeOf = async ({ documents }: World) =>
    (await documents.find(records, { where: { workspace }, limit: 10_000 })).find(
      (row) => row.kind === 'outcome' && row.accepted.endsWith(receipt),
    )
  const [made, modelled] = await Promise.all([outcomeOf(world), outcomeOf(model)])
  if (made && modelled) named.set(made.record_id, modelled.record_id)
}

/** The questions that one receipt asked. Their ids are built from the ids of their records. */
async function nameQuestions(world: World, model: World, receipt: string, named: Map<string, string>): Promise<void> {
  const [asked, modelled] = await Promise.all([questionsOf(world, receipt), questionsOf(model, receipt)])
  for (const row of asked) {
    // the question of a proposal comes from the last operation, which the model has not run yet
    const isSame = (one: PrecedentRecord) => one.text === row.text || reasonOf(one) === 'pending_judgment'
    const same = modelled.find((one) => reasonOf(one) === reasonOf(row) && isSame(one))
    if (!same) continue // rowsOf reports the difference
    named.set(row.record_id, same.record_id)
    named.set(questionIdOf(row), questionIdOf(same))
  }
}

async function questionsOf(world: World, receipt: string): Promise<RecordOf<'question'>[]> {
  const rows = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  return rows.filter((row) => row.kind === 'question').filter((row) => row.accepted.endsWith(receipt))
}

const reasonOf = (row: PrecedentRecord) => (row.kind === 'question' ? row.body.reason : '')
const questionIdOf = ({ body }: RecordOf<'question'>) => body.question_id

/** A question without the ids of its records and the instant at which it was closed. */
function comparable(
  { kind, accepted, audience, text, valid_to, body, mutable }: RecordOf<'question'>,
  nameOf: (id: string) => string,
) {
  const { question_id, about, subject, ...rest } = body
  const { answer, earlier = [] } = mutable
  const answered = (one: Answer) => ({ ...one, at: null, made: one.made && nameOf(one.made) })
  return {
    ...rest,
    ...{ kind, accepted, audience, text, isOpen: valid_to === null },
    question_id: nameOf(question_id),
    about: about.map((one) => ({ ...one, record: nameOf(one.record) })),
    subject: { ...subject, id: nameOf(subject.id ?? '') },
    answer: answer && answered(answer),
    earlier: earlier.map((one) => ({ ...one, answer: answered(one.answer) })),
  }
}

/** Rows without fields that depend on the time of deciding, with the ids of the model. */
async function rowsOf(world: World, nameOf: (id: string) => string): Promise<unknown[]> {
  const all: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  // compared claims are checked by contradictionsAreAsked, because comparing may run at any time
  const rows = all.filter((row) => row.kind !== 'question' || reasonOf(row) !== 'contradiction')
  const place = (row: PrecedentRecord) => [row.accepted, row.kind, row.text, reasonOf(row)].join('\n')
  const inOrder = rows.sort((a, b) => (place(a) < place(b) ? -1 : 1))
  return inOrder.map((row) => {
    if (row.kind === 'question') return comparable(row, nameOf)
    const { seq: _, updated_at: __, id, record_id, superseded_by, successors, supersedes, ...others } = row
    const { body, mutable, sources, ...rest } = others
    const { confirmed_at: ___, ...lasting } = mutable
    const withNames = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, nameOf))
    return {
      ...rest,
      id: id.replace(record_id, nameOf(record_id)),
      record_id: nameOf(record_id),
      superseded_by: superseded_by && nameOf(superseded_by),
      successors: successors.map((one) => ({ ...one, id: nameOf(one.id) })),
      supersedes: supersedes.map(nameOf),
      // an answer cites the decision that it is about
      sources: withNames(sources),
      body: withNames(body),
      mutable: withNames(lasting),
    }
  })
}

async function indexEqualsRecords(world: World): Promise<void> {
  const checkpoint = await checkpointOf(world.documents, workspace)
  expect(checkpoint.indexed).toBe(checkpoint.projected)
  const all: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  // questions are read with their records, and never searched
  const rows = all.filter((row) => row.kind !== 'question')
  expect(await world.search.count(checkpoint.live, workspace)).toBe(rows.length)
  for (const row of rows) {
    const document = await searchDocumentOf(row)
    const { items } = await world.search.candidates(
      checkpoint.live,
      { workspace, audiences: [row.audience] },
      equal([...new Set(document.tokens)].slice(0, 64)),
      200,
    )
    const found = items.find((item) => item.id === row.id)
    expect(found && { version: found.version, valid_to: found.valid_to }).toEqual({
      version: row.seq,
      valid_to: row.valid_to,
    })
  }
}

/** The index of open questions must agree with the records. */
async function questionLinksEqualRecords(world: World): Promise<void> {
  const rows: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  const expected = rows.filter((row) => row.kind === 'question').flatMap(questionLinksOf)
  const found = await world.documents.find(questionLinks, { where: { id: { gt: '' } }, limit: 10_000 })
  const byId = (all: QuestionLink[]) => all.sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(found)).toEqual(byId(expected))
}

/** The open keys and the parents of tasks must agree with the records, and their activities with the journal. */
async function tasksEqualRecords(world: World, journal: Entry[]): Promise<void> {
  const tasks = await tasksOf(world)
  const all = { where: { id: { gt: '' } }, limit: 10_000 }
  const byId = <T extends { id: string }>(some: readonly T[]) => [...some].sort((a, b) => (a.id < b.id ? -1 : 1))
  const keys = await world.documents.find(taskKeys, all)
  expect(byId(keys.filter(({ open }) => open === 1))).toEqual(byId(tasks.flatMap(taskKeysIn)))
  const parents = await world.documents.find(taskParents, all)
  const named = parents.filter(({ parent }) => parent !== '').map(({ id, parent }) => ({ id, parent }))
  const parentOf = tasks.flatMap(({ id, mutable }) => (mutable.parent_id ? [{ id, parent: mutable.parent_id }] : []))
  expect(byId(named)).toEqual(byId(parentOf as typeof named))
  const done = journal.flatMap(({ documents }) => documents.activities ?? [])
  expect(byId(await world.documents.find(activities, all))).toEqual(byId(done))
}

async function tasksOf(world: World): Promise<RecordOf<'task'>[]> {
  const rows: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  return rows.filter((row) => row.kind === 'task')
}

/** Each poller of task.list polls to the end. Then it has each task as it is. */
async function pollersMissedNothing(world: World, state: Run): Promise<void> {
  for (const poller of state.pollers) {
    while (await pollPage(world, poller)) {}
    const now = (await tasksOf(world)).map(
      ({ record_id, mutable: { inbox_status, status, labels } }): [string, string] => [
        record_id,
        [inbox_status, status, ...labels].join(),
      ],
    )
    expect(new Map([...poller.cache].sort())).toEqual(new Map(now.sort()))
  }
}

/** Each pair of contradicting claims of knowledge in force has a question, and there are no other questions. */
async function contradictionsAreAsked(world: World): Promise<void> {
  const rows: PrecedentRecord[] = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
  const standing = rows.filter(
    (row) => kinds[row.kind].isKnowledge && row.feed !== 'none' && isApplicable(row, 'contradiction'),
  )
  const pairs = standing.flatMap((one, at) => standing.slice(at + 1).flatMap((other) => findingsOfPair(one, other)))
  const asked = rows.filter((row) => row.kind === 'question').filter((row) => reasonOf(row) === 'contradiction')
  const isAsked = new Set(asked.map(questionIdOf))
  // a record with five questions gets no more
  if (pairs.length <= 5) expect(pairs.map(idOfFinding).filter((id) => !isAsked.has(id))).toEqual([])
  const contradicting = new Set(pairs.map(idOfFinding))
  const open = asked.filter((row) => row.valid_to === null)
  expect(open.map(questionIdOf).filter((id) => !contradicting.has(id))).toEqual([])
}

/** Each reader syncs to the end. Then its cache must equal that of a new reader, and the records. */
async function readersMissedNothing(world: World, state: Run): Promise<void> {
  for (const reader of state.readers) {
    while (await readPage(world, reader)) {}
    const fresh: Run['readers'][number] = { cache: new Map(), cursor: undefined, actor: reader.actor }
    while (await readPage(world, fresh)) {}
    expect(new Map([...reader.cache].sort())).toEqual(new Map([...fresh.cache].sort()))
    const rows = await world.documents.find(records, { where: { workspace }, limit: 10_000 })
    const current = rows
      .filter((row) => row.feed !== 'none' && row.superseded_by === null)
      // a reader drops a proposal that was rejected
      .filter((row) => row.status !== 'rejected' || row.valid_to === null)
      .filter((row) => row.audience === 'workspace' || row.audience === `user:${reader.actor.user}`)
    expect([...fresh.cache.keys()].sort()).toEqual(current.map((row) => row.record_id).sort())
  }
  expect(actors.length).toBe(state.readers.length)
}

function validatedLike(operation: string, input: unknown): unknown {
  return validated((operationsByName.get(operation) as Operation).input, input)
}
