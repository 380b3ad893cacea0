import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openaiJudge } from '../../../src/adapters/openai/judge.ts'
import { indexWorkspace } from '../../../src/indexing/index-entries.ts'
import { drain } from '../../../src/journal/drain.ts'
import { remember } from '../../../src/memories/remember.ts'
import { type JudgeOutcome, judgeAsker, pruneVerdicts, verdicts } from '../../../src/questions/compare/ask-judge.ts'
import { inlineCompareWorker as compareWorker } from '../../../src/questions/compare/compare-worker.ts'
import { actorAda, promise, quiet, rows, type World, workspace, world } from '../../support/apply.ts'
import { compareWorkspace } from '../../support/compare-workspace.ts'
import { type JudgeEndpoint, judgeEndpoint, saying, status } from '../../support/judge-endpoint.ts'

const older = { kind: 'fact', content: 'The warehouse robots charge overnight in the north hall.' }
const newer = { kind: 'fact', content: 'Since the move, the warehouse robots take their power from rails by day.' }
const contradiction = (asked: unknown[]) => ({ label: 'update', ...quotes(asked) })
/** The first sentences of the pair of the last request. */
const quotes = (asked: unknown[]) => {
  const { messages } = asked.at(-1) as { messages: { content: string }[] }
  const pair = JSON.parse(messages[1]?.content ?? '')
  return { newer: pair.newer.text, older: pair.older.text }
}
const lanes = [
  { workspace, lane: 'interactive' as const },
  { workspace, lane: 'import' as const },
]

describe('comparing with a judge', () => {
  let on: World
  let endpoint: JudgeEndpoint
  const counted: Partial<Record<JudgeOutcome, number>> = {}
  beforeEach(async () => {
    on = await world()
    endpoint = await judgeEndpoint()
    for (const outcome of Object.keys(counted)) delete counted[outcome as JudgeOutcome]
  })
  afterEach(async () => {
    await endpoint.stop()
    await on.close()
  })

  function asking() {
    return judgeAsker({
      documents: on.documents,
      clock: on.clock,
      log: { warn: () => {}, info: () => {} },
      judge: openaiJudge({ url: endpoint.url, model: 'small', apiKey: undefined }),
      watch: {
        judged(outcome, pairs) {
          counted[outcome] = (counted[outcome] ?? 0) + pairs
        },
        failed: () => {},
      },
      stopping: new AbortController().signal,
    })
  }
  async function applied(): Promise<void> {
    for (const lane of lanes) await drain(on.portsOf(on), lane)
    for (const lane of lanes) await indexWorkspace(on.portsOf(on), lane)
  }
  async function compare(askJudge = asking()): Promise<void> {
    await compareWorkspace({ ...on.portsOf(on), compareWorker, askJudge }, { workspace })
    await quiet(on)
  }
  const questions = async () => (await rows(on)).filter((row) => row.kind === 'question')

  it('asks about a pair that only the judge finds, and quotes both sentences', async () => {
    endpoint.respond((asked, response) => saying(contradiction(endpoint.asked))(asked, response))
    await promise(on, remember, older)
    await applied()
    await compare()
    await promise(on, remember, newer)
    await applied()
    await compare()
    const [question, ...others] = await questions()
    expect(others).toEqual([])
    expect(question?.body).toMatchObject({ reason: 'contradiction' })
    expect(question?.text).toContain(older.content)
    expect(question?.text).toContain(newer.content)
    expect(endpoint.pairs()[0]?.newer.text).toBe(newer.content)
  })

  it.each([
    ['a verdict that is not verbatim', saying({ label: 'contradiction', newer: 'Robots fly.', older: 'Robots swim.' })],
    ['unrelated', saying({ label: 'unrelated' })],
    ['agree', saying({ label: 'agree' })],
    ['an error', status(500)],
  ])('asks nothing after %s, and the next record is compared too', async (_, respond) => {
    endpoint.respond(respond)
    for (const record of [older, newer, { kind: 'fact', content: 'Audit logs are kept for 30 days.' }]) {
      await promise(on, remember, record)
    }
    await promise(on, remember, { kind: 'fact', content: 'We store audit logs for 90 days.' })
    await applied()
    await compare()
    // by rules
    expect((await questions()).map(({ text }) => text)).toEqual([expect.stringContaining('90 days')])
  })

  it('asks the judge once about a pair, and at most about 4 pairs of a record', async () => {
    const ask = asking()
    const pair = { newer: { title: '', text: newer.content }, older: { title: '', text: older.content } }
    await ask(workspace, [pair])
    await ask(workspace, [pair])
    await asking()(workspace, [pair])
    expect(endpoint.asked).toHaveLength(1)
    expect(counted).toMatchObject({ judged: 1, stored: 2 })
    for (const n of ['red', 'blue', 'green', 'white', 'black', 'brown', 'pink']) {
      await promise(on, remember, { kind: 'fact', content: `The ${n} warehouse robots are oiled by hand.` })
    }
    await applied()
    await compare()
    endpoint.asked.length = 0
    await promise(on, remember, older)
    await applied()
    await compare()
    expect(endpoint.asked.length).toBeGreaterThan(0)
    expect(endpoint.asked.length).toBeLessThanOrEqual(4)
  })

  it('does not call a judge again right after it failed', async () => {
    endpoint.respond(status(500))
    const ask = asking()
    const pairs = ['one', 'two'].map((n) => ({
      newer: { title: '', text: newer.content },
      older: { title: n, text: older.content },
    }))
    for (const pair of pairs) expect(await ask(workspace, [pair])).toEqual([undefined])
    expect(endpoint.asked).toHaveLength(1)
    expect(counted).toMatchObject({ unavailable: 2 })
  })

  it('never shows the judge private records of two users together', async () => {
    const ben = { ...actorAda, user: 'ben', credential: 'key-of-ben' }
    await promise(on, remember, { ...older, visibility: { scope: 'private' } })
    await promise(on, remember, { ...newer, visibility: { scope: 'private' } }, ben)
    await applied()
    await compare()
    expect(endpoint.asked).toEqual([])
    await promise(on, remember, { kind: 'fact', content: 'The warehouse robots are painted red in the north hall.' })
    await applied()
    await compare()
    for (const pair of endpoint.pairs()) {
      expect([pair.newer.text, pair.older.text]).not.toEqual(expect.arrayContaining([older.content, newer.content]))
    }
    expect(endpoint.asked.length).toBeGreaterThan(0)
  })

  it('deletes verdicts after 30 days', async () => {
    const pair = { newer: { title: '', text: newer.content }, older: { title: '', text: older.content } }
    await asking()(workspace, [pair])
    expect(await pruneVerdicts(on)).toBe(0)
    await on.documents.insertMany(verdicts, [{ id: 'old', verdict: null, at: '2000-01-01T00:00:00.000Z' }])
    expect(await pruneVerdicts(on)).toBe(1)
  })
})
