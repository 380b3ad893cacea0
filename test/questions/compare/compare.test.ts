import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/access/actor.ts'
import { recordOutcome } from '../../../src/decisions/outcome.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import type { RecordId, WorkspaceId } from '../../../src/ids.ts'
import { indexWorkspace } from '../../../src/indexing/index-entries.ts'
import { checkpointOf, comparedOf, comparisons } from '../../../src/journal/checkpoint.ts'
import { drain } from '../../../src/journal/drain.ts'
import { entries } from '../../../src/journal/entry.ts'
import { prune } from '../../../src/journal/maintenance/prune.ts'
import { remember } from '../../../src/memories/remember.ts'
import { backlogOf } from '../../../src/metrics/backlog.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { resolve } from '../../../src/questions/answer/resolve.ts'
import {
  inlineCompareWorker as compareWorker,
  threadedCompareWorker,
} from '../../../src/questions/compare/compare-worker.ts'
import { comparer } from '../../../src/questions/compare/comparer.ts'
import { mostUrgentQuestions } from '../../../src/questions/open.ts'
import type { OpenQuestion } from '../../../src/questions/schema.ts'
import { receipts } from '../../../src/receipt.ts'
import { recordReader } from '../../../src/records/read/reader.ts'
import { records } from '../../../src/records/record.ts'
import { withoutClaim } from '../../../src/records/superseded-claims.ts'
import { actorAda, apply, promise, quiet, rows, type World, workspace, world } from '../../support/apply.ts'
import { readsOf } from '../../support/ask.ts'
import { compareWorkspace } from '../../support/compare-workspace.ts'
import { threadThat } from './thread.ts'

const ben: Actor = { ...actorAda, user: 'ben', credential: 'key-of-ben' }
const [team] = actorAda.teams as [string]
const lanes = [
  { workspace, lane: 'interactive' as const },
  { workspace, lane: 'import' as const },
]
const short = { kind: 'fact', content: 'Audit logs are kept for 30 days.' }
const long = { kind: 'fact', content: 'We store audit logs for 90 days.' }

describe('comparing claims', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  async function asked(actor: Actor = actorAda): Promise<OpenQuestion[]> {
    const reads = await readsOf(on, new Date(on.clock.now()).toISOString())
    const presenting = { reader: recordReader(reads.documents, actor, reads.clock), publicUrl: '' }
    return (await mostUrgentQuestions({ reads, presenting })).map(({ question }) => question)
  }
  /** Decides and indexes all receipts, but compares nothing. */
  async function applyAndIndex(): Promise<void> {
    const ports = on.portsOf(on)
    for (const lane of lanes) await drain(ports, lane)
    for (const lane of lanes) await indexWorkspace(ports, lane)
  }

  it('asks one question about two contradicting claims and quotes both', async () => {
    const older = await apply(on, remember, short)
    const newer = await apply(on, remember, long)
    const [question, ...others] = await asked()
    expect(others).toEqual([])
    expect(question).toMatchObject({ reason: 'contradiction', priority: 'blocking', confidence: 0.5 })
    expect(question?.question_id).toMatch(/^clarification:[0-9a-f]+$/)
    expect(question?.subject).toMatchObject({ kind: 'memory', id: newer.entity?.id })
    expect(question?.claim).toContain(short.content)
    expect(question?.claim).toContain(long.content)
    expect(older.entity).not.toBeNull()
  })

  describe('closes the question who else can confirm a rule', () => {
    const sources = [{ type: 'mail', id: 'mail-1' }]
    const rule = { ...short, kind: 'constraint', sources }
    const reasons = async (actor?: Actor) => (await asked(actor)).map(({ reason }) => reason).sort()

    it.each(['older', 'newer'])('if it is the %s one of two records that contradict each other', async (which) => {
      const other = { ...long, occurred_at: which === 'older' ? '2025-06-01T00:00:00Z' : '2024-03-01T00:00:00Z' }
      await apply(on, remember, { ...rule, occurred_at: '2025-03-01T00:00:00Z' })
      expect(await reasons()).toEqual(['single_source'])
      await apply(on, remember, other)
      expect(await reasons()).toEqual(['contradiction'])
    })

    it('but not if fewer people see the contradiction', async () => {
      await apply(on, remember, rule)
      await apply(on, remember, { ...long, visibility: { scope: 'private' } })
      expect(await reasons()).toEqual(['contradiction', 'single_source'])
      expect(await reasons(ben)).toEqual(['single_source'])
    })
  })

  it('applies writes before their claims are compared', async () => {
    const first = await promise(on, remember, short)
    const second = await promise(on, remember, long)
    await applyAndIndex()
    for (const { id } of [first, second])
      expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'applied' })
    expect([await comparedOf(on.documents, workspace), (await checkpointOf(on.documents, workspace)).indexed]).toEqual([
      0, 1,
    ])
    expect(await asked()).toEqual([])
    await quiet(on)
    expect(await asked()).toHaveLength(1)
  })

  it('does not compare the notes of an outcome; a failure asks only what was learned', async () => {
    await apply(on, remember, short)
    const { entity } = await apply(on, recordDecision, { title: 'Audit logs', judgment: 'We write them to tape.' })
    const outcome = { id: entity?.id, outcome_notes: long.content }
    await apply(on, recordOutcome, { ...outcome, outcome_status: 'mixed' })
    expect(await asked()).toEqual([])
    await apply(on, recordOutcome, { ...outcome, outcome_status: 'failure' })
    expect((await asked()).map(({ reason }) => reason)).toEqual(['loss_ledger_gap'])
    // the same words are a claim in a memory
    await apply(on, remember, long)
    expect((await asked()).map(({ reason }) => reason).sort()).toEqual(['contradiction', 'loss_ledger_gap'])
  })

  it('asks once even if several workers compare the same entries, or compare them again', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    await Promise.all([1, 2, 3].map(() => compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })))
    await on.documents.delete(comparisons, [workspace])
    await quiet(on)
    expect((await rows(on)).filter((row) => row.kind === 'question')).toHaveLength(1)
  })

  it('asks nothing if a record was corrected between comparing and deciding', async () => {
    const { entity } = await apply(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    // the finding has a receipt that is not decided yet
    await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })
    const correction = {
      kind: 'correction',
      content: 'Audit logs are kept until the audit ends.',
      corrects_memory_id: entity?.id,
    }
    await promise(on, remember, correction)
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    expect((await rows(on)).filter((row) => row.kind === 'question')).toEqual([])
  })

  it('closes the question when one of the two records is superseded', async () => {
    await apply(on, remember, short)
    const { entity } = await apply(on, remember, long)
    await apply(on, remember, { kind: 'correction', content: 'Audit logs: 30 days.', corrects_memory_id: entity?.id })
    expect(await asked()).toEqual([])
  })

  describe('after a claim of a longer record was retracted', () => {
    const parser = {
      kind: 'fact',
      title: 'Parser limits',
      content: 'The parser upload limit is 30 MB. The parser runs on two machines in the cellar.',
    }
    const limitOf = (megabytes: number) => ({ kind: 'fact', content: `The parser upload limit is ${megabytes} MB.` })
    const noted = ({ question_id }: OpenQuestion, megabytes: number) => {
      return { question_id, resolution: 'correct', note: limitOf(megabytes).content }
    }
    const questions = async () => (await rows(on)).filter((row) => row.kind === 'question')

    it('asks no more about a retracted claim, but still about the rest of its record', async () => {
      const { entity } = await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      const [question] = await asked()
      await apply(on, resolve, noted(question as OpenQuestion, 40))
      expect(await asked()).toEqual([])
      await apply(on, remember, limitOf(40))
      expect(await asked()).toEqual([])
      expect(await questions()).toHaveLength(1)
      // the rest of the record stays in force and is compared
      expect((await rows(on)).find((row) => row.record_id === entity?.id)).toMatchObject({ superseded_by: null })
      await apply(on, remember, { kind: 'fact', content: 'The parser runs on three machines in the cellar.' })
      expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('two machines')])
    })

    it('compares the rest of the record if the retracted claim contains a hyphen', async () => {
      const limit = (megabytes: number) => `The audit-log upload limit is ${megabytes} MB.`
      const content = `${limit(30)} The parser runs on two machines in the cellar.`
      await apply(on, remember, { kind: 'fact', title: 'Limits', content })
      await apply(on, remember, { kind: 'fact', content: limit(45) })
      const { question_id } = (await asked())[0] as OpenQuestion
      await apply(on, resolve, { question_id, resolution: 'correct', note: limit(40) })
      await apply(on, remember, { kind: 'fact', content: 'The parser runs on three machines in the cellar.' })
      expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('two machines')])
    })

    it('closes all other questions about a retracted claim and drops findings that wait to be decided', async () => {
      await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      const [first] = await asked()
      await apply(on, remember, limitOf(60))
      const areOpen = async () =>
        (await questions()).filter(({ text }) => text.includes('30 MB')).map(({ valid_to }) => valid_to === null)
      expect(await areOpen()).toEqual([true, true])
      await promise(on, remember, limitOf(75))
      await applyAndIndex()
      await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })
      // this answer is decided before the new finding
      await promise(on, resolve, noted(first as OpenQuestion, 40))
      await drain(on.portsOf(on), { workspace, lane: 'interactive' })
      await quiet(on)
      expect(await areOpen()).toEqual([false, false])
    })

    it('rejects a second answer about the same claim, if both were accepted before the first was decided', async () => {
      await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      await apply(on, remember, limitOf(60))
      const aboutLimit = (await asked()).filter(({ claim }) => claim.includes('30 MB'))
      expect(aboutLimit).toHaveLength(2)
      const promised = []
      for (const question of aboutLimit) promised.push(await promise(on, resolve, noted(question, 40)))
      await quiet(on)
      const ended = await Promise.all(promised.map(({ id }) => on.documents.get(receipts, id)))
      expect(ended.map((one) => one?.error?.code ?? one?.state)).toEqual(['applied', 'question_closed'])
    })
  })

  it('rejects answers about a retracted claim even if its question was left open', async () => {
    await apply(on, remember, { ...short, content: `${short.content} Emil reads them.` })
    await apply(on, remember, long)
    const [question] = await asked()
    const input = { question_id: question?.question_id, resolution: 'correct', note: 'Audit logs are kept for a year.' }
    const waiting = await promise(on, resolve, { ...input, note: 'Audit logs are kept for a decade.' })
    const [older] = (await rows(on)).filter(({ kind, text }) => kind === 'memory' && text.includes('Emil'))
    const mutable = withoutClaim(older?.mutable ?? {}, { claim: short.content, by: older?.record_id as RecordId })
    await on.documents.update(records, older?.id as string, { set: { mutable: mutable as never } })
    await expect(promise(on, resolve, input)).rejects.toMatchObject({ code: 'revision_conflict' })
    await quiet(on)
    expect(await on.documents.get(receipts, waiting.id)).toMatchObject({ error: { code: 'question_closed' } })
  })

  it('reopens a question with the wording of the new claim', async () => {
    const decision = (text: string) => ({ title: 'Audit logs', judgment: text, external_id: 'adr-1' })
    await apply(on, remember, short)
    await apply(on, recordDecision, decision('Audit logs are kept for 60 days.'))
    await apply(on, recordDecision, decision('Audit logs are read by nobody.'))
    expect(await asked()).toEqual([])
    await apply(on, recordDecision, decision('Audit logs are kept for 90 days.'))
    expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('90 days')])
  })

  it('asks only those who see both records, and compares no records of disjoint audiences', async () => {
    await apply(on, remember, short)
    await apply(on, remember, { ...long, visibility: { scope: 'private' } })
    expect(await asked()).toHaveLength(1)
    expect(await asked(ben)).toEqual([])
    const other = { kind: 'fact', content: 'The night shift has 4 nurses.' }
    await apply(on, remember, { ...other, visibility: { scope: 'team', team_id: team } })
    const mine = { kind: 'fact', content: 'There are 6 nurses in the night shift.', visibility: { scope: 'private' } }
    await apply(on, remember, mine)
    expect(await asked()).toHaveLength(1)
  })

  it('compares a proposal when it is accepted, not before', async () => {
    await apply(on, remember, short)
    const proposal = { title: 'Audit logs', judgment: 'Audit logs are kept for 60 days.', external_id: 'adr-1' }
    await apply(on, recordDecision, { ...proposal, status: 'proposed' })
    expect((await asked()).map(({ reason }) => reason)).toEqual(['pending_judgment'])
    await apply(on, recordDecision, { ...proposal, status: 'accepted' })
    expect((await asked()).map(({ reason }) => reason)).toEqual(['contradiction'])
  })

  it('asks about a name that means different entities in two records', async () => {
    const entity = (id: string, name: string) => ({ entities: [{ type: 'customer', id, name }] })
    const renewed = {
      title: 'Renewal',
      judgment: 'Meridian gets the renewal price.',
      ...entity('c-1', 'Meridian Health'),
    }
    const ended = {
      title: 'Pilot',
      judgment: 'Meridian is let out of the pilot.',
      ...entity('c-2', 'Meridian Logistics'),
    }
    await apply(on, recordDecision, renewed)
    await apply(on, recordDecision, ended)
    const [question] = await asked()
    expect(question).toMatchObject({
      reason: 'ambiguous_identity',
      subject: { kind: 'entity', entity_kind: 'customer', query: 'Meridian' },
    })
    expect(question?.claim).toContain('Meridian Health')
  })

  it('prunes no journal entry before its claims were compared', async () => {
    for (const content of ['One.', 'Two.', 'Three.']) {
      await promise(on, remember, { kind: 'fact', content })
      await applyAndIndex()
    }
    while (on.clock.now() < Date.parse('2026-01-01T00:01:30Z')) {}
    const retention = { journalDays: 1 / (24 * 60), receiptDays: 0 }
    expect((await prune(on.portsOf(on), retention)).emptied).toBe(0)
    await quiet(on)
    expect((await prune(on.portsOf(on), retention)).emptied).toBe(2)
    expect(await on.documents.find(entries, { where: { workspace, emptied: true }, limit: 9 })).toHaveLength(2)
  })

  it('compares a second workspace before the long backlog of the first is done', async () => {
    const other = '00000000-0000-7000-8000-0000000000bb' as WorkspaceId
    const quietActor: Actor = { ...ben, workspace: other }
    for (let n = 0; n < 120; n++) await promise(on, remember, { kind: 'fact', content: `Disk ${n} holds ${n} files.` })
    await promise(on, remember, short, quietActor)
    await applyAndIndex()
    const job = { workspace: other, lane: 'interactive' as const }
    await drain(on.portsOf(on), job)
    await indexWorkspace(on.portsOf(on), job)
    const comparedIn: string[] = []
    const watching: typeof compareWorker = {
      ...compareWorker,
      run(comparison) {
        comparedIn.push(comparison.row.workspace)
        return compareWorker.run(comparison)
      },
    }
    const comparing = comparer({ ...on.portsOf(on), compareWorker: watching })
    comparing.wake(workspace)
    comparing.wake(other)
    await comparing.look()
    expect(comparedIn.filter((one) => one === workspace).length).toBeGreaterThanOrEqual(120)
    // after one turn of the first workspace, not after all of it
    expect(comparedIn.indexOf(other)).toBeLessThanOrEqual(50)
  })

  it('compares workspaces even if every wake was lost', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    await comparer({ ...on.portsOf(on), compareWorker }).look()
    await applyAndIndex()
    expect(await asked()).toHaveLength(1)
  })

  it('waits while search is away, tells how far it is behind, and then asks what it would have asked', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    const ports = on.portsOf(on)
    const candidates = () => Promise.reject(new EngineUnavailable('search', 'away', undefined, 'unreachable'))
    const away = { ...ports, search: { ...ports.search, candidates }, compareWorker }
    await expect(comparer(away).look()).rejects.toThrow('away')
    const lag = async () => (await backlogOf(on.documents, on.clock)).lag.compared
    expect([await comparedOf(on.documents, workspace), await lag()]).toEqual([0, { most: 1, sum: 1 }])
    await quiet(on)
    expect(await asked()).toHaveLength(1)
    expect(await lag()).toEqual({ most: 0, sum: 0 })
  })

  it('skips a record on which the thread dies, names it in the log, counts it, and compares all others', async () => {
    const deadly = await promise(on, remember, { kind: 'fact', content: 'Audit logs are kept for 40 deadly days.' })
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    const ports = on.portsOf(on)
    const logged: object[] = []
    const log = { ...ports.log, error: (fields: object) => void logged.push(fields) } as typeof ports.log
    let uncompared = 0
    const watch = { decided() {}, applied() {}, reduced() {}, uncompared: () => void uncompared++ }
    const dying = threadedCompareWorker(threadThat('process.exit(1)', 'deadly'), { little: 0 })
    try {
      await comparer({ ...ports, log, watch, compareWorker: dying }).look()
    } finally {
      await dying.close()
    }
    expect(await comparedOf(on.documents, workspace)).toBe(1)
    const record = (await on.documents.get(receipts, deadly.id))?.entity?.id
    expect(logged).toMatchObject([{ workspace, kind: 'memory', record, err: { message: expect.any(String) } }])
    expect(uncompared).toBe(1)
    await quiet(on)
    // the deadly record is an older one for the others
    expect((await asked()).filter(({ claim }) => !claim.includes('deadly'))).toHaveLength(1)
  })

  it('skips no record because of another failure than that of the rules, and compares it later', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyAndIndex()
    const askJudge = () => Promise.reject(new Error('the store is away'))
    const failing = { ...on.portsOf(on), compareWorker, askJudge }
    await expect(comparer(failing).look()).rejects.toThrow('the store is away')
    expect(await comparedOf(on.documents, workspace)).toBe(0)
    await quiet(on)
    expect(await asked()).toHaveLength(1)
  })

  it('stops when aborted and compares the entry in the next run', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await promise(on, remember, { kind: 'fact', content: 'Audit logs are kept for 60 days.' })
    await applyAndIndex()
    const stopping = new AbortController()
    let compared = 0
    const aborting: typeof compareWorker = {
      ...compareWorker,
      run(comparison) {
        compared++
        stopping.abort()
        return compareWorker.run(comparison)
      },
    }
    await comparer({ ...on.portsOf(on), compareWorker: aborting }, stopping.signal).look()
    expect([compared, await comparedOf(on.documents, workspace)]).toEqual([1, 0])
    await quiet(on)
    expect(await asked()).toHaveLength(3)
  })
})
