/** Records that a caller may not see influence none of its answers, through HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Serving, send, serve, write } from '../http/serving.ts'
import {
  answering,
  applied,
  asked,
  changeOf,
  decided,
  decision,
  eventually,
  memory,
  type Person,
  person,
  remembered,
  search,
} from '../questions/resolving.ts'

const own = { visibility: { scope: 'private' } }
/** ms. A test takes some seconds. */
const timeout = 60_000

let serving: Serving
let ada: Person
let eve: Person
beforeAll(async () => {
  serving = await serve()
  ada = await person(serving, 'ada')
  eve = await person(serving, 'eve')
})
afterAll(() => serving.stop())

async function brief({ url, key }: Person, query = ''): Promise<Body> {
  const { status, body } = await send(url, 'GET', `/v1/context/brief${query}`, { key })
  expect(status).toBe(200)
  return body
}

describe('a cached brief', () => {
  it('a cached brief stays the same, with its generated_at, after writes that the caller may not see', {
    timeout,
  }, async () => {
    await remembered(ada, 'Harbour pilots board at the north buoy.')
    const asks = ['', '?query=harbour%20pilots', '?lens=handoff']
    const before = await Promise.all(asks.map((one) => brief(eve, one)))
    const secret = await remembered(ada, 'Harbour fees rise in spring.', own)
    await applied(ada, '/v1/context/memories', {
      ...{ kind: 'correction', content: 'Harbour fees rise in autumn.', corrects_memory_id: secret },
    })
    await decided(ada, 'Raise harbour fees', 'They rise by a tenth.', { ...own, status: 'proposed' })
    expect(await Promise.all(asks.map((one) => brief(eve, one)))).toEqual(before)
  })

  it('a cached brief is rebuilt after any write that the caller may see', { timeout }, async () => {
    const before = await brief(eve)
    await remembered(ada, 'Harbour cranes lift 40 tonnes.')
    const after = await brief(eve)
    expect(after.generated_at > before.generated_at).toBe(true)
    expect(after.markdown).toContain('lift 40 tonnes')
    await remembered(eve, 'Harbour cranes need a new rope.', own)
    expect((await brief(eve)).markdown).toContain('need a new rope')
    expect((await brief(ada)).markdown).not.toContain('need a new rope')
  })
})

describe('a decision that supersedes fifty hidden ones and a visible one', () => {
  let newer: string
  let older: string
  beforeAll(async () => {
    const names = Array.from({ length: 50 }, (_, at) => `hidden-${at}`)
    const decisions = names.map((external_id) => ({ title: 'Old quay', judgment: 'Build it.', external_id, ...own }))
    const { url, key } = ada
    const batch = await write(url, '/v1/decisions/batch', { key, body: { decisions } })
    await eventually(async () => {
      const list = await send(url, 'GET', `/v1/receipts?batch_id=${batch.body.batch_id}`, { key })
      expect(list.body.counts.applied).toBe(50)
    })
    older = await decided(ada, 'Pave the quay', 'Use granite.')
    newer = await decided(ada, 'Rebuild the quay', 'Use steel.', { external_id: 'quay', supersedes: names })
    await decided(ada, 'Rebuild the quay', 'Use weathered steel.', { external_id: 'quay', supersedes: [older] })
  }, timeout)

  it('every read names the visible target of a decision that also supersedes hidden ones', async () => {
    const whole = await decision(eve, newer)
    expect(whole.supersedes).toEqual([older])
    expect(whole.prior_positions.map(({ id }: Body) => id)).toEqual([older])
    expect((await changeOf(eve, newer)).supersedes).toEqual([older])
    const { url, key } = eve
    const found = await send(url, 'POST', '/v1/decisions/search', { key, body: { ids: [newer] } })
    expect(found.body.items[0].prior_positions.map(({ id }: Body) => id)).toEqual([older])
    expect((await brief(eve)).markdown).toContain('“Pave the quay”')
  })

  it('a decision shows at most fifty targets that the caller may see', async () => {
    expect((await decision(ada, newer)).supersedes).toHaveLength(50)
  })
})

describe('a cursor', () => {
  it('hidden writes do not change the length of a cursor', { timeout }, async () => {
    const fresh = await serve()
    try {
      const [writer, reader] = [await person(fresh, 'ada'), await person(fresh, 'eve')]
      const lengths = async () => {
        const { url, key } = reader
        const sync = await send(url, 'POST', '/v1/context/sync', { key, body: { limit: 1 } })
        const whole = await send(url, 'POST', '/v1/context/sync', { key, body: { limit: 200 } })
        const newest = await search(reader, { limit: 1 })
        return [sync.body.cursor, whole.body.cursor, newest.next_cursor].map((cursor: string) => cursor.length)
      }
      for (const name of ['North', 'South']) await remembered(writer, `${name} gate opens at six.`)
      const before = await lengths()
      // sequences with two more digits
      for (let at = 0; at < 6; at++) await remembered(writer, `Hidden ${at}. Open question: who signs ${at}?`, own)
      await remembered(writer, 'West gate opens at six.')
      expect(await lengths()).toEqual(before)
    } finally {
      await fresh.stop()
    }
  })
})

describe('a source that names a hidden record', () => {
  const outside = { type: 'minutes', id: 'm-1', provenance: { class: 'meeting' } }

  it('a source that names a hidden record is not shown, nor is its provenance', { timeout }, async () => {
    const secret = await remembered(ada, 'The dredger is for sale.', own)
    const sources = [{ type: 'memory', id: secret, provenance: { class: 'conversation' } }, outside]
    const id = await remembered(ada, 'Dredging ends in May.', { sources })
    const references = [{ type: 'memory', id }]
    for (const [who, expected] of [[eve, 'meeting'] as const, [ada, 'conversation'] as const]) {
      const [hit] = (await search(who, { references })).items
      expect(hit.source.provenance).toEqual({ class: expected })
      expect((await changeOf(who, id)).source.provenance).toEqual({ class: expected })
      const cited = (await brief(who, '?query=dredging')).citations.find((one: Body) => one.id === id)
      expect(cited.provenance).toEqual({ class: expected })
    }
    expect((await memory(eve, id)).sources).toEqual([outside])
    expect((await memory(ada, id)).sources).toHaveLength(2)
  })

  it('a source behind ten that name hidden records gives the provenance', { timeout }, async () => {
    const hidden = await remembered(ada, 'The dredger has a new owner.', own)
    const named = Array.from({ length: 10 }, (_, at) => {
      const id =
        at === 0 ? hidden : hidden.replace(/.$/, (digit) => ((Number.parseInt(digit, 16) + at) % 16).toString(16))
      return { type: 'memory', id, provenance: { class: 'conversation' } }
    })
    const id = await remembered(ada, 'Barges are moored in the east.', { sources: [...named, outside] })
    expect((await memory(eve, id)).sources).toEqual([outside])
    for (const [who, expected] of [[eve, 'meeting'] as const, [ada, 'conversation'] as const]) {
      const [hit] = (await search(who, { references: [{ type: 'memory', id }] })).items
      expect(hit.source.provenance).toEqual({ class: expected })
    }
  })

  it('a source that names a hidden record does not suppress the question of a single source', { timeout }, async () => {
    const secret = await remembered(ada, 'The ramp belongs to the port.', own)
    const letter = { type: 'letter', id: 'l-1', provenance: { class: 'external' } }
    const sources = [{ type: 'memory', id: secret, provenance: { class: 'conversation' } }, letter]
    const kind = 'constraint'
    const id = await remembered(ada, 'Vans take the east ramp.', { kind, sources })
    const { key, url } = eve
    const { body } = await send(url, 'GET', '/v1/context/questions?reason=single_source', { key })
    expect(body.items.map(({ subject }: Body) => subject.id)).toContain(id)
    await remembered(ada, 'Vans take the west ramp.', { kind, sources: [...sources, outside] })
    const after = await send(url, 'GET', '/v1/context/questions?reason=single_source', { key })
    expect(after.body.items).toEqual(body.items)
  })

  it('a source that names a hidden question is not shown, by its question_id or by its uuid', { timeout }, async () => {
    const secret = await remembered(ada, 'Tugs are leased. Open question: who pays the crew?', own)
    const [question] = await asked(ada, 'memory', secret)
    const named = { type: 'question', id: question?.question_id, provenance: { class: 'conversation' } }
    const hydrated = (await search(ada, { references: [named] })).items[0]
    expect(hydrated.source.type).toBe('question')
    const missing = { ...named, id: 'clarification:0000000000000000000000000000000000000000' }
    const sources = [named, { ...named, id: hydrated.id }, missing, outside]
    const id = await remembered(ada, 'Tugs wait at the lock.', { sources })
    expect((await memory(ada, id)).sources.map((one: Body) => one.id)).toEqual([named.id, hydrated.id, 'm-1'])
    expect((await memory(eve, id)).sources).toEqual([outside])
    const [hit] = (await search(eve, { references: [{ type: 'memory', id }] })).items
    expect(hit.source.provenance).toEqual({ class: 'meeting' })
    for (const reference of [named, { ...named, id: hydrated.id }]) {
      expect((await search(eve, { references: [reference] })).items).toEqual([])
    }
  })

  it('a source that names a hidden record is accepted like one that names a missing record', { timeout }, async () => {
    const secret = await remembered(ada, 'Locks are old. Open question: who repairs them?', own)
    const [question] = await asked(ada, 'memory', secret)
    const ids = [question?.question_id, 'clarification:1111111111111111111111111111111111111111']
    const answers: unknown[] = []
    for (const id of ids) {
      const receipt = await applied(eve, '/v1/context/memories', {
        ...{
          kind: 'constraint',
          content: `Locks close at ${answers.length + 6}.`,
          sources: [{ type: 'question', id }],
        },
      })
      const { sources, answers: given } = await memory(eve, receipt.entity.id)
      answers.push([receipt.state, sources, given, (await asked(eve, 'memory', receipt.entity.id)).length])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toEqual(['applied', [], [], 0])
  })
})

describe('an answer to a question that not everyone may see', () => {
  /** Contradicts a visible claim with a private one of ada, so only she is asked. */
  async function contradiction(what: string) {
    const shared = await remembered(eve, `Copies of the ${what} ledger are kept for 3 years.`)
    const mine = await remembered(ada, `We keep copies of the ${what} ledger for 7 years.`, own)
    const question = await eventually(async () => {
      const found = (await asked(ada, 'memory', mine)).find(({ reason }) => reason === 'contradiction')
      expect(found).toBeDefined()
      return found?.question_id as string
    })
    return { shared, mine, question }
  }
  const note = (what: string) => `Copies of the ${what} ledger are kept for 5 years.`
  const answer = (question_id: string, what: string, more: object = {}) =>
    answering(ada, { question_id, resolution: 'correct', note: note(what), ...more })

  it('the brief says who will see an answer, and only they see it', { timeout }, async () => {
    const { shared, mine, question } = await contradiction('linden')
    const { markdown } = await brief(ada)
    expect(markdown).toContain(`\`${question}\`\n  *Who sees the answer:* everyone in the workspace, or you alone if`)
    expect((await brief(eve)).markdown).not.toContain(question)
    const made = (await answer(question, 'linden')).body.entity.id
    expect(await memory(eve, made)).toMatchObject({ content: note('linden'), visibility: { scope: 'workspace' } })
    for (const id of [shared, mine]) expect(await memory(ada, id)).toMatchObject({ in_force: false })
    expect((await memory(ada, mine)).answers).toMatchObject([{ made, visibility: { scope: 'workspace' } }])
  })

  it('an answer for fewer readers leaves in force what other readers see', { timeout }, async () => {
    const { shared, mine, question } = await contradiction('maple')
    const before = await brief(eve, '?query=maple%20ledger')
    const made = (await answer(question, 'maple', own)).body.entity.id
    expect(await memory(ada, made)).toMatchObject({ content: note('maple'), ...own, corrects_memory_id: mine })
    expect(await memory(ada, mine)).toMatchObject({ in_force: false, answers: [{ made, visibility: own.visibility }] })
    expect(await memory(ada, shared)).toMatchObject({ in_force: true, superseded_by: [] })
    expect(await memory(eve, made)).toMatchObject({ status: 404 })
    expect(await brief(eve, '?query=maple%20ledger')).toEqual(before)
    // the next question shows that the answer has been compared
    await contradiction('alder')
    expect(await asked(ada, 'memory', made)).toEqual([])
    expect(await asked(ada, 'memory', shared)).toEqual([])
  })

  it('an answer with a visibility that its question does not allow is refused, with the allowed one', {
    timeout,
  }, async () => {
    const { question } = await contradiction('rowan')
    const team = { scope: 'team', team_id: '11111111-1111-7111-8111-111111111111' }
    expect((await answer(question, 'rowan', { visibility: team })).status).toBe(404)
    const secret = await remembered(ada, 'I think the rowan quay is ours.', own)
    const [doubt] = await asked(ada, 'memory', secret)
    const wider = await answer(doubt?.question_id as string, 'rowan', { visibility: { scope: 'workspace' } })
    expect(wider).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(wider.body.details.issues[0]).toMatchObject({
      path: 'visibility',
      message: expect.stringContaining('must be private for this question, or left out'),
    })
    const open = await remembered(eve, 'I think the rowan lock is ours.')
    const [shared] = await asked(ada, 'memory', open)
    const narrower = await answer(shared?.question_id as string, 'rowan', own)
    expect(narrower.body.details.issues[0].message).toContain('must be workspace for this question')
    const needless = await answering(ada, { question_id: question, resolution: 'dismiss', ...own })
    expect(needless).toMatchObject({ status: 400, body: { details: { issues: [{ path: 'visibility' }] } } })
  })
})

describe('a decision that supersedes a hidden one', () => {
  it('a decision names its hidden target only to those who may see it, and stays the same for others', {
    timeout,
  }, async () => {
    const newer = await decided(ada, 'Paint the pier', 'In blue.', { supersedes: ['pier/old'] })
    const soon = new Date(Date.now() + 1_500).toISOString()
    const dated = await remembered(ada, 'The pier lamp is green.', own)
    const after = await applied(ada, '/v1/context/memories', {
      ...{ kind: 'correction', content: 'The pier lamp is red.', corrects_memory_id: dated, occurred_at: soon },
      visibility: { scope: 'workspace' },
    })
    await eventually(async () => expect((await memory(eve, after.entity.id)).in_force).toBe(true))
    const asEve = async () => [
      await decision(eve, newer),
      await memory(eve, after.entity.id),
      await changeOf(eve, newer),
      await changeOf(eve, after.entity.id),
      await brief(eve, '?query=pier'),
    ]
    const before = await asEve()
    const { url, key } = eve
    const start = await send(url, 'POST', '/v1/context/sync', { key, body: { limit: 200 } })
    expect(start.body.has_more).toBe(false)

    const older = await decided(ada, 'Paint the pier white', 'In white.', { external_id: 'pier/old', ...own })
    await eventually(async () => expect((await memory(ada, dated)).in_force).toBe(false))
    expect(await asEve()).toEqual(before)
    const next = await send(url, 'POST', '/v1/context/sync', { key, body: { cursor: start.body.cursor } })
    expect(next.body.changes).toEqual({ knowledge: [], decisions: [], work: [] })

    expect(await decision(ada, older)).toMatchObject({ in_force: false, superseded_by: [{ id: newer }] })
    const whole = await decision(ada, newer)
    expect(whole.supersedes).toEqual([older])
    expect(whole.prior_positions.map(({ id }: Body) => id)).toEqual([older])
    expect((await memory(ada, after.entity.id)).corrects.map(({ id }: Body) => id)).toEqual([dated])
    expect((await brief(ada, '?query=pier')).conflicts.map(({ source }: Body) => source.id).sort()).toEqual(
      [older, dated].sort(),
    )
  })
})

describe('a misspelt word', () => {
  it('a misspelt word whose only like words are hidden is answered as if the hidden records did not exist', {
    timeout: 3 * timeout,
  }, async () => {
    const fresh = await serve()
    try {
      const [writer, reader] = [await person(fresh, 'ada'), await person(fresh, 'eve')]
      const shown = [
        'The lighthouse keeper counts the ships at dawn. Ships without a pilot wait outside.',
        'Ferries leave the eastern pier each hour. The keeper of the pier rings a bell.',
        'The archive of the port holds charts of the bay, drawn by hand.',
      ]
      for (const text of shown) await remembered(writer, text)
      await decided(writer, 'Count ships at dawn', 'The keeper counts them, and writes the number down.')
      const whole = ['keeper quarantine ships', 'keeper quarntine ships', 'quarantin', 'quarntine']
      const asks = [...whole, 'charts anchoraeg']
      const { url, key } = reader
      const answers = async () => {
        const found = []
        for (const q of asks) {
          const decisions = await send(url, 'POST', '/v1/decisions/search', { key, body: { q, threshold: 0 } })
          const { body } = await send(url, 'POST', '/v1/decisions/search', { key, body: { q } })
          const { markdown, trust } = await brief(reader, `?query=${encodeURIComponent(q)}`)
          found.push([await search(reader, { q }), decisions.body, body, markdown, trust])
        }
        return found
      }
      const before = await answers()
      expect(before[0]?.[0].items.length).toBeGreaterThan(1)
      expect(before[3]?.[0].items).toEqual([])

      for (let n = 0; n < 5; n++)
        await remembered(writer, `Ship ${n} is in quarantine at the anchorage until noon.`, own)
      await decided(writer, 'Quarantine at the anchorage', 'Ships in quarantine keep to the anchorage.', own)
      expect((await search(writer, { q: 'quarntine' })).items).toHaveLength(6)
      expect(await answers()).toEqual(before)

      await remembered(writer, 'Quarantine ends after forty days.')
      const [hit] = (await search(reader, { q: 'quarntine' })).items
      expect(hit.snippet).toBe('Quarantine ends after forty days.')
    } finally {
      await fresh.stop()
    }
  })
})
