/** What operators do with connected repositories: hooks that ask for a fetch at once, a new index, and their state. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { type Body, send } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, type Started, startService } from '../support/service.ts'

const secret = 'hook-secret-of-the-shop-0001'
const payload = '{"ref":"refs/heads/main"}'
const signed = (body = payload, by = secret) => createHmac('sha256', by).update(body).digest('hex')

describe('operators of connected repositories', () => {
  let service: Started
  let shop: Repository
  let logs: Started

  async function hook(name: string, headers: Record<string, string>, body = payload) {
    const response = await fetch(`${service.url}/hooks/git/${name}`, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const admin = (method: string, path: string, body?: object) =>
    send(service.url, method, path, { key: service.key, ...(body === undefined ? {} : { body }) })
  async function shown(name = 'acme/Shop'): Promise<Body> {
    const { body } = await admin('GET', '/admin/repositories')
    return body.items.find((one: Body) => one.full_name === name)
  }
  const indexed = (commit: string) =>
    vi.waitFor(async () => expect(await shown()).toMatchObject({ state: 'ready', indexed: { commit } }), {
      timeout: 60_000,
      interval: 200,
    })

  beforeAll(async () => {
    shop = newRepository()
    const first = shop.commit({ 'src/order.ts': 'export function cancel() {}\n', 'logo.png': Buffer.from([1, 0, 2]) })
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [
      { name: 'acme/Shop', url: shop.path, secret_env: 'SHOP_HOOK', audience: 'user:nobody' },
      { name: 'acme/without', url: newRepository().path },
      { name: 'acme/absent', url: join(temporaryFolder(), 'nothing') },
    ]
    // so seldom that only a hook or an operator can be the cause of a fetch
    writeFileSync(config, JSON.stringify({ repositories: { poll: '24h', connect } }))
    const shared = { dataDir: newDataDir(), env: { PRECEDENT_CONFIG: config, SHOP_HOOK: secret } }
    service = await startService(profile === 'scaled' ? { ...shared, kind: 'web' } : shared)
    logs = profile === 'scaled' ? await startService({ ...shared, kind: 'code' }) : service
    await indexed(first)
  }, 120_000)

  it('see every repository of their workspace, with what was skipped and why one failed', async () => {
    expect(await shown()).toMatchObject({ audience: 'user:nobody', skipped: { binary: 1 }, behind_since: null })
    await vi.waitFor(async () => expect((await shown('acme/absent')).state).toBe('failed'), { timeout: 60_000 })
    expect((await shown('acme/absent')).error).toMatch(/\w/)
    const { body } = await admin('POST', '/admin/keys', { name: 'reader', scopes: ['repos:read'] })
    expect((await send(service.url, 'GET', '/admin/repositories', { key: body.key })).status).toBe(403)
  })

  it.each([
    ['GitHub', () => ({ 'x-hub-signature-256': `sha256=${signed()}` })],
    ['Gitea', () => ({ 'x-gitea-signature': signed() })],
    ['GitLab', () => ({ 'x-gitlab-token': secret })],
  ])(
    'get a push indexed at once by a hook of %s',
    async (host, headers) => {
      const commit = shop.commit({ 'src/order.ts': `export function cancel${host}() {}\n` })
      expect(await hook('acme/shop', headers())).toEqual({ status: 202, body: { fetch: 'requested' } })
      await indexed(commit)
    },
    90_000,
  )

  it('find the trace of a hook in the log of the worker', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { 'x-gitlab-token': secret, traceparent: `00-${trace}-00f067aa0ba902b7-01` }
    const commit = shop.commit({ 'src/traced.ts': 'export const traced = 1\n' })
    expect((await hook('acme%2FShop', headers)).status).toBe(202)
    await indexed(commit)
    await vi.waitFor(() => expect(logs.log()).toMatch(new RegExp(`${trace}.*repository indexed`)))
  })

  it('get few fetches for many calls of a hook at once', async () => {
    const commit = shop.commit({ 'src/many.ts': 'export const many = 1\n' })
    const before = looks()
    const answers = await Promise.all(Array.from({ length: 60 }, () => hook('acme/shop', { 'x-gitlab-token': secret })))
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    await indexed(commit)
    // the requests may fall into two looks of the worker
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before))
    expect(looks() - before).toBeLessThanOrEqual(3)
  })
  const looks = () =>
    logs
      .log()
      .split('\n')
      .filter((line) => /repository (indexed|looked at)/.test(line)).length

  it('get all of a repository indexed anew, while the present index serves', async () => {
    const before = await shown()
    const { status, body } = await admin('POST', '/admin/repositories/reindex', { repository: 'ACME/shop' })
    expect([status, body.indexed]).toEqual([202, before.indexed])
    await vi.waitFor(async () => expect((await shown()).indexed_at > before.indexed_at).toBe(true), {
      timeout: 60_000,
      interval: 200,
    })
    const after = await shown()
    expect(after).toEqual({ ...before, indexed_at: after.indexed_at })
  })

  it('cannot reindex what is not connected', async () => {
    expect((await admin('POST', '/admin/repositories/reindex', { repository: 'acme/none' })).status).toBe(404)
    expect((await admin('POST', '/admin/repositories/reindex', {})).status).toBe(400)
  })

  it('see the states, delay, skipped files and indexing times in the metrics', async () => {
    const metrics = await (
      await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.key}` } })
    ).text()
    expect(metrics).toContain('precedent_repositories{state="ready"} 2')
    expect(metrics).toContain('precedent_repositories{state="failed"} 1')
    expect(metrics).toContain('precedent_repository_behind_seconds 0')
    expect(metrics).toContain('precedent_repository_skipped_files{reason="binary"} 1')
    // only the process that indexes observes them
    const attempts = /^precedent_repository_indexing_seconds_count\{outcome="indexed"\} (\d+)$/m.exec(metrics)?.[1]
    expect(Number(attempts) > 0).toBe(profile === 'embedded')
  })

  it('need fear no caller without the secret: every wrong call looks like an unknown address', async () => {
    const nowhere = await hook('acme/nowhere', { 'x-gitlab-token': secret })
    expect(nowhere.status).toBe(404)
    const alike = async (name: string, headers: Record<string, string>, body = payload) => {
      const answer = await hook(name, headers, body)
      expect(answer).toEqual({ status: 404, body: { ...nowhere.body, instance: answer.body.instance } })
    }
    await alike('acme/without', { 'x-gitlab-token': secret })
    await alike('acme/shop', {})
    await alike('acme/shop', {}, '')
    await alike('acme/shop', { 'x-gitlab-token': `${secret}1` })
    await alike('acme/shop', { 'x-gitlab-token': '' })
    await alike('acme/shop', { 'x-hub-signature-256': `sha256=${signed()}` }, `${payload} `)
    await alike('acme/shop', { 'x-hub-signature-256': signed() })
    await alike('acme/shop', { 'x-hub-signature-256': 'sha256=' })
    await alike('acme/shop', { 'x-hub-signature': `sha1=${signed()}` })
    await alike('acme/shop', { 'x-gitea-signature': signed(payload, 'another-secret-0000001') })
    await alike('acme/shop', { authorization: `Bearer ${service.key}` })
    await alike('acme', { 'x-gitlab-token': secret })
  })

  it('keep no body beyond 1 MiB of a caller of a hook', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1)
    for (const name of ['acme/shop', 'acme/nowhere']) {
      expect((await hook(name, { 'x-gitea-signature': signed(large) }, large)).status).toBe(413)
    }
  })
})
