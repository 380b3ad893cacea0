/** The judgment of a proposal names the failed decisions that the proposal repeats. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../src/context/brief/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { getDecision } from '../../src/decisions/get.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import type { RecordId } from '../../src/ids.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { comparisons } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { Operation } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { inlineCompareWorker as compareWorker } from '../../src/questions/compare/compare-worker.ts'
import { receipts } from '../../src/receipt.ts'
import { recordOfQuestion } from '../../src/records/named.ts'
import { questionLinks } from '../../src/records/projections/question-links.ts'
import type { RecordOf } from '../../src/records/record.ts'
import { apply, promise, quiet, rows, type World, workspace, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { Died, worker } from '../support/chaos.ts'
import { compareWorkspace } from '../support/compare-workspace.ts'
import { actors } from '../support/readers.ts'

const [ada, ben] = actors as [(typeof actors)[number], (typeof actors)[number]]
const own = { scope: 'private' }
const shared = { scope: 'workspace' }
const before = {
  title: 'Redis for jobs',
  judgment: 'Background jobs are queued in Redis.',
  decided_at: '2024-03-01T00:00:00Z',
}
const again = { title: 'Queues on Redis', judgment: 'Queue background jobs in Redis streams.', status: 'proposed' }
const named =
  'Queues on Redis: (“Redis for jobs” (2024-03-01) was about the same and failed.) Queue background jobs in Redis streams.'
const plain = 'Queues on Redis: Queue background jobs in Redis streams.'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

async function applied(operation: Operation<never>, input: object, actor = ada): Promise<string> {
  const receipt = await apply(on, operation as Operation<unknown>, input, actor)
  expect(receipt, JSON.stringify(receipt.error)).toMatchObject({ state: 'applied' })
  return receipt.entity?.id as string
}
const decide = (input: object, actor = ada) => applied(recordDecision as never, input, actor)
const report = (id: string, outcome_status: string, more: object = {}) =>
  applied(recordOutcome as never, { id, outcome_status, ...more })
const answer = (id: string, resolution: string, more: object = {}) =>
  applied(resolve as never, { question_id: `judgment:${id}`, resolution, ...more })
const fail = async (input: object = before) => {
  const id = await decide(input)
  await report(id, 'failure', { outcome_notes: 'Jobs were lost when Redis ran out of memory.' })
  return id
}
async function judgmentOf(id: string): Promise<RecordOf<'question'>> {
  const question = recordOfQuestion(workspace, `judgment:${id}`)
  const found = (await rows(on)).find((row) => row.record_id === question)
  expect(found).toBeDefined()
  return found as RecordOf<'question'>
}
const claimOn = async (id: string) => (await judgmentOf(id)).body.claim
const reads = async () => readsOf(on, new Date(on.clock.now()).toISOString())
/** The open judgments that a search shows with this decision. */
async function judgmentsShownWith(id: string, actor = ada): Promise<string[]> {
  const { open_questions = [] } = await ask(
    await reads(),
    searchContext,
    { references: [{ type: 'decision', id }] },
    actor,
  )
  return open_questions.flatMap(({ reason, claim }) => (reason === 'pending_judgment' ? [claim] : []))
}

describe('a judgment names a failed decision', () => {
  it('if the proposal comes after the failure', async () => {
    const failed = await fail()
    const proposal = await decide(again)
    expect(await claimOn(proposal)).toBe(named)
    expect((await judgmentOf(proposal)).body.failed).toEqual([
      { record: failed, title: 'Redis for jobs', decided_at: expect.stringContaining('2024-03-01') },
    ])
    expect(await judgmentsShownWith(proposal)).toEqual([named])
    expect(await judgmentsShownWith(failed)).toEqual([named])
  })

  it('if the failure is reported while the proposal is open', async () => {
    const failed = await decide(before)
    const proposal = await decide(again)
    expect(await claimOn(proposal)).toBe(plain)
    expect(await judgmentsShownWith(failed)).toEqual([])
    await report(failed, 'failure')
    expect(await claimOn(proposal)).toBe(named)
    expect(await judgmentsShownWith(failed)).toEqual([named])
  })

  it('even if the failed decision was superseded before or is superseded later', async () => {
    const failed = await fail()
    const postgres = { title: 'Postgres for jobs', judgment: 'Jobs wait in a table of Postgres.' }
    await applied(supersedeDecision as never, { id: failed, decision: postgres, reason: 'Lost jobs.' })
    const proposal = await decide(again)
    expect(await judgmentsShownWith(proposal)).toEqual([named])
    const later = await fail({ ...before, title: 'Redis queues' })
    await applied(supersedeDecision as never, {
      id: later,
      decision: { ...postgres, title: 'Postgres' },
      reason: 'Why',
    })
    const [shown, ...others] = await judgmentsShownWith(proposal)
    expect(others).toEqual([])
    expect(shown).toContain('“Redis for jobs” (2024-03-01) was about the same and failed. “Redis queues” (2024-03-01)')
  })

  it('for a proposed revision of an accepted decision, and again for the next one', async () => {
    const failed = await fail()
    const decision = { title: 'Queues', judgment: 'Jobs wait in a file.', external_id: 'queues' }
    const id = await decide(decision)
    await decide({ ...again, external_id: 'queues' })
    expect(await claimOn(id)).toBe(named)
    await answer(id, 'dismiss')
    expect(await judgmentsShownWith(failed)).toEqual([])
    await decide({ ...decision, status: 'proposed', judgment: 'Jobs wait in a folder.' })
    expect(await claimOn(id)).toBe('Queues: Jobs wait in a folder.')
    expect(await judgmentsShownWith(failed)).toEqual([])
    await decide({ ...again, external_id: 'queues', rationale: 'It is fast.' })
    expect(await claimOn(id)).toBe(named)
    expect(await judgmentsShownWith(failed)).toEqual([named])
    // the answer to the first proposal quotes what was asked then, and is none about the failed decision
    const get = async (decision: string) => (await ask(await reads(), getDecision, { id: decision }, ada)).answers
    expect(await get(id)).toMatchObject([{ resolution: 'dismiss', claim: named }])
    expect(await get(failed)).toEqual(await get(await decide({ title: 'Other', judgment: 'Nothing.' })))
  })

  it('but not one that is in force without an outcome, succeeded, or says something else', async () => {
    await decide(before)
    await report(await decide({ ...before, title: 'Redis jobs' }), 'success')
    await report(await decide({ ...before, title: 'Jobs in Redis' }), 'mixed')
    await fail({ title: 'Postgres for jobs', judgment: 'Background jobs are queued in Postgres.' })
    expect(await claimOn(await decide(again))).toBe(plain)
  })

  it('at most three of them', async () => {
    for (const title of ['Redis', 'Redis for jobs', 'Jobs', 'Jobs in Redis']) await fail({ ...before, title })
    expect((await judgmentOf(await decide(again))).body.failed).toHaveLength(3)
  })

  it('before a long judgment, which is shortened', async () => {
    await fail()
    const rest = 'The cluster has three machines in each of two halls. '.repeat(80)
    const proposal = await decide({ ...again, judgment: `${again.judgment} ${rest}` })
    const claim = await claimOn(proposal)
    expect([...claim]).toHaveLength(2000)
    expect(claim).toContain('was about the same and failed.) Queue background jobs in Redis streams. The cluster')
  })

  it('and a brief on the question shows it with the notes of its outcome', async () => {
    const failed = await fail()
    const proposal = await decide(again)
    const { markdown } = await ask(await reads(), brief, { query: `judgment:${proposal}` }, ada)
    expect(markdown).toContain('(“Redis for jobs” (2024-03-01) was about the same and failed.)')
    expect(markdown).toContain('## What failed before')
    expect(markdown).toContain('Jobs were lost when Redis ran out of memory.')
    const postgres = { title: 'Postgres for jobs', judgment: 'Jobs wait in a table of Postgres.' }
    await applied(supersedeDecision as never, { id: failed, decision: postgres, reason: 'Lost jobs.' })
    const later = await ask(await reads(), brief, { query: `judgment:${proposal}` }, ada)
    expect(later.markdown).toContain('Jobs were lost when Redis ran out of memory.')
    // it is listed where it failed, not as a decision that counts

    expect(later.markdown.split('Redis for jobs** (').length).toBe(2)
  })
})

describe('a judgment names a failed decision no more', () => {
  it.each(['success', 'mixed'])('once its leading outcome is %s, until it fails again', async (recovered) => {
    const failed = await fail()
    const proposal = await decide(again)
    await report(failed, recovered)
    expect(await claimOn(proposal)).toBe(plain)
    expect(await judgmentsShownWith(failed)).toEqual([])
    expect(await judgmentsShownWith(proposal)).toEqual([plain])
    await report(failed, 'failure', { outcome_notes: 'Again.' })
    expect(await claimOn(proposal)).toBe(named)
    expect(await judgmentsShownWith(failed)).toEqual([named])
  })

  it('but keeps it if the success was observed before the failure', async () => {
    const failed = await fail()
    const proposal = await decide(again)
    await report(failed, 'success', { observed_at: '2024-06-01T00:00:00Z' })
    expect(await claimOn(proposal)).toBe(named)
  })

  it('if the failed decision was revised, unless the revision is repeated too', async () => {
    const failed = await fail({ ...before, external_id: 'jobs' })
    const proposal = await decide(again)
    await decide({ ...before, external_id: 'jobs', title: 'Redis for all jobs' })
    expect(await claimOn(proposal)).toBe(named.replace('Redis for jobs', 'Redis for all jobs'))
    await decide({ ...before, external_id: 'jobs', judgment: 'Background jobs are queued in files.' })
    expect(await claimOn(proposal)).toBe(plain)
    expect(await judgmentsShownWith(failed)).toEqual([])
  })

  it.each(['confirm', 'dismiss', 'correct'])('once it was answered with %s', async (resolution) => {
    const failed = await fail()
    const proposal = await decide(again)
    await answer(proposal, resolution, resolution === 'correct' ? { note: 'Jobs wait in Postgres.' } : {})
    expect(await judgmentsShownWith(failed)).toEqual([])
    await report(failed, 'success')
    await report(failed, 'failure')
    expect((await judgmentOf(proposal)).valid_to).not.toBeNull()
    expect(await judgmentsShownWith(failed)).toEqual([])
  })

  it('if a revision of the failed decision supersedes the proposal: the judgment closes', async () => {
    await fail({ ...before, external_id: 'jobs' })
    const proposal = await decide(again)
    await decide({ ...before, external_id: 'jobs', judgment: 'Jobs wait in a file.', supersedes: [proposal] })
    expect((await judgmentOf(proposal)).valid_to).not.toBeNull()
  })
})

describe('audiences', () => {
  const cases = [
    ['private', 'workspace', own, shared, false],
    ['private', 'private', own, own, true],
    ['workspace', 'private', shared, own, true],
    ['team', 'workspace', { scope: 'team', team_id: ada.teams[0] }, shared, false],
    ['workspace', 'team', shared, { scope: 'team', team_id: ada.teams[0] }, true],
  ] as const
  it.each(cases)('a failed %s decision and a %s proposal', async (_, __, failed, proposed, isNamed) => {
    await fail({ ...before, visibility: failed })
    expect(await claimOn(await decide({ ...again, visibility: proposed }))).toBe(isNamed ? named : plain)
  })
  it.each(cases)('a failed %s decision and a %s proposal before it', async (_, __, failed, proposed, isNamed) => {
    const proposal = await decide({ ...again, visibility: proposed })
    await fail({ ...before, visibility: failed })
    expect(await claimOn(proposal)).toBe(isNamed ? named : plain)
  })

  it('private decisions of others take no place: neither those that failed, nor proposals', async () => {
    const failed = await fail({ ...before, visibility: shared })
    for (let count = 0; count < 15; count++) {
      const id = await decide({ ...before, title: `Redis ${count}`, visibility: own }, ben)
      await apply(on, recordOutcome, { id, outcome_status: 'failure' }, ben)
    }
    const proposal = await decide({ ...again, visibility: shared })
    expect(await claimOn(proposal)).toBe(named)
    await report(failed, 'success')
    for (let count = 0; count < 15; count++) await decide({ ...again, title: `Queues ${count}`, visibility: own }, ben)
    await report(failed, 'failure')
    expect(await claimOn(proposal)).toBe(named)
  })

  it('the private proposal of one user is not shown to another who sees the failed decision', async () => {
    const failed = await fail({ ...before, visibility: shared })
    await decide({ ...again, visibility: own })
    expect(await judgmentsShownWith(failed)).toEqual([named])
    expect(await judgmentsShownWith(failed, ben)).toEqual([])
  })
})

describe('under faults', () => {
  const lanes = [
    { workspace, lane: 'interactive' as const },
    { workspace, lane: 'import' as const },
  ]
  /** Decides and indexes all receipts, but compares nothing. */
  async function applyAndIndex(): Promise<void> {
    for (const lane of lanes) await drain(on.portsOf(on), lane)
    for (const lane of lanes) await indexWorkspace(on.portsOf(on), lane)
  }
  const compare = (documents = on.documents) =>
    compareWorkspace({ ...on.portsOf({ ...on, documents }), compareWorker }, { workspace })
  const namings = async () => {
    const where = { workspace, open: { in: [0, 1] } }
    const all = await on.documents.find(receipts, { where, limit: 1_000 })
    return all.filter(({ operation }) => operation === 'question.name_failure')
  }

  it('names it once if several workers compare the same entries, or compare them again', async () => {
    const failed = await fail()
    await promise(on, recordDecision, again)
    await applyAndIndex()
    await Promise.all([1, 2, 3].map(() => compare()))
    await on.documents.delete(comparisons, [workspace])
    await quiet(on)
    await on.documents.delete(comparisons, [workspace])
    await quiet(on)
    expect(await namings()).toHaveLength(1)
    expect(await namings()).toMatchObject([{ state: 'applied', format: 2 }])
    expect(await judgmentsShownWith(failed)).toEqual([named])
  })

  it.each(['die before', 'die after'] as const)(
    'names it once if a worker compares until it must %s a call',
    async (fault) => {
      let hasEnded = false
      let rounds = 0
      for (let call = 0; !hasEnded; call++) {
        expect(call).toBeLessThan(60)
        // the records of one user are not compared with those of another
        const user = { ...ada, user: `user-${call}` }
        const failed = await decide({ ...before, visibility: own }, user)
        await promise(on, recordOutcome, { id: failed, outcome_status: 'failure' }, user)
        await promise(on, recordDecision, { ...again, visibility: own }, user)
        await applyAndIndex()
        const dying = worker(on, () => 0, new Map([[call, fault]]))
        await Promise.race([compare(dying.documents), dying.died]).catch((error: unknown) => {
          if (!(error instanceof Died)) throw error
        })
        hasEnded = !dying.isDead()
        await quiet(on)
        expect(await judgmentsShownWith(failed, user)).toEqual([named])
        expect(await namings()).toHaveLength(++rounds)
      }
    },
  )

  it('names nothing that stopped being so between comparing and deciding', async () => {
    const failed = await fail()
    const { id } = await promise(on, recordDecision, again)
    await applyAndIndex()
    await compare()
    expect(await namings()).toMatchObject([{ state: 'accepted' }])
    await promise(on, recordOutcome, { id: failed, outcome_status: 'success' })
    await drain(on.portsOf(on), lanes[0] as (typeof lanes)[number])
    await quiet(on)
    const proposal = (await on.documents.get(receipts, id, ['entity']))?.entity?.id as string
    expect(await claimOn(proposal)).toBe(plain)
  })

  it.each([{ resolution: 'dismiss' }, { resolution: 'correct', note: 'Jobs wait in Postgres.' }])(
    'leaves a judgment closed that was answered before the finding is decided: %o',
    async (answer) => {
      await fail()
      await promise(on, recordDecision, again)
      await applyAndIndex()
      await compare()
      const proposal = (await rows(on)).find(({ status }) => status === 'proposed')?.record_id as RecordId
      await promise(on, resolve, { question_id: `judgment:${proposal}`, ...answer })
      await drain(on.portsOf(on), lanes[0] as (typeof lanes)[number])
      await quiet(on)
      expect(await judgmentOf(proposal)).toMatchObject({ valid_to: expect.any(String), body: { claim: plain } })
    },
  )

  it('removes the name also if naming and success are decided in one entry', async () => {
    const failed = await fail()
    await promise(on, recordDecision, again)
    await applyAndIndex()
    await compare()
    await promise(on, recordOutcome, { id: failed, outcome_status: 'success' }, ada, 'import')
    await quiet(on)
    const proposal = (await rows(on)).find(({ status }) => status === 'proposed')?.record_id as RecordId
    expect(await claimOn(proposal)).toBe(plain)
    const links = await on.documents.find(questionLinks, {
      where: { workspace, record_id: failed as RecordId },
      limit: 9,
    })
    expect(
      links.filter(({ question }) => question === recordOfQuestion(workspace, `judgment:${proposal}`)),
    ).toMatchObject([{ open: 0 }])
  })
})
