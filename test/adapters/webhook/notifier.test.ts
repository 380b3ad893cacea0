import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { webhookNotifier } from '../../../src/adapters/webhook/notifier.ts'
import { NotDelivered } from '../../../src/ports/notifier.ts'
import { newCertificate } from '../../support/certificate.ts'
import { startReceiver, type TestReceiver, webhookSecret } from '../../support/receiver.ts'

let receiver: TestReceiver
beforeEach(async () => {
  receiver = await startReceiver()
})

const message = { id: 'notice-1', body: '{"type":"run.failed","data":{"name":"中"}}' }
const send = (url = receiver.url, signal = AbortSignal.timeout(60_000)) =>
  webhookNotifier({ url, secret: webhookSecret }, systemClock).send(message, signal)
/** The error that it rejects with. */
const failure = (url?: string, signal?: AbortSignal): Promise<Error> =>
  send(url, signal).then(
    () => new Error('it was delivered'),
    (error: Error) => error,
  )

describe('a notifier by webhook', () => {
  it.each([200, 202, 204])('has delivered a message if the receiver answers %i', async (status) => {
    receiver.answer((response) => response.writeHead(status).end())
    await send()
    expect(receiver.received).toMatchObject([{ id: message.id, body: JSON.parse(message.body) }])
  })

  it.each([301, 302, 307, 308, 400, 410, 500])('has not if the receiver answers %i', async (status) => {
    const elsewhere = await startReceiver()
    receiver.answer((response) => response.writeHead(status, { location: elsewhere.url }).end('secret'))
    const error = await failure()
    expect(error).toBeInstanceOf(NotDelivered)
    expect(error.message).toContain(`answered ${status}`)
    expect([elsewhere.received, elsewhere.refused]).toEqual([[], []])
  })

  it('tells how long the receiver wants to be left alone', async () => {
    receiver.answer((response) => response.writeHead(503, { 'retry-after': '7' }).end())
    expect(await failure()).toMatchObject({ askAgainIn: 7_000 })
  })

  it('gives up a receiver that does not answer when the signal is aborted', async () => {
    receiver.answer(() => {})
    const giving = new AbortController()
    const result = failure(undefined, giving.signal)
    await expect.poll(() => receiver.received.length).toBe(1)
    giving.abort()
    expect((await result).message).toBe('The receiver did not answer.')
    await expect.poll(() => receiver.sockets.size).toBe(0)
    expect((await failure(undefined, giving.signal)).message).toBe('The receiver did not answer.')
  })

  it('has delivered a message that was confirmed, even if the response does not end', async () => {
    let isConfirmed = false
    receiver.answer((response) => {
      response.writeHead(200).write('thanks', () => {
        isConfirmed = true
      })
    })
    const giving = new AbortController()
    const result = send(undefined, giving.signal)
    await expect.poll(() => isConfirmed).toBe(true)
    await systemClock.sleep(200)
    giving.abort()
    await result
    await expect.poll(() => receiver.sockets.size).toBe(0)
  })

  it('sends nothing to a receiver whose certificate nobody trusts', async () => {
    const secure = await startReceiver({ tls: newCertificate() })
    expect((await failure(secure.url)).message).toBe('TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT).')
    expect(secure.received).toEqual([])
  })
})
