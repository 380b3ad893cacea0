import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, type ReceiptBody } from '../support/http.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from './proxy.ts'
import { type Caller, run, runJson, runOn } from './run.ts'
import { onlyAnId, serving } from './serving.ts'

const on = serving()
const { memory } = on

describe('waiting for a write', () => {
  const open: FaultyProxy[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((proxy) => proxy.close()))
  })
  async function through(fault: (request: string, number: number) => Fault): Promise<Caller> {
    const proxy = await startFaultyProxy(on.service.url, fault)
    open.push(proxy)
    return { ...on.caller, url: proxy.url }
  }

  it('with --no-wait a write ends once it is accepted, and prints how to follow it', async () => {
    const { code, stdout, stderr } = await run(on.caller, 'remember', 'Nobody waits for this.', '--no-wait')
    expect(code).toBe(0)
    expect(stderr).toContain(`precedent receipts get ${stdout.trim()}`)
    expect((await run(on.caller, 'receipts', 'get', stdout.trim())).code).toBe(0)
    const unknown = await run(on.caller, 'receipts', 'get', 'none')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no receipt with the id none.') })
  })

  it('a write polls its receipt if the service answers before it is applied', async () => {
    const hurried = await through(() => 'no wait')
    const { code, stdout, stderr } = await run(hurried, 'remember', 'The receipt is followed.')
    expect(code).toBe(0)
    expect(stderr).toContain('Accepted; waiting until it is applied.\nRecorded as a fact.')
    expect(await memory(stdout)).toMatchObject({ content: 'The receipt is followed.' })
  })

  it('a write that is not applied within --wait ends with exit code 1 and says that it is not lost', async () => {
    const hurried = await through(() => 'no wait')
    const { code, stdout, stderr } = await run(hurried, 'remember', 'This takes too long.', '--wait', '1')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Accepted, but not applied within 1 s.')
    const [, receipt] = /It is not lost.*`precedent receipts get (\S+)`/.exec(stderr) ?? []
    await vi.waitFor(
      async () =>
        expect((await run(on.caller, 'receipts', 'get', receipt as string)).stdout).toContain('This takes too long.'),
      { timeout: 20_000, interval: 100 },
    )
  })

  it('if the answer is lost, the error names a key; the write sent again with it is done once', async () => {
    const losing = await through((_, number) => (number === 0 ? 'lost answer' : 'none'))
    const lost = await runJson<{ error: { idempotency_key: string; remedy: string } }>(losing, 'remember', 'Once only.')
    expect(lost.code).toBe(3)
    const { idempotency_key: key, remedy } = lost.body.error
    expect(remedy).toContain(`--key ${key}`)
    const again = await runJson<ReceiptBody>(losing, 'remember', 'Once only.', '--key', key)
    expect(again.code).toBe(0)
    // the same text alone would give the same memory; one receipt shows that the write was done once
    const receipts = await call<{ items: ReceiptBody[] }>(on.service, 'GET', '/v1/receipts?limit=2')
    expect(receipts.body.items.filter((one) => one.entity?.id === again.body.entity?.id)).toHaveLength(1)
    const other = await run(on.caller, 'remember', 'Something else.', '--key', key)
    expect(other.code).toBe(1)
  })

  it('a write succeeds with a key that may not read', async () => {
    const body = { name: 'writer', scopes: ['context:write'] }
    const { key } = (await call<{ key: string }>(on.service, 'POST', '/admin/keys', body)).body
    const { code, stdout } = await run({ ...on.caller, key }, 'decide', 'Blind', '--judgment', 'Written unseen.')
    expect(code).toBe(0)
    expect(stdout).toMatch(onlyAnId)
  })

  it('a write ends with exit code 3 if the service is unreachable, and 4 if the key lacks the scope', async () => {
    const unreachable = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, 'remember', 'Nobody hears this.')
    expect(unreachable.code).toBe(3)
    expect(unreachable.stderr).not.toContain('--key')
    const body = { name: 'reader', scopes: ['context:read'] }
    const { key } = (await call<{ key: string }>(on.service, 'POST', '/admin/keys', body)).body
    const refused = await run({ ...on.caller, key }, 'remember', 'Not allowed.')
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('--scopes context:write')
  })

  it.each([
    [['remember', ''], 'The text is empty.'],
    [['remember', 'x', '--kind', 'rumour'], 'session_outcome'],
    [['remember', 'x', '--kind', 'correction'], '--corrects'],
    [
      ['remember', 'x', '--corrects', 'that'],
      "option '--corrects <id>' argument 'that' is invalid. It is not the id of a memory.",
    ],
    [['remember', 'x', '--visibility', 'team:blue'], "'team:blue' is invalid. Give workspace, private or team:UUID."],
    [['remember', 'x', '--occurred-at', '2026-02-30'], 'is not a date'],
    [['remember', 'x', '--source', '{"type":'], 'not JSON'],
    [['remember', 'x', '--source', ' '], "option '--source <source>' argument ' ' is invalid. It is empty."],
    [['remember', 'x', '--wait', 'long'], "option '--wait <seconds>' argument 'long' is invalid. Give a whole number"],
    [['remember', 'x', '--key', 'short'], '8 to 200'],
    [['remember', 'two', 'words'], 'too many arguments'],
    [['decide', 'x'], 'needs a judgment'],
    [['decide', '--judgment', 'x'], 'needs a title'],
    [['decide', '-', '--judgment', '-'], 'only once'],
    [['decide', '--file', '/no/such/file'], 'there is no such file'],
    [['supersede'], 'missing required argument'],
    [['export', '--out', 'foo.txt'], 'An export is JSONL, so the name “foo.txt” must end in .jsonl.'],
    [['resolve', 'clarification:1'], 'No answer is given.'],
    [['resolve', 'clarification:1', '--confirm', '--dismiss'], 'cannot be combined'],
    [['resolve', 'clarification:1', '--answer', 'x', '--note', 'y'], 'cannot be combined with --answer'],
  ])('%j is refused before anything is sent', async (args, why) => {
    const { code, stdout, stderr } = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(why)
    const json = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, ...args, '--json')
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'usage', exit: 2 } })
  })

  it('standard input that is not UTF-8, or is empty, is refused', async () => {
    const { code, stderr } = await runOn(on.caller, Buffer.from([0xff, 0xfe, 0x00]), 'remember', '-')
    expect([code, stderr]).toEqual([2, 'precedent: Standard input is not UTF-8.\n'])
    expect((await runOn(on.caller, '\n', 'remember', '-')).code).toBe(2)
  })
})
