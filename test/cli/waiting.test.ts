import { afterEach, describe, expect, it } from 'vitest'
import { call, type ReceiptBody } from '../support/http.ts'
import { type Fault, type Spoiler, spoil } from './proxy.ts'
import { type Caller, run, runJson, runOn } from './run.ts'
import { idAlone, serving } from './serving.ts'

const on = serving()
const { memory } = on

describe('waiting for a write', () => {
  const open: Spoiler[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((proxy) => proxy.close()))
  })
  async function through(fault: (request: string, number: number) => Fault): Promise<Caller> {
    const proxy = await spoil(on.service.url, fault)
    open.push(proxy)
    return { ...on.caller, url: proxy.url }
  }

  it('ends when it is accepted with --no-wait, and tells how to follow it', async () => {
    const { code, stdout, stderr } = await run(on.caller, 'remember', 'Nobody waits for this.', '--no-wait')
    expect(code).toBe(0)
    expect(stderr).toContain(`precedent receipts get ${stdout.trim()}`)
    expect((await run(on.caller, 'receipts', 'get', stdout.trim())).code).toBe(0)
  })

  it('goes on by the receipt where the answer comes before the end', async () => {
    const hurried = await through(() => 'no wait')
    const { code, stdout, stderr } = await run(hurried, 'remember', 'The receipt is followed.')
    expect(code).toBe(0)
    expect(stderr).toContain('Accepted; waiting until it is applied.\nKept as a fact.')
    expect(await memory(stdout)).toMatchObject({ content: 'The receipt is followed.' })
  })

  it('ends with 1 where it is not applied in time, and says that it is not lost', async () => {
    const hurried = await through(() => 'no wait')
    const { code, stdout, stderr } = await run(hurried, 'remember', 'This takes too long.', '--wait', '1')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Accepted, but not applied within 1 s.')
    const [, receipt] = /It is not lost.*`precedent receipts get (\S+)`/.exec(stderr) ?? []
    expect((await run(on.caller, 'receipts', 'get', receipt as string)).stdout).toContain('This takes too long.')
  })

  it('tells the key by which a write whose answer was lost is sent again and done once', async () => {
    const losing = await through((_, number) => (number === 0 ? 'lost answer' : 'none'))
    const lost = await runJson<{ error: { idempotency_key: string; remedy: string } }>(losing, 'remember', 'Once only.')
    expect(lost.code).toBe(3)
    const { idempotency_key: key, remedy } = lost.body.error
    expect(remedy).toContain(`--key ${key}`)
    const again = await runJson<ReceiptBody>(losing, 'remember', 'Once only.', '--key', key)
    expect(again.code).toBe(0)
    // a repeat of the same text would be the same memory too: the receipt tells
    const receipts = await call<{ items: ReceiptBody[] }>(on.service, 'GET', '/v1/receipts?limit=2')
    expect(receipts.body.items.filter((one) => one.entity?.id === again.body.entity?.id)).toHaveLength(1)
    const other = await run(on.caller, 'remember', 'Something else.', '--key', key)
    expect(other.code).toBe(1)
  })

  it('is applied for a key that may not read', async () => {
    const body = { name: 'writer', scopes: ['context:write'] }
    const { key } = (await call<{ key: string }>(on.service, 'POST', '/admin/keys', body)).body
    const { code, stdout } = await run({ ...on.caller, key }, 'decide', 'Blind', '--judgment', 'Written unseen.')
    expect(code).toBe(0)
    expect(stdout).toMatch(idAlone)
  })

  it('ends with 3 where nothing answers, and with 4 where the key may not', async () => {
    const away = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, 'remember', 'Nobody hears this.')
    expect(away.code).toBe(3)
    expect(away.stderr).not.toContain('--key')
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
    [['remember', 'x', '--corrects', 'that'], 'not the id of a memory'],
    [['remember', 'x', '--visibility', 'team:blue'], 'team:UUID'],
    [['remember', 'x', '--occurred-at', '2026-02-30'], 'is no date'],
    [['remember', 'x', '--source', '{"type":'], 'not JSON'],
    [['remember', 'x', '--key', 'short'], '8 to 200'],
    [['remember', 'two', 'words'], 'too many arguments'],
    [['decide', 'x'], 'needs a judgment'],
    [['decide', '--judgment', 'x'], 'needs a title'],
    [['decide', '-', '--judgment', '-'], 'Only one thing'],
    [['decide', '--file', '/no/such/file'], 'there is no such file'],
    [['supersede'], 'missing required argument'],
    [['resolve', 'clarification:1'], 'There is no answer.'],
    [['resolve', 'clarification:1', '--confirm', '--dismiss'], 'two answers'],
    [['resolve', 'clarification:1', '--answer', 'x', '--note', 'y'], 'does not go with'],
  ])('refuses %j before anything is sent', async (args, why) => {
    const { code, stdout, stderr } = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(why)
    const json = await run({ ...on.caller, url: 'http://127.0.0.1:9999' }, ...args, '--json')
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'usage', exit: 2 } })
  })

  it('refuses what is not text on standard input', async () => {
    const { code, stderr } = await runOn(on.caller, Buffer.from([0xff, 0xfe, 0x00]), 'remember', '-')
    expect([code, stderr]).toEqual([2, 'precedent: Standard input is not UTF-8.\n'])
    expect((await runOn(on.caller, '\n', 'remember', '-')).code).toBe(2)
  })
})
