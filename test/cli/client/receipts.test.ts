import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied, type ReceiptBody, write } from '../../support/http.ts'
import { removeData, type Started, startService } from '../../support/service.ts'
import { folderOfTest, run, runJson } from '../run.ts'

describe('precedent receipts', () => {
  let service: Started
  const caller = () => ({ url: service.url, key: service.key, state: folderOfTest() })
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service.stop()
    await removeData(service.dataDir)
  })

  it('receipts get shows the outcome of a write', async () => {
    const body = { kind: 'fact', content: 'Invoices go out on Mondays.' }
    const made = await applied(service, '/v1/context/memories', 'receipt-get-1', body)
    const { code, stdout } = await run(caller(), 'receipts', 'get', made.receipt_id)
    expect(code).toBe(0)
    expect(stdout).toContain(`${made.receipt_id}  applied     context.remember  memory ${made.entity?.id} “Invoices go`)
  })

  it('receipts get ends with exit code 1 and the error if the write was not applied', async () => {
    const body = { title: 'Alone', judgment: 'Yes.', external_id: 'alone', supersedes: ['alone'] }
    const failed = await applied(service, '/v1/decisions', 'receipt-get-2', body)
    const { code, stdout } = await run(caller(), 'receipts', 'get', failed.receipt_id)
    expect(code).toBe(1)
    expect(stdout).toContain('would_cycle: ')
    const json = await runJson<ReceiptBody>(caller(), 'receipts', 'get', failed.receipt_id)
    expect(json).toMatchObject({ code: 1, body: { state: 'failed' } })
  })

  it('receipts get and watch fail for an unknown id', async () => {
    const unknown = '00000000-0000-7000-8000-00000000dead'
    expect((await run(caller(), 'receipts', 'get', unknown)).code).toBe(1)
    const watched = await run(caller(), 'receipts', 'watch', '--batch', unknown)
    expect(watched.code).toBe(1)
    expect(watched.stderr).toContain('no receipts of the batch')
    expect((await run(caller(), 'receipts', 'watch', '--batch', 'tomorrow')).code).toBe(2)
  })

  it('receipts watch prints receipts that have ended, and ends once none is open', async () => {
    let isWriting = true
    const writing = (async () => {
      for (let at = 0; isWriting; at++) {
        const body = { kind: 'session_outcome', content: `outcome ${at}` }
        await write(service, '/v1/context/memories', `watched-${at}`, body)
        await sleep(2)
      }
    })()
    const watching = runJson<{ ended: ReceiptBody[] }>(caller(), 'receipts', 'watch')
    await sleep(1000)
    isWriting = false
    await writing
    const watched = await watching
    expect(watched.code).toBe(0)
    expect(watched.body.ended.every((one) => one.state === 'applied')).toBe(true)
  })
})
