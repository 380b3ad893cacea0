/**
 * Records that a caller can't see do not exist for it (SEMANTICS 2). Each answer equals that of a store with only the
 * records that the caller may see.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { brief } from '../../src/context/brief/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { facetsOf } from '../../src/deciding/facets.ts'
import { findDecisions } from '../../src/decisions/find.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { decisionGraph } from '../../src/decisions/graph.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import { type Audience, type RecordId, uuidPattern } from '../../src/ids.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { entryOf, headOf } from '../../src/journal/head.ts'
import { getMemory } from '../../src/memories/get.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Query, Reads } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { receipts } from '../../src/receipt.ts'
import { getReceipt } from '../../src/receipts/get.ts'
import { listReceipts } from '../../src/receipts/list.ts'
import { type Activity, activities } from '../../src/records/activity.ts'
import type { DecisionMutable, MemoryBody, TaskMutable } from '../../src/records/body.ts'
import { links } from '../../src/records/link.ts'
import { namedRecord } from '../../src/records/named.ts'
import { outcomeKeyOf, outcomeKeys } from '../../src/records/projections/outcomes.ts'
import { questionLinks, questionLinksOf } from '../../src/records/projections/question-links.ts'
import { sourceKeys, sourceKeysOf } from '../../src/records/projections/source-keys.ts'
import { taskKeys, taskKeysIn } from '../../src/records/projections/tasks.ts'
import {
  mostSuccessors,
  type PrecedentRecord,
  type RecordOf,
  records,
  type Successor,
} from '../../src/records/record.ts'
import { currentOf } from '../../src/records/revisions.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { type Succession, successionOf, successions } from '../../src/records/succession.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { createTask } from '../../src/tasks/create.ts'
import { getTask } from '../../src/tasks/get.ts'
import { listTasks } from '../../src/tasks/list.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { apply, openWorld, promise, quiet, rows, type World, workspace } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { profile } from '../support/profile.ts'
import { actors, visibilities } from '../support/readers.ts'
import { tries } from '../support/size.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
const words = ['harbour', 'ledger', 'falcon', 'orchard', 'granite', 'meadow', 'copper', 'lantern']
const write = fc.record({
  by: fc.nat(actors.length - 1),
  kind: fc.constantFrom(
    ...(['fact', 'constraint', 'commitment', 'correction', 'correction'] as const),
    ...(['decision', 'decision', 'outcome', 'outcome', 'supersede'] as const),
    ...(['task', 'task', 'task', 'change', 'comment'] as const),
  ),
  outcome: fc.constantFrom('success', 'failure', 'failure', 'mixed'),
  said: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
  visibility: fc.option(fc.constantFrom(...visibilities), { nil: undefined }),
  targets: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  externalId: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  waitsFor: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  status: fc.constantFrom('accepted', 'accepted', 'accepted', 'proposed', 'rejected'),
  hedged: fc.boolean(),
  significance: fc.constantFrom('strategic', 'routine'),
  year: fc.option(fc.integer({ min: 2018, max: 2028 }), { nil: undefined }),
  source: fc.option(fc.nat(2), { nil: undefined }),
  namesFirst: fc.boolean(),
  category: fc.constantFrom('pricing', 'security'),
  queue: fc.option(fc.constantFrom('falcon', 'granite'), { nil: undefined }),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

/** A decision that fails, and a proposal that may repeat it. */
const part = fc.record({
  by: fc.constantFrom(0, 1),
  // of those that both actors may write for
  visibility: fc.constantFrom(...visibilities.slice(0, 3)),
  queue: fc.constantFrom('falcon', 'granite'),
})
const repeat = fc.tuple(part, part, write).map(([failed, proposed, { outcome: _, ...other }]): Write[] => {
  const plain = { ...other, externalId: undefined, waitsFor: undefined, year: undefined, targets: [], hedged: false }
  const decision = { ...plain, outcome: 'failure' as const, kind: 'decision' as const }
  return [
    { ...decision, ...failed, status: 'accepted' },
    { ...decision, ...failed, kind: 'outcome' },
    { ...decision, ...proposed, status: 'proposed' },
  ]
})
const repeats = fc.array(repeat, { minLength: 2, maxLength: 3 }).map((all) =>
  // the decisions before it are those of the repeats before it
  all.flatMap((one, at) => one.map((each) => (each.kind === 'outcome' ? { ...each, targets: [2 * at] } : each))),
)

/** Each run makes hundreds of reads on each of four stores, which take many seconds on servers. */
const { runs, ...lengths } =
  profile === 'embedded' ? { runs: 15, minLength: 15, maxLength: 30 } : { runs: 1, minLength: 10, maxLength: 12 }

const histories = fc.tuple(repeats, fc.array(write, lengths)).map((both) => both.flat())

it('every answer equals that of a store with only the records that the caller may see', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (writes) => {
      const whole = await openWorld(randomOf(1))
      try {
        await perform(writes, whole)
        await expectFollowing(whole)
        await crowd(whole)
        for (const actor of actors) await compare(whole, actor)
      } finally {
        await whole.close()
      }
    }),
    // shrinking would exceed the timeout, and the seed reproduces a failure
    { numRuns: Number(process.env.VISIBILITY_RUNS ?? tries(runs)), endOnFailure: true },
  )
})

it('writes that the caller may not see change no answer, not even generated_at', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (writes) => {
      const on = await openWorld(randomOf(2))
      try {
        // creates the search index, because every brief is degraded without it
        await apply(on, remember, { kind: 'fact', content: 'The store is open.', visibility: { scope: 'workspace' } })
        // the clock advances, so a new answer has another generated_at
        const reads = await readsOf(on)
        const seen = await Promise.all(actors.map((actor) => seenOf(actor, on, reads)))
        for (const [at, one] of writes.entries()) await changeNothingHidden(one, at, on, reads, seen)
      } finally {
        await on.close()
      }
    }),
    { numRuns: Number(process.env.VISIBILITY_RUNS ?? tries(Math.ceil(runs / 2))), endOnFailure: true },
  )
})

/** `seen`: the answers of each actor before and after. */
async function changeNothingHidden(one: Write, at: number, on: World, reads: Reads, seen: unknown[]): Promise<void> {
  const [operation, input] = await inputFor(one, at, on)
  const receipt = await promise(on, operation as typeof remember, input, actors[one.by]).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
  })
  await quiet(on)
  const entity = receipt && (await on.documents.get(receipts, receipt.id, ['entity']))?.entity
  for (const [n, actor] of actors.entries()) {
    const before = seen[n]
    seen[n] = await seenOf(actor, on, reads)
    if (entity && !audiencesOf(actor).includes(entity.audience)) expect(seen[n]).toEqual(before)
  }
}

/** Cached briefs, and all rows with their sequences, from which every other read is built. */
async function seenOf(actor: Actor, on: World, reads: Reads) {
  const briefs = [{}, { lens: 'handoff' }, { query: words.slice(0, 3).join(' ') }]
  const visible = (await rows(on)).filter((row) => audiencesOf(actor).includes(row.audience))
  return [visible, ...(await Promise.all(briefs.map((input) => ask(reads, brief, input, actor))))]
}

/** Refused writes are ignored: other tests check who may write what. */
async function perform(writes: readonly Write[], on: World): Promise<void> {
  for (const [at, one] of writes.entries()) {
    const [operation, input] = await inputFor(one, at, on)
    await promise(on, operation as typeof remember, input, actors[one.by]).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
    await quiet(on)
  }
}

async function inputFor(one: Write, at: number, on: World) {
  const there = await rows(on)
  const of = (kind: PrecedentRecord['kind']) => there.flatMap((row) => (row.kind === kind ? row.record_id : []))
  if (one.kind === 'task' || one.kind === 'change' || one.kind === 'comment') {
    return taskInputOf(one, at, of('task'), of('decision'))
  }
  const ids = of(['decision', 'outcome', 'supersede'].includes(one.kind) ? 'decision' : 'memory')
  return inputOf(one, at, ids, there.filter(isQuestion))
}

/** Parents and decisions may be hidden, or seen by fewer: then the write is refused. */
function taskInputOf(one: Write, at: number, tasks: readonly string[], decisions: readonly string[]) {
  const content = `${one.said.join(' ')} only${at}only`
  const [first = 0, second = first] = one.targets
  const id = tasks[first % tasks.length] ?? missing
  if (one.kind === 'comment') return [commentOnTask, { id, body: content }] as const
  const given = {
    description: content,
    assignees: one.said.slice(0, 2),
    labels: one.said.slice(2),
    project: one.category,
    priority: one.hedged ? 'high' : 'none',
    ...(one.namesFirst && tasks.length > 0 ? { parent_id: tasks[second % tasks.length] } : {}),
    ...(one.source !== undefined && decisions.length > 0
      ? { decision_ids: [decisions[first % decisions.length]] }
      : {}),
  }
  if (one.kind === 'change') return [updateTask, { id, ...given }] as const
  return [
    createTask,
    {
      name: one.said.join(' '),
      ...given,
      ...(one.visibility ? { visibility: one.visibility } : {}),
      ...(one.externalId === undefined ? {} : { external_id: `external-${one.externalId}` }),
    },
  ] as const
}

const isQuestion = (row: PrecedentRecord): row is RecordOf<'question'> => row.kind === 'question'

/** The id in records and answers. */
const namesOf = ({ record_id, body }: RecordOf<'question'>) =>
  [record_id, body.question_id].map((id) => ({ type: 'question', id }))

function inputOf(one: Write, at: number, ids: readonly string[], questions: readonly RecordOf<'question'>[]) {
  const targets = ids.length === 0 ? [] : one.targets.map((target) => ids[target % ids.length] as string)
  const page = one.source === undefined ? [] : [{ type: 'page', id: `page-${one.source}`, title: `Page ${one.source}` }]
  // sources name records that the reader may or may not see
  const [first = 0] = one.targets
  const asked = questions.length === 0 ? [] : namesOf(questions[first % questions.length] as never)
  const names = [...targets.map((id) => ({ type: 'memory', id })), ...asked].map((source, at) => {
    return { ...source, provenance: { class: at % 2 === 0 ? 'conversation' : 'meeting' } }
  })
  const sources = one.namesFirst ? [...names, ...page] : [...page, ...names]
  const common = { sources, ...(one.visibility ? { visibility: one.visibility } : {}) }
  // a unique word shows where the record appears
  const content = `${one.hedged ? 'I think that ' : ''}${one.said.join(' ')} only${at}only`
  const instant = one.year === undefined ? undefined : `${one.year}-06-01T00:00:00Z`
  if (one.kind === 'outcome') {
    const observed = instant ? { observed_at: `${Math.min(one.year as number, 2025)}-06-01T00:00:00Z` } : {}
    const id = targets[0] ?? missing
    return [recordOutcome, { id, outcome_status: one.outcome, outcome_notes: content, sources, ...observed }] as const
  }
  if (one.kind === 'supersede') {
    return [
      supersedeDecision,
      { id: targets[0] ?? missing, superseded_by: targets[1] ?? missing, reason: 'Why.' },
    ] as const
  }
  if (one.kind !== 'decision') {
    // a correction without a target becomes a fact
    const kind = one.kind === 'correction' && !targets[0] ? 'fact' : one.kind
    const corrects = kind === 'correction' ? { corrects_memory_id: targets[0] } : {}
    return [remember, { kind, content, ...(instant ? { occurred_at: instant } : {}), ...common, ...corrects }] as const
  }
  // decisions about one queue repeat each other
  const claim = one.queue === undefined ? '' : `Background jobs wait in the ${one.queue} queue. `
  const title = one.queue !== undefined && one.status === 'proposed' ? `The ${one.queue} queue` : content
  const waits = one.waitsFor === undefined ? [] : [`external-${one.waitsFor}`]
  return [
    recordDecision,
    {
      title,
      judgment: `${claim}${content}`,
      status: one.status,
      category: one.category,
      significance: one.significance,
      supersedes: [...targets, ...waits],
      ...(one.externalId === undefined ? {} : { external_id: `external-${one.externalId}` }),
      ...(instant ? { decided_at: instant } : {}),
      ...common,
    },
  ] as const
}

async function compare(whole: World, actor: Actor): Promise<void> {
  const at = new Date(whole.clock.now()).toISOString()
  const all = await rows(whole)
  const hidden = all.filter((row) => !audiencesOf(actor).includes(row.audience))
  const part = await visibleOnly(whole, all, actor)
  try {
    const [one, other] = [await readsOf(whole, at), await readsOf(part, at)]
    const ids = [...new Set(all.flatMap((row) => (row.audience === nobody ? [] : row.record_id)))]
    for (const read of readsFor(ids, all)) {
      const [answer, expected] = [await settled(read(one, actor)), await settled(read(other, actor))]
      expect(answer).toEqual(expected)
      assertNothingOf(hidden, answer)
    }
    assertNothingOf(hidden, await pagesOf(one, listReceipts, { limit: 200 }, actor))
    const made = hidden.filter(({ audience }) => audience !== nobody)
    await receiptsOfOthers(whole, one, made, actor)
    await refusesAlike(whole, made, actor)
  } finally {
    await part.close()
  }
}

/** All revisions of a decision have the leading outcome, and all its outcomes have what filters look at of the current one. */
async function expectFollowing(on: World): Promise<void> {
  const all = await rows(on)
  for (const outcome of all) {
    if (outcome.kind !== 'outcome') continue
    const revisions = all.filter(({ record_id }) => record_id === outcome.body.decision)
    const current = currentOf(revisions) as RecordOf<'decision'>
    expect(outcome).toMatchObject(facetsOf(current, current.body))
    for (const revision of revisions) expect(revision.outcome_status).toBe(current.mutable.outcome?.status)
  }
}

/** Sees what no other actor sees. */
const nobody: Audience = 'user:nobody'

/**
 * Gives the record with the most successors so many hidden ones that its row has no room for those that callers see, but
 * for the first. Written to the store, because no operation lets a hidden record supersede a visible one.
 */
async function crowd(on: World): Promise<void> {
  const [target] = (await rows(on))
    .filter(({ successors, kind, feed }) => successors.length > 0 && kind !== 'question' && feed !== 'none')
    .sort((a, b) => b.successors.length - a.successors.length)
  if (!target) return
  const [first, ...others] = target.successors as [Successor, ...Successor[]]
  const { external_id: _, ...envelope } = target
  const hidden = Array.from({ length: mostSuccessors - 1 }, (_, n): PrecedentRecord => {
    const id = `00000000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}` as RecordId
    const own = { id, record_id: id, audience: nobody, external_id: null, text: `Hidden only9${n}9only` }
    return { ...envelope, ...own, supersedes: [target.record_id], successors: [], superseded_by: null }
  })
  const successors = [first, ...hidden.map(({ record_id }) => ({ ...first, id: record_id, reason: 'Hidden.' }))]
  await on.documents.insertMany(records, hidden)
  await on.documents.update(records, target.id, { set: { successors } })
  const known = new Map((await rows(on)).map((row) => [row.record_id, row.audience]))
  const further = others.map(({ id, valid_from, reason }, entry): Succession => {
    const draft = { target: target.record_id, successor: id, audience: known.get(id) as Audience, valid_from, reason }
    return { ...successionOf(draft), workspace, entry }
  })
  await on.documents.insertMany(successions, further)
}

type Read = (reads: Reads, actor: Actor) => Promise<unknown>

/** All pages of every read. Cursors are random, so only their length is compared. */
function readsFor(ids: readonly string[], all: readonly PrecedentRecord[]): Read[] {
  const paged =
    <I, O extends { next_cursor?: string | undefined }>(query: Query<I, O>, input: object): Read =>
    async (reads, actor) =>
      (await pagesOf(reads, query, input, actor)).map(({ next_cursor, ...page }) => [page, next_cursor?.length])
  const own = all.flatMap((row) => /only\d+only/.exec(row.text)?.[0] ?? [])
  const pages = [0, 1, 2].map((n) => ({ type: 'page', id: `page-${n}` }))
  const questions = all.filter(isQuestion).flatMap(namesOf)
  return [
    ...words.slice(0, 3).map((q) => paged(searchContext, { q: `${q} ${words[4]}`, limit: 3 })),
    ...own.slice(-6).map((q) => paged(searchContext, { q })),
    paged(searchContext, { q: words.join(' '), as_of: '2022-01-01T00:00:00Z', limit: 4 }),
    paged(searchContext, { limit: 3 }),
    paged(searchContext, { limit: 3, as_of: '2023-01-01T00:00:00Z' }),
    paged(searchContext, {
      references: [...pages, ...ids.slice(0, 30).map((id) => ({ type: 'decision', id }))],
      limit: 4,
    }),
    ...(questions.length === 0 ? [] : [paged(searchContext, { references: questions.slice(0, 50) })]),
    paged(searchContext, { references: ids.slice(0, 40).map((id) => ({ type: 'memory', id })), q: 'falcon' }),
    paged(searchDecisions, { q: words.slice(0, 4).join(' '), threshold: 0, limit: 2 }),
    paged(searchDecisions, { q: 'copper lantern', category: 'pricing' }),
    paged(searchDecisions, { ids: ids.slice(0, 50) }),
    paged(findDecisions, { q: words.slice(0, 4).join(' '), threshold: 0, limit: 2 }),
    paged(findDecisions, { ids: ids.slice(0, 50) }),
    paged(findDecisions, { category: ['pricing'], limit: 2 }),
    paged(findDecisions, { status: ['proposed', 'rejected'], q: words.slice(0, 4).join(' '), threshold: 0 }),
    paged(findDecisions, { in_force: false, q: words.slice(2, 6).join(' '), threshold: 0, limit: 2 }),
    paged(findDecisions, { since: '2019-01-01T00:00:00Z', limit: 3 }),
    paged(findDecisions, { outcome_status: ['failure', 'mixed'], limit: 2 }),
    paged(findDecisions, { outcome_status: ['failure'], q: words.slice(0, 6).join(' '), threshold: 0, limit: 2 }),
    ...own
      .slice(-6)
      .map((q) => paged(findDecisions, { q, outcome_status: ['none', 'failure', 'success'], threshold: 0 })),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getDecision, { id }, actor),
    ),
    ...ids.map(
      (root): Read =>
        (reads, actor) =>
          ask(reads, decisionGraph, { root, depth: 20 }, actor),
    ),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getMemory, { id }, actor),
    ),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getTask, { id }, actor),
    ),
    ...['created', 'due', 'priority'].map((sort) => paged(listTasks, { sort, limit: 2 })),
    paged(listTasks, { sort: 'created', project: ['pricing'], label: words.slice(0, 4), limit: 1 }),
    paged(listTasks, { sort: 'created', assignee: [...words.slice(0, 4), 'me'] }),
    ...ids.slice(0, 5).map((id) => paged(listTasks, { sort: 'created', parent_id: [id] })),
    paged(listTasks, { q: words.slice(0, 4).join(' '), limit: 2 }),
    paged(listTasks, { q: words.slice(2, 6).join(' '), priority: ['high'] }),
    changedTasks,
    ...[{}, { lens: 'handoff' }, { query: words.slice(0, 3).join(' ') }].map(
      (input): Read =>
        (reads, actor) =>
          ask(reads, brief, { ...input, limit: 20 }, actor),
    ),
    wholeFeed,
  ]
}

const wholeFeed: Read = async (reads, actor) => {
  const pages: unknown[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ask(reads, syncContext, { limit: 3, ...(cursor ? { cursor } : {}) }, actor)
    pages.push(page.changes, page.has_more, page.reset_required, page.cursor.length)
    cursor = page.cursor
    more = page.has_more
  }
  return pages
}

/** Its last page has a cursor too. */
const changedTasks: Read = async (reads, actor) => {
  const pages: unknown[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ask(reads, listTasks, { limit: 2, ...(cursor ? { cursor } : {}) }, actor)
    pages.push(page.items, page.has_more, page.next_cursor?.length)
    cursor = page.next_cursor
    more = page.has_more
  }
  return pages
}

/** The answer, or the problem with all its fields. */
async function settled(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, detail: error.message, details: error.details }
  }
}

function assertNothingOf(hidden: readonly PrecedentRecord[], answer: unknown): void {
  const told = JSON.stringify(answer)
  for (const row of hidden) {
    expect(told).not.toContain(row.record_id)
    // a question quotes its records, which the caller may see
    const own = row.kind === 'question' ? undefined : /only\d+only/.exec(row.text)?.[0]
    expect(own !== undefined && told.includes(own), `${row.kind} ${own} in ${told}`).toBe(false)
  }
}

/** The caller sees none of them. An admin sees that they exist, but no text. */
async function receiptsOfOthers(on: World, reads: Reads, hidden: readonly PrecedentRecord[], actor: Actor) {
  const where = { workspace, open: { in: [0, 1] } }
  const all = await on.documents.find(receipts, { where, limit: 1_000, fields: ['id', 'owner'] })
  const read = (id: string, as: Actor) => settled(ask(reads, getReceipt, { id, wait: 0 }, as))
  const expected = await read(missing, actor)
  const admin: Actor = { ...actor, scopes: [...actor.scopes, 'admin'] }
  // a question quotes its records, which the caller may see
  const words = hidden.flatMap(({ kind, text }) => (kind === 'question' ? [] : (/only\d+only/.exec(text)?.[0] ?? [])))
  for (const { id } of all.filter(({ owner }) => owner !== actor.user)) {
    expect(await read(id, actor)).toEqual(expected)
    const told = JSON.stringify(await read(id, admin))
    for (const word of words) expect(told).not.toContain(word)
  }
}

/** A write that names a hidden record is refused like one that names a missing record. */
async function refusesAlike(on: World, hidden: readonly PrecedentRecord[], actor: Actor): Promise<void> {
  const correct = (id: string) =>
    settled(promise(on, remember, { kind: 'correction', content: 'Guess.', corrects_memory_id: id }, actor))
  const supersede = (id: string) =>
    settled(promise(on, recordDecision, { title: 'Guess', judgment: 'Guess.', supersedes: [id] }, actor))
  const report = (id: string) => settled(promise(on, recordOutcome, { id, outcome_status: 'mixed' }, actor))
  const own = (await rows(on)).find((row) => row.kind === 'decision' && audiencesOf(actor).includes(row.audience))
  const replace = (id: string) =>
    settled(promise(on, supersedeDecision, { id, superseded_by: own?.record_id ?? missing }, actor))
  const change = (id: string) => settled(promise(on, updateTask, { id, status: 'done' }, actor))
  const comment = (id: string) => settled(promise(on, commentOnTask, { id, body: 'Guess.' }, actor))
  const part = (id: string) => settled(promise(on, createTask, { name: 'Guess', parent_id: id }, actor))
  const decided = (id: string) => settled(promise(on, createTask, { name: 'Guess', decision_ids: [id] }, actor))
  for (const refused of [correct, supersede, report, replace, change, comment, part, decided]) {
    const expected = await refused(missing)
    expect(expected).toMatchObject({ code: 'not_found' })
    for (const row of hidden) expect(await refused(row.record_id)).toEqual(expected)
  }
}

/** A store with only the records that the actor may see, and only links between them. */
async function visibleOnly(whole: World, all: readonly PrecedentRecord[], actor: Actor): Promise<World> {
  const part = await openWorld(randomOf(1))
  const visible = all.filter((row) => audiencesOf(actor).includes(row.audience))
  const ids = new Set<string>(visible.map((row) => row.record_id))
  const where = { workspace, successor: { in: [...ids] } }
  const further = (await whole.documents.find(successions, { where, limit: 10_000 }))
    .sort((a, b) => a.entry - b.entry)
    .map(({ successor: id, ...rest }) => ({ ...rest, id }))
  const stripped = visible.map((row) => withoutOthers(row, ids, further))
  const known = { workspace, successor: { in: [...ids] }, state: { in: ['taken', 'dated', 'on_hold'] as const } }
  const named = (await whole.documents.find(links, { where: known, limit: 10_000 })).filter(({ target }) =>
    ids.has(target),
  )
  await part.documents.insertMany(links, named)
  const checkpoint = await checkpointOf(whole.documents, workspace)
  await part.documents.insertMany(records, stripped)
  await part.documents.insertMany(sourceKeys, stripped.flatMap(sourceKeysOf).filter(isFirstOfItsId()))
  const outcomes = stripped.flatMap((row) => (row.kind === 'outcome' ? outcomeKeyOf(row) : []))
  await part.documents.insertMany(outcomeKeys, outcomes)
  const tasks = stripped.flatMap((row) => (row.kind === 'task' ? [row] : []))
  await part.documents.insertMany(taskKeys, tasks.flatMap(taskKeysIn))
  for (const { audience, record_id: task } of tasks)
    await part.documents.insertMany(activities, await activitiesOn(whole, audience, task))
  await part.documents.insertMany(
    questionLinks,
    stripped.filter((row) => row.kind === 'question').flatMap(questionLinksOf),
  )
  await part.documents.insert(checkpoints, checkpoint)
  const head = await headOf(whole.documents, workspace)
  const entry = (await entryOf(whole.documents, workspace, head.number)) as Entry | undefined
  if (entry) await part.documents.insert(entries, { ...entry, receipts: [], records: [], documents: {} })
  await part.search.create(checkpoint.live)
  const searched = stripped.filter(({ kind }) => kind !== 'question')
  await part.search.upsert(checkpoint.live, searched.map(searchDocumentOf))
  await part.search.refresh(checkpoint.live, workspace, { epoch: 'epoch', sequence: checkpoint.indexed_seq })
  return part
}

async function activitiesOn(whole: World, audience: Activity['audience'], task: Activity['task']): Promise<Activity[]> {
  const where = { workspace, audience, task, type: { in: ['comment', 'change'] } }
  return whole.documents.find(activities, { where, limit: 1_000 })
}

function isFirstOfItsId() {
  const seen = new Set<string>()
  return ({ id }: { id: string }) => !seen.has(id) && seen.add(id) !== undefined
}

function withoutOthers(
  row: PrecedentRecord,
  ids: ReadonlySet<string>,
  further: readonly (Successor & { target: RecordId })[],
): PrecedentRecord {
  const more = row.successors.length < mostSuccessors ? [] : further.filter(({ target }) => target === row.record_id)
  const successors = [...row.successors, ...more]
    .filter((successor) => ids.has(successor.id))
    .map(({ id, valid_from, reason }) => ({ id, valid_from, reason }))
  const kept = {
    sources: row.sources.filter((source) => ids.has(namedRecord(source, workspace) ?? row.record_id)),
    successors,
    superseded_by: successors[0]?.id ?? null,
    supersedes: row.supersedes.filter((id) => ids.has(id)),
  }
  if (row.kind === 'memory') return { ...row, ...kept, body: memoryBody(row.body, ids) }
  if (row.kind === 'decision') return { ...row, ...kept, mutable: decisionMutable(row.mutable, ids) }
  if (row.kind === 'outcome') return { ...row, ...kept }
  if (row.kind === 'task') return { ...row, ...kept, mutable: taskMutable(row.mutable, ids) }
  // a question is seen by those only who see all its records
  return row
}

function memoryBody({ corrects, ...body }: MemoryBody, ids: ReadonlySet<string>): MemoryBody {
  return corrects !== undefined && ids.has(corrects) ? { ...body, corrects } : body
}

function taskMutable({ parent_id, decision_ids, ...mutable }: TaskMutable, ids: ReadonlySet<string>): TaskMutable {
  const parent = parent_id !== null && ids.has(parent_id) ? parent_id : null
  return { ...mutable, parent_id: parent, decision_ids: decision_ids.filter((id) => ids.has(id)) }
}

function decisionMutable({ void_links = [], ...rest }: DecisionMutable, ids: ReadonlySet<string>): DecisionMutable {
  // an external_id does not show its record, so that is read from the store
  return { ...rest, void_links: void_links.filter(({ target }) => ids.has(target) || !uuidPattern.test(target)) }
}
