/** Strangers at the hooks of connected repositories: they need no key, so everybody who reaches the service can try. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newRepository } from '../adapters/git/repositories.ts'
import { send } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { type Started, startService } from '../support/service.ts'
import { attack, closeAll, head, length } from './sockets.ts'

const secret = 'hook-secret-of-the-shop-0002'
const wrong = 'guessed-secret-0000000001'
const payload = '{"ref":"refs/heads/heligoland"}'
const signature = createHmac('sha256', secret).update(payload).digest('hex')
/** Requests a second. */
const rate = 10

describe('hooks', () => {
  let service: Started
  const hook = (headers: Record<string, string>) =>
    fetch(`${service.url}/hooks/git/acme/shop`, { method: 'POST', headers, body: payload })

  beforeAll(async () => {
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [{ name: 'acme/shop', url: newRepository().path, secret_env: 'SHOP_HOOK' }]
    writeFileSync(config, JSON.stringify({ repositories: { poll: '24h', connect } }))
    const env = { PRECEDENT_CONFIG: config, SHOP_HOOK: secret, PRECEDENT_RATE_LIMIT: String(rate) }
    service = await startService({ env })
  }, 120_000)
  // the tests before have used up the rate of this address
  beforeEach(() => sleep(1_500))
  afterEach(closeAll)

  it('let nobody try many secrets in a short time, and keep callers with keys served meanwhile', async () => {
    const tries = Array.from({ length: 30 * rate }, () => hook({ 'x-gitlab-token': wrong }))
    const withKey = await send(service.url, 'GET', '/admin/repositories', { key: service.key })
    const answers = await Promise.all(tries)
    expect(withKey.status).toBe(200)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(rate)
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await sleep(1_500)
    expect((await hook({ 'x-gitlab-token': secret })).status).toBe(202)
  })

  it('answer others while strangers send their bodies slowly', async () => {
    const line = head('POST /hooks/git/acme/shop HTTP/1.1', length(1_000_000), `X-Gitlab-Token: ${wrong}`)
    const slow = await Promise.all(Array.from({ length: 20 }, () => attack(Number(new URL(service.url).port), line)))
    for (const one of slow) one.send('x')
    expect((await hook({ 'x-hub-signature-256': `sha256=${signature}` })).status).toBe(202)
    expect((await send(service.url, 'GET', '/admin/repositories', { key: service.key })).status).toBe(200)
    for (const one of slow) expect(['', '408', '429']).toContain(/^HTTP\/1\.1 (\d+)/.exec(one.got())?.[1] ?? '')
  })

  it('write no secret, signature or body to the log', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` }
    expect((await hook({ 'x-gitlab-token': wrong, ...headers })).status).toBe(404)
    expect((await hook({ 'x-hub-signature-256': `sha256=${signature}`, ...headers })).status).toBe(202)
    expect((await hook({ 'x-gitlab-token': secret, ...headers })).status).toBe(202)
    await expect.poll(() => service.log(), { timeout: 30_000 }).toMatch(new RegExp(`${trace}.*repository looked at`))
    const log = service.log()
    for (const one of [secret, wrong, signature, 'heligoland']) expect(log).not.toContain(one)
  })
})
