import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { comparedOf, comparisons } from '../../src/journal/compared.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries } from '../../src/journal/entry.ts'
import { checkpointOf } from '../../src/journal/head.ts'
import { indexWorkspace } from '../../src/journal/indexing.ts'
import { prune } from '../../src/journal/prune.ts'
import { remember } from '../../src/memories/remember.ts'
import { compareWorkspace } from '../../src/questions/compare.ts'
import { compareTasks } from '../../src/questions/compare-tasks.ts'
import { inlineCompareWorker as compareWorker } from '../../src/questions/compare-worker.ts'
import { comparer } from '../../src/questions/comparer.ts'
import { openQuestionsOn } from '../../src/questions/open.ts'
import { resolve } from '../../src/questions/resolve.ts'
import type { OpenQuestion } from '../../src/questions/schema.ts'
import { subjectKeys } from '../../src/questions/subject-keys.ts'
import { receipts } from '../../src/receipts/receipt.ts'
import type { RecordId, WorkspaceId } from '../../src/records/ids.ts'
import { recordReader } from '../../src/records/read.ts'
import { changedRow, records } from '../../src/records/record.ts'
import { withoutClaim } from '../../src/records/superseded-claims.ts'
import { actorAda, apply, promise, quiet, row, rows, type World, workspace, world } from '../support/apply.ts'
import { readsOf } from '../support/ask.ts'

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
    return (await openQuestionsOn({ reads, actor, presenting }, 'all', 10)).map(({ question }) => question)
  }
  /** Without comparing. */
  async function applyOnly(): Promise<void> {
    const ports = on.portsOf(on)
    for (const lane of lanes) await drain(ports, lane)
    for (const lane of lanes) await indexWorkspace(ports, lane)
  }

  it('asks which of two claims holds, once, and shows both', async () => {
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

  it('never holds back a write: it is applied before anything is compared', async () => {
    const first = await promise(on, remember, short)
    const second = await promise(on, remember, long)
    await applyOnly()
    for (const { id } of [first, second])
      expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'applied' })
    expect([await comparedOf(on.documents, workspace), (await checkpointOf(on.documents, workspace)).indexed]).toEqual([
      0, 1,
    ])
    expect(await asked()).toEqual([])
    await quiet(on)
    expect(await asked()).toHaveLength(1)
  })

  it('asks once, however many compare at once and again', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyOnly()
    await Promise.all([1, 2, 3].map(() => compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })))
    await on.documents.delete(comparisons, [workspace])
    await quiet(on)
    expect((await rows(on)).filter((row) => row.kind === 'question')).toHaveLength(1)
  })

  it('looks again before it asks: what was corrected meanwhile contradicts nothing', async () => {
    const { entity } = await apply(on, remember, short)
    await promise(on, remember, long)
    await applyOnly()
    // found, and waiting to be decided
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

  it('ends its question when one of the two is superseded', async () => {
    await apply(on, remember, short)
    const { entity } = await apply(on, remember, long)
    await apply(on, remember, { kind: 'correction', content: 'Audit logs: 30 days.', corrects_memory_id: entity?.id })
    expect(await asked()).toEqual([])
  })

  describe('of a claim that was superseded in a longer record', () => {
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

    it('asks no more, however often the subject comes up', async () => {
      const { entity } = await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      const [question] = await asked()
      await apply(on, resolve, noted(question as OpenQuestion, 40))
      expect(await asked()).toEqual([])
      await apply(on, remember, limitOf(40))
      expect(await asked()).toEqual([])
      expect(await questions()).toHaveLength(1)
      // the rest of it holds, and is compared as before
      expect((await rows(on)).find((row) => row.record_id === entity?.id)).toMatchObject({ superseded_by: null })
      await apply(on, remember, { kind: 'fact', content: 'The parser runs on three machines in the cellar.' })
      expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('two machines')])
    })

    it('is compared by the rest of it, with hyphens and dates too', async () => {
      const limit = (megabytes: number) => `The audit-log upload limit is ${megabytes} MB.`
      const content = `${limit(30)} The parser runs on two machines in the cellar.`
      await apply(on, remember, { kind: 'fact', title: 'Limits', content })
      await apply(on, remember, { kind: 'fact', content: limit(45) })
      const { question_id } = (await asked())[0] as OpenQuestion
      await apply(on, resolve, { question_id, resolution: 'correct', note: limit(40) })
      await apply(on, remember, { kind: 'fact', content: 'The parser runs on three machines in the cellar.' })
      expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('two machines')])
    })

    it('keeps no key, by which it would keep others from being found', async () => {
      const { entity } = await apply(on, remember, parser)
      const keysOf = async () => {
        const ids = compareTasks.keys([changedRow(await row(on, { entity } as never), { body: {} })]).flatMap((one) => {
          return 'found' in one ? one.found.map(({ id }) => id) : []
        })
        return (await on.documents.find(subjectKeys, { where: { id: { in: ids } }, limit: 100 })).length
      }
      const before = await keysOf()
      await apply(on, remember, limitOf(45))
      await apply(on, resolve, noted((await asked())[0] as OpenQuestion, 40))
      expect([before > 0, (await keysOf()) > 0, (await keysOf()) < before]).toEqual([true, true, true])
    })

    it('ends every other question about it, and asks none that was found meanwhile', async () => {
      await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      const [first] = await asked()
      await apply(on, remember, limitOf(60))
      const areOpen = async () =>
        (await questions()).filter(({ text }) => text.includes('30 MB')).map(({ valid_to }) => valid_to === null)
      expect(await areOpen()).toEqual([true, true])
      await promise(on, remember, limitOf(75))
      await applyOnly()
      await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })
      // before what comparing found is decided
      await promise(on, resolve, noted(first as OpenQuestion, 40))
      await drain(on.portsOf(on), { workspace, lane: 'interactive' })
      await quiet(on)
      expect(await areOpen()).toEqual([false, false])
    })

    it('closes the other question to an answer that comes with the first', async () => {
      await apply(on, remember, parser)
      await apply(on, remember, limitOf(45))
      await apply(on, remember, limitOf(60))
      const ofIt = (await asked()).filter(({ claim }) => claim.includes('30 MB'))
      expect(ofIt).toHaveLength(2)
      const promised = []
      for (const question of ofIt) promised.push(await promise(on, resolve, noted(question, 40)))
      await quiet(on)
      const ended = await Promise.all(promised.map(({ id }) => on.documents.get(receipts, id)))
      expect(ended.map((one) => one?.error?.code ?? one?.state)).toEqual(['applied', 'question_closed'])
    })
  })

  it('takes no answer about a claim that was superseded, though its question was left open', async () => {
    await apply(on, remember, { ...short, content: `${short.content} Emil reads them.` })
    await apply(on, remember, long)
    const [question] = await asked()
    const input = { question_id: question?.question_id, resolution: 'correct', note: 'Audit logs are kept for a year.' }
    const waiting = await promise(on, resolve, { ...input, note: 'Audit logs are kept for a decade.' })
    const [older] = (await rows(on)).filter(({ kind, text }) => kind === 'memory' && text.includes('Emil'))
    const body = withoutClaim(older?.body ?? {}, { claim: short.content, by: older?.record_id as RecordId })
    await on.documents.update(records, older?.id as string, { set: { body: body as never } })
    await expect(promise(on, resolve, input)).rejects.toMatchObject({ code: 'revision_conflict' })
    await quiet(on)
    expect(await on.documents.get(receipts, waiting.id)).toMatchObject({ error: { code: 'question_closed' } })
  })

  it('asks again in the words of what was found now', async () => {
    const decision = (text: string) => ({ title: 'Audit logs', judgment: text, external_id: 'adr-1' })
    await apply(on, remember, short)
    await apply(on, recordDecision, decision('Audit logs are kept for 60 days.'))
    await apply(on, recordDecision, decision('Audit logs are read by nobody.'))
    expect(await asked()).toEqual([])
    await apply(on, recordDecision, decision('Audit logs are kept for 90 days.'))
    expect((await asked()).map(({ claim }) => claim)).toEqual([expect.stringContaining('90 days')])
  })

  it('asks those who see both, and compares nothing that nobody sees together', async () => {
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

  it('asks of a name that two records mean differently', async () => {
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

  it('keeps entries from being emptied before their claims were compared', async () => {
    for (const content of ['One.', 'Two.', 'Three.']) {
      await promise(on, remember, { kind: 'fact', content })
      await applyOnly()
    }
    while (on.clock.now() < Date.parse('2026-01-01T00:01:30Z')) {}
    const retention = { journalDays: 1 / (24 * 60), receiptDays: 0 }
    expect((await prune(on.portsOf(on), retention)).emptied).toBe(0)
    await quiet(on)
    expect((await prune(on.portsOf(on), retention)).emptied).toBe(2)
    expect(await on.documents.find(entries, { where: { workspace, emptied: true }, limit: 9 })).toHaveLength(2)
  })

  it('takes turns between workspaces, though one has a long backlog', async () => {
    const other = '00000000-0000-7000-8000-0000000000bb' as WorkspaceId
    const quietActor: Actor = { ...ben, workspace: other }
    for (let n = 0; n < 120; n++) await promise(on, remember, { kind: 'fact', content: `Disk ${n} holds ${n} files.` })
    await promise(on, remember, short, quietActor)
    await applyOnly()
    const job = { workspace: other, lane: 'interactive' as const }
    await drain(on.portsOf(on), job)
    await indexWorkspace(on.portsOf(on), job)
    const comparedIn: string[] = []
    const watching: typeof compareWorker = {
      ...compareWorker,
      run(task, argument) {
        for (const one of argument) comparedIn.push('row' in one ? one.row.workspace : one.workspace)
        return compareWorker.run(task, argument)
      },
    }
    const comparing = comparer({ ...on.portsOf(on), compareWorker: watching })
    comparing.wake(workspace)
    comparing.wake(other)
    await comparing.look()
    expect(comparedIn.filter((one) => one === workspace).length).toBeGreaterThanOrEqual(120)
    // behind one piece of the others, not behind all
    expect(comparedIn.indexOf(other)).toBeLessThanOrEqual(50)
  })

  it('finds by looking what it was not woken for', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyOnly()
    await comparer({ ...on.portsOf(on), compareWorker }).look()
    await applyOnly()
    expect(await asked()).toHaveLength(1)
  })

  it('stops when it is told to, and goes on from there', async () => {
    await promise(on, remember, short)
    await promise(on, remember, long)
    await applyOnly()
    const stopped = AbortSignal.abort()
    await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace }, stopped)
    expect(await comparedOf(on.documents, workspace)).toBe(0)
    await quiet(on)
    expect(await asked()).toHaveLength(1)
  })
})
