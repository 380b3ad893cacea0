import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BriefOutput } from '../../src/context/brief/schema.ts'
import type { SearchOutput } from '../../src/context/schema.ts'
import type { DecisionSearchOutput } from '../../src/decisions/schema.ts'
import { applied, call } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { type Caller, folderOfTest, run, runJson } from './run.ts'

describe('precedent brief, search and questions', () => {
  let service: Started
  let caller: Caller
  let older: string
  let newer: string
  let rule: string
  beforeAll(async () => {
    service = await startService()
    caller = { url: service.url, key: service.key, state: folderOfTest() }
    older = await decided({
      title: 'Ship by sea',
      judgment: 'Crates for Oslo go by sea.',
      decided_at: '2024-05-01T00:00:00Z',
    })
    newer = await decided({
      title: 'Ship by rail',
      judgment: 'Crates for Oslo go by rail.',
      rationale: 'The ferry was late too often.',
      decided_at: '2025-05-01T00:00:00Z',
      decided_by: ['Ada'],
      external_id: 'shipping/2',
      supersedes: [older],
      supersession_reason: 'Two crates were lost.',
    })
    const content = 'Crates for Oslo are never stacked.\n\nWho may make an exception?'
    rule = await remembered({ kind: 'constraint', title: 'Stacking', content, occurred_at: '2025-06-01T00:00:00Z' })
  })
  afterAll(async () => {
    await service.stop()
    await removeData(service.dataDir)
  })

  let writes = 0
  async function made(path: string, body: object): Promise<string> {
    const receipt = await applied(service, path, `written-${writes++}`, body)
    expect(receipt.state, JSON.stringify(receipt)).toBe('applied')
    return receipt.entity?.id as string
  }
  const decided = (body: object) => made('/v1/decisions', body)
  const remembered = (body: object) => made('/v1/context/memories', body)

  it('brief prints the Markdown of the service with its citations', async () => {
    const { body } = await call<BriefOutput>(service, 'GET', '/v1/context/brief?query=crates+for+Oslo')
    const { code, stdout, stderr } = await run(caller, 'brief', 'crates', 'for', 'Oslo')
    expect(code).toBe(0)
    // the two briefs may differ in the minute
    const untimed = (text: string) => text.replace(/\d\d:\d\d UTC/, '')
    const cited = body.citations.map(({ type, id }, at) => `[${at + 1}] ${type} ${id}\n`)
    expect(untimed(stdout)).toBe(`${untimed(body.markdown)}\n${cited.join('')}`)
    const place = body.citations.findIndex(({ id }) => id === newer) + 1
    expect(stdout).toMatch(new RegExp(`\\*\\*Ship by rail\\*\\*: .*\\[${place}\\]`))
    expect(stdout).toContain(`\n[${place}] decision ${newer}\n`)
    expect(stderr).toContain('1 open question about this. `precedent questions` shows how to answer.')
  })

  it('brief --json with a lens and a limit prints the unchanged answer of the service', async () => {
    const { code, body } = await runJson<BriefOutput>(caller, 'brief', '--lens', 'handoff', '--limit', '1')
    expect(code).toBe(0)
    expect(body).toMatchObject({ lens: 'handoff', decisions: [{ id: newer }], diagnostics: { empty_corpus: false } })
    expect(body.markdown).toContain('# Handoff')
  })

  it('search shows title, passage, id, date and score of each hit, replaced records and open questions', async () => {
    const { code, stdout, stderr } = await run(caller, 'search', 'crates for Oslo by sea', '--limit', '5')
    expect(code).toBe(0)
    expect(stdout).toContain(`1. Ship by rail\n   Crates for Oslo go by rail.`)
    expect(stdout).toMatch(new RegExp(`^ {3}decision {2}${newer} {2}2025-05-01 {2}score [01]\\.\\d\\d$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^ {3}memory {2}${rule} {2}2025-06-01 {2}score 0\\.\\d\\d$`, 'm'))
    expect(stdout).toContain('No longer holds:\n! “Ship by sea” was superseded by “Ship by rail” (2025-05-01).')
    expect(stdout).toContain(`  replaced by decision ${newer}`)
    expect(stdout).toMatch(/Open questions .*\n\? Who may make an exception\?\n {2}clarification:[0-9a-f]+ {2}blocking/)
    expect(stderr).toBe('')
  })

  it('search --as-of finds the records that were in force then', async () => {
    const { body } = await runJson<SearchOutput>(caller, 'search', 'crates for Oslo', '--as-of', '2024-05-01')
    expect(body.items.map(({ id }) => id)).toEqual([older])
  })

  it('search --cursor with the printed cursor shows the next page', async () => {
    const first = await run(caller, 'search', 'crates for Oslo', '--limit', '1')
    const cursor = /--cursor (\S+)\n$/.exec(first.stderr)?.[1] as string
    const second = await runJson<SearchOutput>(caller, 'search', 'crates for Oslo', '--limit', '1', '--cursor', cursor)
    const both = [first.stdout, JSON.stringify(second.body)].map((text) =>
      [newer, rule].find((id) => text.includes(id)),
    )
    expect(new Set(both)).toEqual(new Set([newer, rule]))
  })

  it('search --decisions shows the rationale and the decisions that were replaced', async () => {
    const { code, stdout } = await run(caller, 'search', '--decisions', '--threshold', '0', 'crates for Oslo by rail')
    expect(code).toBe(0)
    expect(stdout).toContain('Why: The ferry was late too often.')
    expect(stdout).toContain(`Replaces “Ship by sea” (2024-05-01, ${older}): Two crates were lost.`)
    expect(stdout).toMatch(new RegExp(`decision ${newer} {2}shipping/2 {2}2025-05-01 {2}by Ada {2}score [01]\\.\\d\\d`))
    const since = ['--since', '2026-01-01', '--threshold', '0']
    const { body } = await runJson<DecisionSearchOutput>(caller, 'search', '--decisions', 'crates for Oslo', ...since)
    expect(body).toEqual({ items: [] })
  })

  it('if nothing is found, the command says so and ends with exit code 0', async () => {
    const nothing = await run(caller, 'search', 'zebra')
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'No record that this key may see matches.\n' })
    const decisions = await run(caller, 'search', 'zebra', '--decisions')
    expect(decisions.stderr).toContain('--threshold')
    const questions = await run(caller, 'questions', 'zebra')
    expect(questions).toMatchObject({ code: 0, stdout: '', stderr: 'There are no open questions about “zebra”.\n' })
  })

  it('control characters in records do not reach the terminal', async () => {
    const hostile = 'Falcon\u001b]0;owned\u0007 \u001b[31mred\u009b2J \u202edne\r\nDoes the falcon fly?'
    await remembered({ kind: 'fact', title: 'Falcon \u001b[2J\nforged line', content: hostile })
    const outputs = [await run(caller, 'search', 'falcon'), await run(caller, 'brief', 'falcon')]
    outputs.push(await run(caller, 'questions', 'falcon'), await run(caller, 'search', 'falcon', '--json'))
    for (const { code, stdout } of outputs) {
      expect(code).toBe(0)
      expect(stdout).toMatch(/falcon/i)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches what must not be printed
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    expect(outputs[0]?.stdout).toContain('1. Falcon \ufffd[2J forged line\n')
    const { items } = JSON.parse(outputs[3]?.stdout ?? '') as SearchOutput
    expect(items[0]?.snippet).toBe(hostile)
  })

  it.each([
    [
      ['search', '--limit', '51', 'x'],
      "option '--limit <n>' argument '51' is invalid. Give a whole number from 1 to 50.",
    ],
    [['search', '--threshold', '0.5', 'x'], 'only with --decisions'],
    [['search', '--decisions'], 'needs a query'],
    [['search', '--decisions', 'x', '--as-of', '2026-01-01'], 'cannot be combined with --decisions'],
    [
      ['search', '--as-of', '2026-02-30'],
      "option '--as-of <date>' argument '2026-02-30' is invalid. It is not a date. Give",
    ],
    [
      ['search', '--decisions', 'x', '--threshold', '2'],
      "option '--threshold <score>' argument '2' is invalid. Give a number",
    ],
    [['brief', '--lens', 'wide'], 'handoff'],
    [['brief', '--limit', '0'], 'from 1 to 20'],
  ])('%j is refused before anything is sent', async (args, why) => {
    const { code, stderr } = await run({ ...caller, url: 'http://127.0.0.1:1' }, ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })

  it('the exit code is 3 if the service is unreachable, and 4 if the key lacks the scope', async () => {
    const unreachable = await runJson<{ error: { code: string } }>({ ...caller, url: 'http://127.0.0.1:1' }, 'brief')
    expect(unreachable).toMatchObject({ code: 3, body: { error: { code: 'unreachable' } } })
    const body = { name: 'writer', scopes: ['context:write'] }
    const { key } = (await call<{ key: string }>(service, 'POST', '/admin/keys', body)).body
    for (const verb of ['brief', 'search', 'questions']) expect((await run({ ...caller, key }, verb, 'x')).code).toBe(4)
  })
})
