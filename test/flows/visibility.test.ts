/**
 * What a caller can't see does not exist (SEMANTICS 2): each answer equals that of a store which holds only what the
 * caller may see, and nothing of anything else is in it.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { brief } from '../../src/context/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { syncContext } from '../../src/context/sync.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { checkpoints, type Entry, entries, links } from '../../src/journal/entry.ts'
import { checkpointOf, entryOf, headOf } from '../../src/journal/head.ts'
import { getMemory } from '../../src/memories/get.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Query, Reads } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { getReceipt } from '../../src/receipts/get.ts'
import { listReceipts } from '../../src/receipts/list.ts'
import { receipts } from '../../src/receipts/receipt.ts'
import { bodyOf, type DecisionBody, type MemoryBody } from '../../src/records/body.ts'
import { uuidPattern } from '../../src/records/ids.ts'
import { namedRecord } from '../../src/records/named.ts'
import { questionLinks, questionLinksOf } from '../../src/records/question-links.ts'
import { changedRow, type PrecedentRecord, type RecordOf, records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { sourceKeys, sourceKeysOf } from '../../src/records/source-keys.ts'
import { apply, openWorld, promise, quiet, rows, type World, workspace } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { profile } from '../support/profile.ts'
import { actors, visibilities } from '../support/readers.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
const words = ['harbour', 'ledger', 'falcon', 'orchard', 'granite', 'meadow', 'copper', 'lantern']
const write = fc.record({
  by: fc.nat(actors.length - 1),
  kind: fc.constantFrom('fact', 'constraint', 'commitment', 'correction', 'correction', 'decision', 'decision'),
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
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

/** Each run has four stores, and asks each hundreds of times: on servers that takes many seconds. */
const { runs, ...lengths } =
  profile === 'embedded' ? { runs: 15, minLength: 15, maxLength: 30 } : { runs: 1, minLength: 10, maxLength: 12 }

it('answers as a store would that holds only what the caller may see', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, lengths), async (writes) => {
      const whole = await openWorld(randomOf(1))
      try {
        await perform(writes, whole)
        for (const actor of actors) await compare(whole, actor)
      } finally {
        await whole.close()
      }
    }),
    // not made smaller: that would take longer than the test may, and its seed brings it back
    { numRuns: Number(process.env.VISIBILITY_RUNS ?? runs), endOnFailure: true },
  )
})

it('keeps each answer as it was, generated_at too, while others write what the caller may not see', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, lengths), async (writes) => {
      const on = await openWorld(randomOf(2))
      try {
        // makes the search index: without it every brief is degraded
        await apply(on, remember, { kind: 'fact', content: 'The store is open.', visibility: { scope: 'workspace' } })
        // the clock of the world goes on: an answer that is made anew says so
        const reads = await readsOf(on)
        const seen = await Promise.all(actors.map((actor) => seenOf(actor, on, reads)))
        for (const [at, one] of writes.entries()) await changeNothingHidden(one, at, on, reads, seen)
      } finally {
        await on.close()
      }
    }),
    { numRuns: Number(process.env.VISIBILITY_RUNS ?? Math.ceil(runs / 2)), endOnFailure: true },
  )
})

/** `seen`: what each actor saw before, and sees afterwards. */
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

/** Briefs as they are kept, and all rows with their sequences, of which sync and every other read is made. */
async function seenOf(actor: Actor, on: World, reads: Reads) {
  const briefs = [{}, { lens: 'handoff' }, { query: words.slice(0, 3).join(' ') }]
  const visible = (await rows(on)).filter((row) => audiencesOf(actor).includes(row.audience))
  return [visible, ...(await Promise.all(briefs.map((input) => ask(reads, brief, input, actor))))]
}

/** What is refused is as good as not written: who may write what is decided elsewhere. */
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
  const ids = there.flatMap((row) =>
    row.kind === (one.kind === 'decision' ? 'decision' : 'memory') ? row.record_id : [],
  )
  return inputOf(one, at, ids, there.filter(isQuestion))
}

const isQuestion = (row: PrecedentRecord): row is RecordOf<'question'> => row.kind === 'question'

/** As records and answers name it. */
const namesOf = ({ record_id, body }: RecordOf<'question'>) =>
  [record_id, body.question_id].map((id) => ({ type: 'question', id }))

function inputOf(one: Write, at: number, ids: readonly string[], questions: readonly RecordOf<'question'>[]) {
  const targets = ids.length === 0 ? [] : one.targets.map((target) => ids[target % ids.length] as string)
  const page = one.source === undefined ? [] : [{ type: 'page', id: `page-${one.source}`, title: `Page ${one.source}` }]
  // sources that name records, seen by the reader or not
  const asked = questions.length === 0 ? [] : namesOf(questions[(one.targets[0] as number) % questions.length] as never)
  const names = [...targets.map((id) => ({ type: 'memory', id })), ...asked].map((source, at) => {
    return { ...source, provenance: { class: at % 2 === 0 ? 'conversation' : 'meeting' } }
  })
  const sources = one.namesFirst ? [...names, ...page] : [...page, ...names]
  const common = { sources, ...(one.visibility ? { visibility: one.visibility } : {}) }
  // a word of its own: where it turns up the record does
  const content = `${one.hedged ? 'I think that ' : ''}${one.said.join(' ')} only${at}only`
  const instant = one.year === undefined ? undefined : `${one.year}-06-01T00:00:00Z`
  if (one.kind !== 'decision') {
    // a correction of nothing is a fact
    const kind = one.kind === 'correction' && !targets[0] ? 'fact' : one.kind
    const corrects = kind === 'correction' ? { corrects_memory_id: targets[0] } : {}
    return [remember, { kind, content, ...(instant ? { occurred_at: instant } : {}), ...common, ...corrects }] as const
  }
  const waits = one.waitsFor === undefined ? [] : [`external-${one.waitsFor}`]
  return [
    recordDecision,
    {
      title: content,
      judgment: content,
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
    const ids = [...new Set(all.map((row) => row.record_id))]
    for (const read of readsFor(ids, all)) {
      const [answer, expected] = [await settled(read(one, actor)), await settled(read(other, actor))]
      expect(answer).toEqual(expected)
      assertNothingOf(hidden, answer)
    }
    assertNothingOf(hidden, await pagesOf(one, listReceipts, { limit: 200 }, actor))
    await receiptsOfOthers(whole, one, hidden, actor)
    await refusesAlike(whole, hidden, actor)
  } finally {
    await part.close()
  }
}

type Read = (reads: Reads, actor: Actor) => Promise<unknown>

/** Every read, to its last page; of cursors, which differ by chance, the length. */
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
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getDecision, { id }, actor),
    ),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getMemory, { id }, actor),
    ),
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

/** The answer, or the problem with all that a caller is told of it. */
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
    // a question quotes what it is about, which the caller may see
    const own = row.kind === 'question' ? undefined : /only\d+only/.exec(row.text)?.[0]
    expect(own !== undefined && told.includes(own), `${row.kind} ${own} in ${told}`).toBe(false)
  }
}

/** They are as good as none; an admin is told of them, but no word of what only others see. */
async function receiptsOfOthers(on: World, reads: Reads, hidden: readonly PrecedentRecord[], actor: Actor) {
  const where = { workspace, open: { in: [0, 1] } }
  const all = await on.documents.find(receipts, { where, limit: 1_000, fields: ['id', 'owner'] })
  const read = (id: string, as: Actor) => settled(ask(reads, getReceipt, { id, wait: 0 }, as))
  const expected = await read(missing, actor)
  const admin: Actor = { ...actor, scopes: [...actor.scopes, 'admin'] }
  // a question quotes what it is about, which the caller may see
  const words = hidden.flatMap(({ kind, text }) => (kind === 'question' ? [] : (/only\d+only/.exec(text)?.[0] ?? [])))
  for (const { id } of all.filter(({ owner }) => owner !== actor.user)) {
    expect(await read(id, actor)).toEqual(expected)
    const told = JSON.stringify(await read(id, admin))
    for (const word of words) expect(told).not.toContain(word)
  }
}

/** A write that names what the caller can't see is refused as if it named what is not there. */
async function refusesAlike(on: World, hidden: readonly PrecedentRecord[], actor: Actor): Promise<void> {
  const correct = (id: string) =>
    settled(promise(on, remember, { kind: 'correction', content: 'Guess.', corrects_memory_id: id }, actor))
  const supersede = (id: string) =>
    settled(promise(on, recordDecision, { title: 'Guess', judgment: 'Guess.', supersedes: [id] }, actor))
  for (const refused of [correct, supersede]) {
    const expected = await refused(missing)
    expect(expected).toMatchObject({ code: 'not_found' })
    for (const row of hidden) expect(await refused(row.record_id)).toEqual(expected)
  }
}

/** A store with what the actor may see, and no link of the service's making to anything else. */
async function visibleOnly(whole: World, all: readonly PrecedentRecord[], actor: Actor): Promise<World> {
  const part = await openWorld(randomOf(1))
  const visible = all.filter((row) => audiencesOf(actor).includes(row.audience))
  const ids = new Set<string>(visible.map((row) => row.record_id))
  const stripped = visible.map((row) => withoutOthers(row, ids))
  const taken = { workspace, successor: { in: [...ids] }, state: 'taken' as const }
  const named = (await whole.documents.find(links, { where: taken, limit: 10_000 })).filter(({ target }) =>
    ids.has(target),
  )
  await part.documents.insertMany(links, named)
  const checkpoint = await checkpointOf(whole.documents, workspace)
  await part.documents.insertMany(records, stripped)
  await part.documents.insertMany(sourceKeys, stripped.flatMap(sourceKeysOf).filter(isFirstOfItsId()))
  await part.documents.insertMany(
    questionLinks,
    stripped.filter((row) => row.kind === 'question').flatMap(questionLinksOf),
  )
  await part.documents.insert(checkpoints, checkpoint)
  const head = await headOf(whole.documents, workspace)
  const entry = (await entryOf(whole.documents, workspace, head.number)) as Entry | undefined
  if (entry) await part.documents.insert(entries, { ...entry, receipts: [], records: [], links: [] })
  await part.search.create(checkpoint.live)
  const searched = stripped.filter(({ kind }) => kind !== 'question')
  await part.search.upsert(checkpoint.live, searched.map(searchDocumentOf))
  await part.search.refresh(checkpoint.live, workspace, { epoch: 'epoch', sequence: checkpoint.indexed_seq })
  return part
}

function isFirstOfItsId() {
  const seen = new Set<string>()
  return ({ id }: { id: string }) => !seen.has(id) && seen.add(id) !== undefined
}

function withoutOthers(row: PrecedentRecord, ids: ReadonlySet<string>): PrecedentRecord {
  const successors = row.successors.filter((successor) => ids.has(successor.id))
  // a question is seen by those only who see all its records
  if (row.kind === 'question') return row
  return changedRow(row, {
    sources: row.sources.filter((source) => ids.has(namedRecord(source, workspace) ?? row.record_id)),
    successors,
    superseded_by: successors[0]?.id ?? null,
    supersedes: row.supersedes.filter((id) => ids.has(id)),
    body: row.kind === 'memory' ? memoryBody(row.body, ids) : decisionBody(bodyOf(row, 'decision'), ids),
  })
}

function memoryBody({ corrects, ...body }: MemoryBody, ids: ReadonlySet<string>): MemoryBody {
  return corrects !== undefined && ids.has(corrects) ? { ...body, corrects } : body
}

function decisionBody(body: DecisionBody, ids: ReadonlySet<string>): DecisionBody {
  // an external_id shows nothing of what has it: that is read from the store
  return { ...body, void_links: body.void_links.filter(({ target }) => ids.has(target) || !uuidPattern.test(target)) }
}
