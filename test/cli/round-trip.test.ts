import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { applied, type Caller, call } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { startFaultyProxy } from './proxy.ts'
import { folderOfTest, run, runJson, start } from './run.ts'

type Line = { kind: string; id: string; external_id?: string; supersedes?: string[] } & Record<string, unknown>

const team = '11111111-1111-7111-8111-111111111111'

describe('precedent export, and import of the exported file', () => {
  let first: Started
  let second: Started
  let ada: Caller
  let adaElsewhere: Caller
  let exported: Line[]
  const folder = folderOfTest()
  const out = join(folder, 'all.jsonl')
  const asCaller = (caller: Caller) => ({ ...caller, state: folderOfTest() })

  beforeAll(async () => {
    ;[first, second] = await Promise.all([startService(), startService()])
    ada = await keyOf(first, 'ada', [team])
    adaElsewhere = await keyOf(second, 'ada', [team])
    await fill(first, ada)
    const { code, body } = await runJson(asCaller(ada), 'export', '--out', out)
    expect(code, JSON.stringify(body)).toBe(0)
    exported = linesOf(readFileSync(out, 'utf8'))
  })
  afterAll(async () => {
    for (const service of [first, second]) {
      await service.stop()
      await removeData(service.dataDir)
    }
  })

  it('the export holds what the key may see, and no private records of other users', () => {
    const text = JSON.stringify(exported)
    expect(text).toContain('Ada keeps this to herself')
    expect(text).toContain('Only the team knows')
    expect(text).not.toContain('Bob keeps this')
    expect(new Set(exported.map((line) => line.id)).size).toBe(9)
  })

  it('an import into an empty store makes the same records', async () => {
    const imported = await runJson(asCaller(adaElsewhere), 'import', out)
    expect(imported, JSON.stringify(imported.body)).toMatchObject({ code: 0 })
    const again = join(folder, 'again.jsonl')
    expect((await run(asCaller(adaElsewhere), 'export', '--out', again)).code).toBe(0)
    expect(comparable(linesOf(readFileSync(again, 'utf8')))).toEqual(comparable(exported))
  })

  it('a decision keeps its outcomes, and the one that leads', async () => {
    const told = await Promise.all([ada, adaElsewhere].map(outcomesOfSplit))
    expect(told[0]?.map((one) => [one.outcome_status, one.observed_at.slice(0, 10), one.sources.length])).toEqual([
      ['success', '2022-03-01', 0],
      ['failure', '2022-03-01', 0],
      ['mixed', '2021-06-01', 1],
    ])
    expect(told[1]).toEqual(told[0])
  })

  it('searches as of any instant give the same answers in both stores', async () => {
    for (const as_of of [
      '2020-06-01T00:00:00Z',
      '2021-06-01T00:00:00Z',
      '2022-06-01T00:00:00Z',
      '2023-06-01T00:00:00Z',
    ]) {
      const [here, there] = await Promise.all([ada, adaElsewhere].map((caller) => searched(caller, as_of)))
      expect(there).toEqual(here)
    }
  })

  it('a memory keeps its sources if they came from several writes', async () => {
    const remember = (caller: Caller, sources: object[]) =>
      applied(caller, '/v1/context/memories', `remembered with ${sources.length}`, { ...repeated, sources })
    const mine = await keyOf(first, 'grace', [])
    await remember(mine, sourcesFrom(0, 50))
    await remember(mine, sourcesFrom(50, 20))
    const file = join(folder, 'sources.jsonl')
    expect((await run(asCaller(mine), 'export', '--out', file)).code).toBe(0)
    const elsewhere = await keyOf(second, 'grace', [])
    expect(await runJson(asCaller(elsewhere), 'import', file)).toMatchObject({ code: 0 })
    const { stdout } = await run(asCaller(elsewhere), 'export')
    const lines = linesOf(stdout).filter((line) => line.content === repeated.content)
    expect(new Set(lines.map((line) => line.id)).size).toBe(1)
    expect(lines.flatMap((line) => line.sources)).toHaveLength(70)
  })

  it('the export holds no character that a terminal would obey, and an import reads back the same text', async () => {
    const [mine, elsewhere] = [await keyOf(first, 'curie', []), await keyOf(second, 'curie', [])]
    const content = 'Glow \u001b[2J\u009b31m\u0085 \u202egreen\u202c \u2066blue\u2069.'
    const visibility = { scope: 'private' }
    await applied(mine, '/v1/context/memories', 'curie-glow', { kind: 'fact', content, visibility })
    const { stdout } = await run(asCaller(mine), 'export')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches what must not be written
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    const file = join(folder, 'glow.jsonl')
    writeFileSync(file, stdout)
    expect(await runJson(asCaller(elsewhere), 'import', file)).toMatchObject({ code: 0, body: { refused: [] } })
    const again = linesOf((await run(asCaller(elsewhere), 'export')).stdout)
    expect(again.map((line) => line.content)).toContain(content)
  })

  it('a memory that an answer has replaced is not in force after the import', async () => {
    const [mine, elsewhere] = [await keyOf(first, 'lovelace', []), await keyOf(second, 'lovelace', [])]
    const days = (n: number, month: number) =>
      applied(mine, '/v1/context/memories', `receipts-${n}-days`, {
        ...{ kind: 'constraint', content: `Receipts are kept for ${n} days.`, visibility: { scope: 'private' } },
        occurred_at: `2020-0${month}-01T00:00:00Z`,
      })
    await days(30, 1)
    await days(90, 6)
    const question_id = await vi.waitFor(
      async () => {
        const { body } = await call<{ open_questions: { question_id: string }[] }>(
          ...([mine, 'POST', '/v1/context/search', { q: 'receipts are kept for days' }] as const),
        )
        expect(body.open_questions).toHaveLength(1)
        return body.open_questions[0]?.question_id
      },
      { timeout: 20_000 },
    )
    await applied(mine, '/v1/context/resolve', 'receipts-confirm', { question_id, resolution: 'confirm' })
    const file = join(folder, 'receipts.jsonl')
    const { body } = await runJson(asCaller(mine), 'export', '--out', file)
    expect(body).toMatchObject({ replaced: 1 })
    expect(await runJson(asCaller(elsewhere), 'import', file)).toMatchObject({ code: 0, body: { refused: [] } })
    const { stdout } = await run(asCaller(elsewhere), 'export')
    const receipts = linesOf(stdout).filter(({ content }) => String(content).startsWith('Receipts are kept'))
    expect(receipts.map(({ content }) => content)).toEqual(['Receipts are kept for 90 days.'])
  })

  it('a decision keeps its revisions', async () => {
    const revisions = await Promise.all([ada, adaElsewhere].map(revisionsOfStorage))
    expect(revisions[0]).toEqual(['We use files.', 'We use one file.', 'We use two files.'])
    expect(revisions[1]).toEqual(revisions[0])
  })

  it('a decision keeps its proposed revision, even if imported twice', async () => {
    const [mine, elsewhere] = [await keyOf(first, 'hedy', []), await keyOf(second, 'hedy', [])]
    const pier = { title: 'Pier', external_id: 'hedy/pier', visibility: { scope: 'private' } }
    const decided = { ...pier, judgment: 'The pier stays.', decided_at: '2020-01-01T00:00:00Z' }
    const proposed = { ...pier, judgment: 'The pier goes.', decided_at: '2021-01-01T00:00:00Z', status: 'proposed' }
    await applied(mine, '/v1/decisions', 'pier-stays', decided)
    await applied(mine, '/v1/decisions', 'pier-goes', proposed)
    const file = join(folder, 'pier.jsonl')
    expect((await run(asCaller(mine), 'export', '--out', file)).code).toBe(0)
    for (const time of ['first', 'second']) {
      expect((await runJson(asCaller(elsewhere), 'import', file)).code, time).toBe(0)
      const lines = linesOf((await run(asCaller(elsewhere), 'export')).stdout)
      const pierLines = lines.filter(({ external_id }) => external_id === 'hedy/pier')
      expect(pierLines).toMatchObject([
        { judgment: 'The pier stays.', status: 'accepted' },
        { judgment: 'The pier goes.', status: 'proposed' },
      ])
    }
  })

  it('a superseded decision with a proposed revision is recognised if it is imported again', async () => {
    const [mine, elsewhere] = [await keyOf(first, 'noether', []), await keyOf(second, 'noether', [])]
    const visibility = { scope: 'private' }
    const mole = { title: 'Mole', external_id: 'noether/mole', visibility }
    await applied(mine, '/v1/decisions', 'mole-number-1', { ...mole, judgment: 'One mole.' })
    const two = { title: 'Two moles', judgment: 'Two moles.', supersedes: ['noether/mole'], visibility }
    await applied(mine, '/v1/decisions', 'mole-number-2', two)
    await applied(mine, '/v1/decisions', 'mole-number-3', { ...mole, judgment: 'One mole again.', status: 'proposed' })
    const file = join(folder, 'mole.jsonl')
    expect((await run(asCaller(mine), 'export', '--out', file)).code).toBe(0)
    const before = linesOf(readFileSync(file, 'utf8')).filter(({ title }) => String(title).endsWith('ole'))
    for (const time of ['first', 'second', 'third']) {
      const { code, body } = await runJson(asCaller(elsewhere), 'import', file)
      expect(code, JSON.stringify(body)).toBe(0)
      if (time !== 'first') expect(body, time).toMatchObject({ imported: 0 })
      const lines = linesOf((await run(asCaller(elsewhere), 'export')).stdout)
      expect(lines.filter(({ title }) => title === 'Mole')).toHaveLength(before.length)
    }
  })

  it('an import that was killed between two revisions of a decision continues with the next revision', async () => {
    const mine = await keyOf(second, 'hopper', [])
    const file = join(folder, 'queue.jsonl')
    const id = '01890000-0000-7000-8000-000000000001'
    const revision = (number: number) =>
      JSON.stringify({
        kind: 'decision',
        id,
        external_id: 'hopper/queue',
        title: 'Queue',
        judgment: `We use queue ${number}.`,
        decided_at: `2023-01-0${number}T00:00:00Z`,
        visibility: { scope: 'private' },
      })
    writeFileSync(file, [1, 2, 3].map(revision).join('\n'))
    const state = folderOfTest()
    let batches = 0
    const proxy = await startFaultyProxy(second.url, (request) => {
      if (request !== 'POST /v1/decisions/batch' || ++batches !== 3) return 'none'
      first.kill('SIGKILL')
      return 'cut'
    })
    const throughProxy = { ...mine, url: proxy.url, state }
    const first = start(throughProxy, 'import', file)
    await first.ended
    expect(batches).toBe(3)
    const resumed = await runJson(throughProxy, 'import', file)
    await proxy.close()
    expect(resumed, JSON.stringify(resumed.body)).toMatchObject({ code: 0, body: { resumed: true, refused: [] } })
    const { stdout } = await run(asCaller(mine), 'export')
    const queue = linesOf(stdout).filter(({ external_id }) => external_id === 'hopper/queue')
    expect(queue.map(({ judgment }) => judgment)).toEqual([1, 2, 3].map((one) => `We use queue ${one}.`))
  })

  it('a later export adds only the new records to the other store', async () => {
    const revise = { title: 'Storage', judgment: 'We use three files.', external_id: 'team/storage' }
    await applied(ada, '/v1/decisions', 'storage-later', { ...revise, decided_at: '2023-02-01T00:00:00Z' })
    const later = join(folder, 'later.jsonl')
    expect((await run(asCaller(ada), 'export', '--out', later)).code).toBe(0)
    for (const time of ['first', 'second']) {
      const { code, body } = await runJson(asCaller(adaElsewhere), 'import', later)
      expect(code, JSON.stringify(body)).toBe(0)
      expect(body).toMatchObject({ superseding_links: 1 })
      expect(await revisionsOfStorage(adaElsewhere), time).toHaveLength(4)
    }
    const [here, there] = await Promise.all([ada, adaElsewhere].map((caller) => run(asCaller(caller), 'export')))
    expect(comparable(linesOf(there?.stdout ?? ''))).toEqual(comparable(linesOf(here?.stdout ?? '')))
  })

  it('an import finds memories that have other ids here by reading the store once, without a search for each', async () => {
    const mine = await keyOf(second, 'curie', [])
    const file = join(folder, 'outcomes.jsonl')
    const outcome = (at: number) => ({
      kind: 'memory',
      id: `01890000-0000-7000-8000-0000000001${at}`,
      memory_kind: 'session_outcome',
      content: `Sample ${at % 20} was weighed.`,
      occurred_at: `2020-05-${at}T00:00:00Z`,
      visibility: { scope: 'private' },
    })
    const lines = Array.from({ length: 20 }, (_, at) => outcome(at + 10))
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    expect((await runJson(asCaller(mine), 'import', file)).body).toMatchObject({ imported: 20, refused: [] })
    const proxy = await startFaultyProxy(second.url, () => 'none')
    const again = await runJson({ ...asCaller(mine), url: proxy.url }, 'import', file)
    await proxy.close()
    expect(again.body).toMatchObject({ imported: 0, unchanged: 20, refused: [] })
    expect(proxy.seen.filter((request) => request === 'POST /v1/context/search')).toEqual([])
    expect(proxy.seen.filter((request) => request === 'POST /v1/context/sync')).toHaveLength(1)
  })

  it('an import into the store of the export changes nothing', async () => {
    const now = (await run(asCaller(ada), 'export')).stdout
    const file = join(folder, 'now.jsonl')
    writeFileSync(file, now)
    const { code, body } = await runJson(asCaller(ada), 'import', file)
    expect(code).toBe(0)
    expect(body).toMatchObject({ imported: 0, unchanged: linesOf(now).length, refused: [] })
    expect((await run(asCaller(ada), 'export')).stdout).toBe(now)
  })

  it('only the decision that was changed in the file gets a new revision', async () => {
    const changed = exported.map((line) =>
      line.external_id === 'team/language' ? { ...line, rationale: 'Because of the new compiler.' } : line,
    )
    const file = join(folder, 'changed.jsonl')
    writeFileSync(file, changed.map((line) => JSON.stringify(line)).join('\n'))
    const { code, body } = await runJson(asCaller(ada), 'import', file)
    expect(code).toBe(0)
    expect(body).toMatchObject({ imported: 1, unchanged: exported.length - 1 })
  })

  it('export refuses a name that import would refuse', async () => {
    const file = join(folder, 'all.exp')
    const { code, stderr } = await run(asCaller(ada), 'export', '--out', file)
    expect(code).toBe(2)
    expect(stderr).toContain('must end in .jsonl')
    expect(existsSync(file)).toBe(false)
  })

  it('export fails if the file cannot be written', async () => {
    const { code, stderr } = await run(asCaller(ada), 'export', '--out', join(folder, 'missing', 'all.jsonl'))
    expect(code).toBe(1)
    expect(stderr).toContain("can't be written")
  })
})

const repeated = {
  kind: 'fact',
  content: 'It was said more than once.',
  occurred_at: '2020-04-01T00:00:00Z',
  visibility: { scope: 'private' },
}
const sourcesFrom = (from: number, length: number) =>
  Array.from({ length }, (_, at) => ({ type: 'document', id: `document-${from + at}` }))

async function keyOf(service: Started, user: string, teams: string[]): Promise<Caller> {
  const body = { name: user, user, teams, scopes: ['context:read', 'context:write'] }
  const { body: made } = await call<{ key: string }>(service, 'POST', '/admin/keys', body)
  return { url: service.url, key: made.key }
}

/** Writes every kind of record, link and visibility. Each text is unique. */
async function fill(service: Started, ada: Caller): Promise<void> {
  const decide = (key: string, body: object) => applied(ada, '/v1/decisions', key, body)
  const remember = (key: string, body: object) => applied(ada, '/v1/context/memories', key, body)
  const older = await decide('decision-1', {
    title: 'Use a monolith',
    judgment: 'One program serves everything.',
    context: {
      summary: 'We are three people.',
      constraints: ['No operations team'],
      alternatives: [{ title: 'Services', why_not: 'Too much to run' }],
    },
    rationale: 'It is simple.',
    consequences: 'It grows.',
    decided_at: '2020-01-01T00:00:00Z',
    decided_by: ['Ada', 'Grace'],
    category: 'architecture',
    significance: 'strategic',
    surface: 'meeting',
    entities: [{ type: 'team', name: 'Platform' }],
    sources: [
      {
        type: 'document',
        id: 'notes/1',
        title: 'Notes',
        url: 'https://example.com/notes/1',
        provenance: { class: 'meeting' },
      },
    ],
  })
  const split = await decide('decision-2', {
    title: 'Split the monolith',
    judgment: 'Billing is a program of its own.',
    decided_at: '2021-01-01T00:00:00Z',
    supersedes: [older.entity?.id],
    supersession_reason: 'Billing must not wait for the rest.',
    external_id: 'team/split',
  })
  const told: [string, string, object][] = [
    ['failure', '2022-03-01', { outcome_notes: 'Two bills a customer.' }],
    ['mixed', '2021-06-01', { sources: [{ type: 'ticket', id: 'BILL-7', provenance: { class: 'external' } }] }],
    ['success', '2022-03-01', { outcome_notes: 'One bill again.' }],
  ]
  for (const [outcome_status, day, more] of told) {
    const path = `/api/v2/decisions/${split.entity?.id}/outcome`
    const outcome = { outcome_status, observed_at: `${day}T00:00:00Z`, ...more }
    await call(ada, 'PATCH', path, outcome, { prefer: 'wait=30' })
  }
  await decide('decision-3', {
    title: 'Use Go',
    judgment: 'Go.',
    status: 'proposed',
    external_id: 'team/language',
    decided_at: '2022-01-01T00:00:00Z',
  })
  for (const [at, judgment] of ['We use files.', 'We use one file.', 'We use two files.'].entries()) {
    await decide(`storage-${at}`, {
      title: 'Storage',
      judgment,
      external_id: 'team/storage',
      decided_at: `202${at}-02-01T00:00:00Z`,
    })
  }
  await decide('decision-4', {
    title: 'Raise',
    judgment: 'Only the team knows.',
    visibility: { scope: 'team', team_id: team },
  })
  const wrong = await remember('memory-1', {
    kind: 'fact',
    content: 'Refunds need one approval.',
    occurred_at: '2020-03-01T00:00:00Z',
    topics: ['refunds'],
  })
  await remember('memory-2', {
    kind: 'correction',
    content: 'Refunds need two approvals above 500 EUR.',
    corrects_memory_id: wrong.entity?.id,
    occurred_at: '2021-03-01T00:00:00Z',
  })
  await remember('memory-3', {
    kind: 'constraint',
    title: 'Mine',
    content: 'Ada keeps this to herself.',
    visibility: { scope: 'private' },
  })
  await remember('memory-4', { kind: 'session_outcome', content: 'The migration ended.' })
  const bob = await keyOf(service, 'bob', [])
  await applied(bob, '/v1/context/memories', 'memory-of-bob', {
    kind: 'fact',
    content: 'Bob keeps this.',
    visibility: { scope: 'private' },
  })
}

function linesOf(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** Replaces ids by external ids or texts, because another store has other ids. */
function comparable(lines: Line[]): string[] {
  const names = new Map(lines.map((line) => [line.id, String(line.external_id ?? line.content)]))
  return lines
    .map(({ id, corrects_memory_id: corrects, ...line }) => ({
      ...line,
      ...(typeof corrects === 'string' ? { corrects: names.get(corrects) } : {}),
      named: names.get(id),
    }))
    .map((line) => JSON.stringify(line))
    .sort()
}

async function searched(caller: Caller, as_of: string): Promise<string[]> {
  const body = { q: 'monolith billing files storage refunds approvals', as_of, limit: 50 }
  const answer = await call<{ items: { title: string; snippet: string }[] }>(caller, 'POST', '/v1/context/search', body)
  return answer.body.items.map(({ title, snippet }) => `${title}: ${snippet}`).sort()
}

/** The leading one first. */
async function outcomesOfSplit(
  caller: Caller,
): Promise<{ outcome_status: string; observed_at: string; sources: [] }[]> {
  const found = await call<{ items: { id: string }[] }>(caller, 'POST', '/v1/decisions/search', {
    q: 'split the monolith billing',
    threshold: 0,
  })
  type Whole = {
    outcomes: { items: { id: string; recorded_at: string; outcome_status: string; observed_at: string; sources: [] }[] }
  }
  const { body } = await call<Whole>(caller, 'GET', `/v1/decisions/${found.body.items[0]?.id}`)
  return body.outcomes.items.map(({ id: _, recorded_at: __, ...outcome }) => outcome)
}

async function revisionsOfStorage(caller: Caller): Promise<string[]> {
  const found = await call<{ items: { id: string; external_id?: string }[] }>(caller, 'POST', '/v1/decisions/search', {
    q: 'storage files',
    threshold: 0,
  })
  const id = found.body.items.find((item) => item.external_id === 'team/storage')?.id
  const { body } = await call<{ revisions: { judgment: string }[] }>(caller, 'GET', `/v1/decisions/${id}`)
  return body.revisions.map((one) => one.judgment).reverse()
}
