/**
 * Records that a caller can't see do not exist for it (SEMANTICS 2). Each answer equals that of a store with only the
 * records that the caller may see.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { brief } from '../../src/context/brief/brief.ts'
import { facetsOf } from '../../src/deciding/facets.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { receipts } from '../../src/receipt.ts'
import { getReceipt } from '../../src/receipts/get.ts'
import { listReceipts } from '../../src/receipts/list.ts'
import type { PrecedentRecord, RecordOf } from '../../src/records/record.ts'
import { currentOf } from '../../src/records/revisions.ts'
import { approveRun } from '../../src/runs/approve.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { startRun } from '../../src/runs/start.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { createTask } from '../../src/tasks/create.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { apply, openWorld, promise, quiet, rows, type World, workspace } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { profile } from '../support/profile.ts'
import { actors } from '../support/readers.ts'
import { tries } from '../support/size.ts'
import { crowd, nobody } from '../support/visibility/crowd.ts'
import { readsFor } from '../support/visibility/reads.ts'
import { announceExecutor, tellOfRuns } from '../support/visibility/runs.ts'
import { visibleOnly } from '../support/visibility/visible-only.ts'
import { historiesOf, inputFor, missing, type Write, words } from '../support/visibility/writes.ts'

/** Each run makes hundreds of reads on each of four stores, which take many seconds on servers. */
const { runs, ...lengths } =
  profile === 'embedded' ? { runs: 6, minLength: 15, maxLength: 30 } : { runs: 1, minLength: 10, maxLength: 12 }

const histories = historiesOf(lengths)

it('every answer equals that of a store with only the records that the caller may see', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (writes) => {
      const whole = await openWorld(randomOf(1))
      try {
        announceExecutor(whole)
        await perform(writes, whole)
        await tellOfRuns(whole)
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
        announceExecutor(on)
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

async function compare(whole: World, actor: Actor): Promise<void> {
  const at = new Date(whole.clock.now()).toISOString()
  const all = await rows(whole)
  const hidden = all.filter((row) => !audiencesOf(actor).includes(row.audience))
  const part = await visibleOnly(whole, all, actor)
  announceExecutor(part)
  const watching: Reads[] = []
  try {
    const [one, other] = [await readsOf(whole, at), await readsOf(part, at)]
    watching.push(one, other)
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
    for (const { runs } of watching) runs.close()
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
  const start = (id: string) => settled(promise(on, startRun, { id }, actor))
  const approve = (id: string) => settled(promise(on, approveRun, { id, plan_revision: 0 }, actor))
  const cancel = (id: string) => settled(promise(on, cancelRun, { id }, actor))
  const ofTasks = [change, comment, part, decided, start, approve, cancel]
  for (const refused of [correct, supersede, report, replace, ...ofTasks]) {
    const expected = await refused(missing)
    expect(expected).toMatchObject({ code: 'not_found' })
    for (const row of hidden) expect(await refused(row.record_id)).toEqual(expected)
  }
}
