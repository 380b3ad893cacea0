/** `precedent import` and `export` of how decisions worked out, as a user runs them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/cli/client/client.ts'
import { outcomeSender } from '../../src/cli/import/outcomes.ts'
import { call, syncAll } from '../support/http.ts'
import { type FaultyProxy, startFaultyProxy } from './proxy.ts'
import { type Caller, folderOfTest, run, runJson, start } from './run.ts'
import { serving } from './serving.ts'

interface Report {
  outcomes: number
  imported: number
  unchanged: number
  accepted: number
  outcomes_recorded: number
  outcomes_unchanged: number
  resumed: boolean
  unread_lines: number
  refused: { file: string; line: number; code: string; message: string }[]
  notes: { file: string; line: number; message: string }[]
}
type Told = { outcome_status: string; outcome_notes?: string; observed_at: string; sources: object[] }

const on = serving()
const asCaller = (caller: Partial<Caller> = {}): Caller => ({ ...on.caller, state: folderOfTest(), ...caller })

function file(name: string, rows: readonly object[]): string {
  const path = join(folderOfTest(), name)
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path
}

/** Sync adds the status to the title of a proposal. */
const idOf = async (title: string): Promise<string> =>
  (await syncAll(on.service)).find((one) => one.title === title || one.title === `${title} (proposed)`)?.id as string
/** The leading one last. */
async function outcomesOf(title: string): Promise<Told[]> {
  const { body } = await call<{ outcomes: { items: Told[] } }>(on.caller, 'GET', `/v1/decisions/${await idOf(title)}`)
  return [...body.outcomes.items].reverse()
}
const statusesOf = async (title: string) => (await outcomesOf(title)).map(({ outcome_status }) => outcome_status)

const record = (title: string, more: string, status = 'Accepted') =>
  `# ${title}\n\nDate: 2024-01-02\n\n## Status\n\n${status}\n\n## Decision\n\nWe do.\n\n${more}`

function records(texts: Record<string, string>): string {
  const folder = join(folderOfTest(), 'shop')
  mkdirSync(join(folder, 'adr'), { recursive: true })
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, 'adr', name), text)
  return folder
}

it('an import with many calls under way prints no warning about listeners', async () => {
  const outcomes = [{ outcome_status: 'mixed', observed_at: '2024-06-01T00:00:00Z' }]
  const path = file('crates.jsonl', [
    ...Array.from({ length: 40 }, (_, n) => ({ title: `Crate ${n}`, judgment: `We use crate ${n}.`, outcomes })),
    ...Array.from({ length: 40 }, (_, n) => ({
      ...{ kind: 'fact', content: `Crate ${n} is of oak.`, occurred_at: '2024-01-01T00:00:00Z' },
      id: `01890000-0000-7000-8000-0000000${String(n).padStart(5, '0')}`,
    })),
  ])
  const { code, stderr } = await start(asCaller(), 'import', path).ended
  expect(code, stderr).toBe(0)
  expect(stderr).not.toContain('MaxListeners')
})

it('outcomes of decision records are recorded once, whatever is imported again', async () => {
  const folder = records({
    '0001-kiosks.md': record('Kiosks', '## Outcome (2024-06-01)\n\nFailed. Gravel scratched them.\n'),
    '0002-tills.md': record('Tills', '## Retrospective\n\nWorked well.\n\n## Outcome after a year\n\nMixed: slow.\n'),
    '0003-scales.md': record('Scales', '## Outcome\n\nFailed.\n', 'Proposed'),
    '0004-lamps.md': record('Lamps', '## Retrospective\n\nThey are bright.\n'),
  })
  const dry = await run(asCaller({ url: 'http://127.0.0.1:9', key: '' }), 'import', folder, '--dry-run')
  expect(dry.stdout).toMatch(/2024-06-01 +outcome: failure “Failed\. Gravel scratched them\.”\n/)
  expect(dry.stdout).toMatch(/Outcomes found +3\n/)
  const first = await runJson<Report>(asCaller(), 'import', folder)
  expect(first, JSON.stringify(first.body)).toMatchObject({
    code: 0,
    body: { imported: 4, outcomes: 3, outcomes_recorded: 3, outcomes_unchanged: 0 },
  })
  expect(first.body.notes.map((note) => [note.file, note.line])).toEqual([
    ['adr/0003-scales.md', 13],
    ['adr/0004-lamps.md', 13],
  ])
  expect(await outcomesOf('Kiosks')).toMatchObject([
    {
      outcome_status: 'failure',
      outcome_notes: 'Failed. Gravel scratched them.',
      observed_at: '2024-06-01T00:00:00.000Z',
      sources: [{ type: 'adr', id: 'shop/adr/0001-kiosks.md' }],
    },
  ])
  expect(await statusesOf('Tills')).toEqual(['success', 'mixed'])
  expect(await statusesOf('Scales')).toEqual([])
  const tills = await idOf('Tills')
  await call(
    on.caller,
    'PATCH',
    `/api/v2/decisions/${tills}/outcome`,
    { outcome_status: 'failure' },
    { prefer: 'wait=20' },
  )
  const second = await run(asCaller(), 'import', folder)
  expect(second.code).toBe(0)
  expect(second.stdout).toMatch(/Unchanged +4 .*\n +Outcomes recorded +0 +3 already recorded\n/)
  expect(await statusesOf('Tills')).toEqual(['success', 'mixed', 'failure'])
  writeFileSync(join(folder, 'adr/0004-lamps.md'), record('Lamps', '## Retrospective\n\nSuccess: they are bright.\n'))
  expect((await runJson<Report>(asCaller(), 'import', folder)).body).toMatchObject({
    outcomes_recorded: 1,
    outcomes_unchanged: 3,
  })
  expect(await statusesOf('Lamps')).toEqual(['success'])
})

it('a key that may only write repeats an import without recording an outcome twice', async () => {
  const { body } = await call<{ key: string }>(on.service, 'POST', '/admin/keys', {
    name: 'w',
    scopes: ['context:write'],
  })
  const outcomes = ['success', 'failure'].map((outcome_status, n) => ({
    outcome_status,
    observed_at: `2024-0${n + 1}-01`,
  }))
  const path = file('blind.jsonl', [{ title: 'Blind', judgment: 'Yes.', outcomes }])
  for (const time of [1, 2]) {
    const imported = await runJson<Report>(asCaller({ key: body.key }), 'import', path)
    expect(imported, JSON.stringify(imported.body)).toMatchObject({ code: 0, body: { outcomes_recorded: 2 } })
    expect(await statusesOf('Blind'), `time ${time}`).toEqual(['success', 'failure'])
  }
})

it('a bad outcome stops neither its decision nor the others', async () => {
  const path = file('bad.jsonl', [
    { title: 'Ahead', judgment: 'Yes.', outcome_status: 'failure', observed_at: '2099-01-01' },
    {
      title: 'Leaking',
      judgment: 'Yes.',
      outcome: { status: 'failure', notes: `It leaked ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.` },
    },
    { title: 'Only proposed', judgment: 'Yes.', status: 'proposed', outcome_status: 'failure' },
    { title: 'Untold', judgment: 'Yes.', outcome: 'We moved.' },
    { title: 'Fine', judgment: 'Yes.', outcome_status: 'mixed' },
  ])
  const { code, body } = await runJson<Report>(asCaller(), 'import', path)
  expect(code).toBe(1)
  expect(body).toMatchObject({ imported: 5, outcomes: 3, outcomes_recorded: 1, unread_lines: 0 })
  expect(body.refused).toEqual([
    expect.objectContaining({ file: 'bad.jsonl', line: 1, code: 'invalid_request' }),
    expect.objectContaining({ file: 'bad.jsonl', line: 2, code: 'secret_detected' }),
  ])
  expect(body.notes.map(({ line }) => line)).toEqual([3, 4])
  expect(await statusesOf('Fine')).toEqual(['mixed'])
  expect(JSON.stringify(body)).not.toContain('a1B2c3')
})

it('an import that was killed while it recorded outcomes continues, also after lost answers', async () => {
  const outcomes = Array.from({ length: 6 }, (_, n) => ({
    outcome_status: n % 2 === 0 ? 'success' : 'failure',
    // the same twice, with another one between them, at one time
    outcome_notes: n === 5 ? 'Now 3' : `Now ${n % 5}`,
    observed_at: '2024-01-01',
  }))
  const path = file('killed.jsonl', [{ title: 'Killed', judgment: 'Yes.', outcomes: [...outcomes, outcomes[0]] }])
  const caller = asCaller()
  let patches = 0
  const proxy: FaultyProxy = await startFaultyProxy(on.service.url, (request) => {
    if (!request.startsWith('PATCH')) return 'none'
    patches += 1
    if (patches === 2) return 'lost answer'
    if (patches !== 4) return 'none'
    first.kill('SIGKILL')
    return 'cut'
  })
  const throughProxy = { ...caller, url: proxy.url }
  const first = start(throughProxy, 'import', path)
  await first.ended
  expect(patches).toBe(4)
  const second = await runJson<Report>(throughProxy, 'import', path)
  await proxy.close()
  expect(second, JSON.stringify(second.body)).toMatchObject({ code: 0, body: { resumed: true, refused: [] } })
  expect(second.body.outcomes_recorded + second.body.outcomes_unchanged).toBe(7)
  const told = (await outcomesOf('Killed')).map(({ outcome_status, outcome_notes }) => [outcome_status, outcome_notes])
  expect(told).toEqual([...outcomes, outcomes[0]].map((one) => [one?.outcome_status, one?.outcome_notes]))
})

it('with --no-wait the outcomes are accepted before the import ends', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    title: `Left ${n}`,
    judgment: 'Yes.',
    outcome: 'Failed: late.',
  }))
  const { code, body } = await runJson<Report>(asCaller(), 'import', file('left.jsonl', rows), '--no-wait')
  expect(code).toBe(0)
  expect(body).toMatchObject({ accepted: 20, outcomes_recorded: 20 })
  const watched = await runJson(asCaller(), 'receipts', 'watch')
  expect(watched.code, JSON.stringify(watched.body)).toBe(0)
  for (const { title } of rows) expect(await statusesOf(title), title).toEqual(['failure'])
})

it('columns of a CSV name outcomes', async () => {
  const path = join(folderOfTest(), 'shop.csv')
  writeFileSync(
    path,
    'title,judgment,outcome_status,outcome_notes,observed_at\nCarts,Yes.,failure,Wheels broke.,2024-05-01\nBags,Yes.,,,\n',
  )
  expect((await runJson<Report>(asCaller(), 'import', path)).body).toMatchObject({ imported: 2, outcomes_recorded: 1 })
  expect(await outcomesOf('Carts')).toMatchObject([
    { outcome_status: 'failure', outcome_notes: 'Wheels broke.', observed_at: '2024-05-01T00:00:00.000Z' },
  ])
  expect(await outcomesOf('Bags')).toEqual([])
})

it('an export holds all outcomes of a decision, also those that need more than one line', async () => {
  const { body } = await call<{ key: string }>(on.service, 'POST', '/admin/keys', {
    name: 'm',
    user: 'mia',
    scopes: ['context:read', 'context:write'],
  })
  const mine = asCaller({ key: body.key })
  const notes = 'é'.repeat(20_000)
  const outcomes = Array.from({ length: 52 }, (_, n) => ({
    outcome_status: n % 2 === 0 ? 'mixed' : 'success',
    outcome_notes: `${n} ${notes}`.slice(0, n < 28 ? 20_000 : 20),
    observed_at: new Date(Date.UTC(2024, 0, 1 + Math.floor(n / 3))).toISOString(),
    ...(n % 5 === 0 ? { sources: [{ type: 'ticket', id: `T-${n}`, provenance: { class: 'external' } }] } : {}),
  }))
  const row = { title: 'Long story', judgment: 'Yes.', external_id: 'mia/long', visibility: { scope: 'private' } }
  expect((await runJson<Report>(mine, 'import', file('long.jsonl', [{ ...row, outcomes }]))).body).toMatchObject({
    outcomes_recorded: 52,
  })
  const out = join(folderOfTest(), 'all.jsonl')
  expect((await run(mine, 'export', '--out', out)).code).toBe(0)
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { external_id: string; outcomes: object[] })
  const long = lines.filter(({ external_id }) => external_id === 'mia/long')
  expect(long.length).toBeGreaterThan(1)
  expect(long.flatMap((line) => line.outcomes)).toEqual(outcomes)
  for (const line of long) expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThan(2 * 1024 * 1024)
  const other = await call<{ key: string }>(on.service, 'POST', '/admin/keys', {
    name: 'n',
    user: 'noa',
    scopes: ['context:read', 'context:write'],
  })
  const theirs = asCaller({ key: other.body.key })
  const only = file('only.jsonl', long)
  const imported = await runJson<Report>(theirs, 'import', only)
  expect(imported, JSON.stringify(imported.body)).toMatchObject({
    code: 0,
    body: { outcomes_recorded: 52, refused: [] },
  })
  expect((await runJson<Report>(theirs, 'import', only)).body).toMatchObject({
    outcomes_recorded: 0,
    outcomes_unchanged: 52,
  })
  const again = join(folderOfTest(), 'again.jsonl')
  expect((await run(theirs, 'export', '--out', again)).code).toBe(0)
  const comparable = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => ({ ...(JSON.parse(line) as object), id: '' }))
  expect(comparable(readFileSync(again, 'utf8')).filter((line) => JSON.stringify(line).includes('mia/long'))).toEqual(
    long.map((line) => ({ ...line, id: '' })),
  )
})

it('an outcome that an earlier import was refused is sent anew under the key of this import', async () => {
  const failed = { receipt_id: 'old', state: 'failed', error: { code: 'invalid_request', message: 'in the future' } }
  const keys: string[] = []
  const server = createServer((req, res) => {
    if (req.method === 'GET') return void res.end('{"outcomes":{"items":[]}}')
    keys.push(String(req.headers['idempotency-key']))
    res.end(JSON.stringify(keys.length === 1 ? failed : { receipt_id: 'new', state: 'applied' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const retries = { busy: 1000, unreachable: 1000 }
  const client = createClient({ url, apiKey: 'key', signal: new AbortController().signal, retries })
  try {
    const { record, sent } = outcomeSender({ client, runKey: 'this-run', wait: true, onProgress: () => {} })
    const outcome = { outcome_status: 'failure' as const, outcome_notes: null, observed_at: null, sources: [] }
    await record([{ file: 'a.md', line: 1, decision: 'd', outcomes: [outcome] }])
    expect(sent).toEqual({ recorded: 1, unchanged: 0, refused: [] })
    expect(keys).toEqual([expect.stringMatching(/^outcome\.[0-9a-f]{64}$/), `this-run.${keys[0]}`])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
