import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newRepository } from '../adapters/git/repositories.ts'
import { temporaryFolder, temporaryFolderOnDisk } from '../support/clean-up.ts'
import { applied, call, type ReceiptBody, write } from '../support/http.ts'
import { adminKey, removeData, type Started, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'

const noMount = canMount() ? undefined : 'mounting a tmpfs needs root'
const noImmutable = canMakeImmutable() ? undefined : 'an immutable file needs root and chattr'

describe('a disk that cannot be written', () => {
  it('a full disk: the service answers 503, never 202, and recovers by itself', {
    ...skipIf(noMount),
    timeout: 180_000,
  }, async () => {
    await onSmallDisk('8m', {}, async (service, enlarge) => {
      const caller = { url: service.url, key: adminKey }
      const acknowledged: string[] = []
      let refused = 0
      for (let number = 0; refused < 5 && number < 2000; number++) {
        const body = { kind: 'fact', content: `${number} ${'full '.repeat(8000)}` }
        const answer = await write(caller, '/v1/context/memories', `full-key-${number}`, body)
        if (answer.status === 202 || answer.status === 200) acknowledged.push(answer.body.receipt_id)
        else {
          refused++
          expect(answer.status).toBe(503)
          expect(answer.headers.get('content-type')).toContain('application/problem+json')
          expect(answer.headers.get('retry-after')).toBeTruthy()
          expect(answer.body).toMatchObject({ code: 'unavailable', retryable: true })
        }
      }
      expect(refused).toBe(5)
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(await becomesUnready(caller)).toBe(true)
      expect((await call(caller, 'GET', '/livez')).status).toBe(200)

      enlarge()
      await eachApplied(caller, acknowledged)
      const after = await applied(caller, '/v1/context/memories', 'after-room', {
        kind: 'fact',
        content: 'Room again.',
      })
      expect(after.state).toBe('applied')
      // it answers for a second what it found before
      await expect.poll(async () => (await call(caller, 'GET', '/readyz')).status, { timeout: 30_000 }).toBe(200)
    })
  })

  it.each([
    ['while the push is fetched', () => ({ 'noise.bin': randomBytes(30_000_000) })],
    [
      'while it is indexed',
      () => Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/f${n}.ts`, codeOf(n)])),
    ],
  ])(
    'a full disk %s: the commit before stays served, and the new one arrives once there is room',
    {
      ...skipIf(noMount),
      timeout: 240_000,
    },
    async (_, pushed) => {
      const repository = newRepository()
      const before = repository.commit({ 'src/order.ts': 'export function cancelOrder() {}\n' })
      const config = join(temporaryFolder(), 'precedent.yaml')
      const connect = [{ name: 'acme/shop', url: repository.path }]
      writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
      await onSmallDisk('12m', { PRECEDENT_CONFIG: config }, async (service, enlarge) => {
        const caller = { url: service.url, key: adminKey }
        const state = async () => (await call<{ items: Shop[] }>(caller, 'GET', '/api/v2/repos')).body.items[0]
        const found = async () => {
          const { body } = await call<{ items: Hit[] }>(caller, 'GET', '/api/v2/repos/search?q=cancel%20order')
          return body.items.map(({ path, commit }) => ({ path, commit }))
        }
        const becomes = (expected: object) =>
          expect.poll(async () => await state(), { timeout: 90_000, interval: 500 }).toMatchObject(expected)
        await becomes({ state: 'ready', indexed: { commit: before } })
        const after = repository.commit(pushed())
        // the log tells that it was tried, and why it failed
        await expect.poll(() => service.log(), { timeout: 60_000 }).toMatch(/"level":"error".*acme\/shop/)
        await setTimeout(3_000)
        expect((await state())?.indexed?.commit).toBe(before)
        expect(await found()).toEqual([{ path: 'src/order.ts', commit: before }])

        enlarge()
        await becomes({ state: 'ready', indexed: { commit: after }, head: { commit: after } })
        expect(await found()).toEqual([{ path: 'src/order.ts', commit: after }])
        const body = { kind: 'fact', content: 'Room again.' }
        expect((await applied(caller, '/v1/context/memories', 'after-room', body)).state).toBe('applied')
      })
    },
  )

  it('a read-only disk: the service answers 503, never 202, and recovers by itself', {
    ...skipIf(noImmutable),
    timeout: 180_000,
  }, async () => {
    const service = await startService({ dataDir: temporaryFolderOnDisk('precedent-immutable-') })
    try {
      const caller = { url: service.url, key: adminKey }
      const body = { kind: 'fact', content: 'Before the disk was read-only.' }
      await applied(caller, '/v1/context/memories', 'before-read-only', body)
      immutable(service.dataDir, true)
      const refused = await write(caller, '/v1/context/memories', 'while-read-only', { kind: 'fact', content: 'No.' })
      expect(refused.status).toBe(503)
      expect(refused.body).toMatchObject({ code: 'unavailable' })
      expect((await call(caller, 'GET', '/readyz')).status).toBe(503)
      // reads still work
      const found = await call<{ items: unknown[] }>(caller, 'POST', '/v1/context/search', { q: 'disk read-only' })
      expect(found.status).toBe(200)
      expect(found.body.items.length).toBe(1)
      immutable(service.dataDir, false)
      const after = await applied(caller, '/v1/context/memories', 'while-read-only', { kind: 'fact', content: 'No.' })
      expect(after.state).toBe('applied')
    } finally {
      immutable(service.dataDir, false)
      await service.kill()
      await removeData(service.dataDir)
    }
  })
})

/** A service whose data is on a disk of this size. `enlarge` makes the disk large. */
async function onSmallDisk(
  size: string,
  env: Record<string, string>,
  work: (service: Started, enlarge: () => void) => Promise<void>,
): Promise<void> {
  const dataDir = temporaryFolder('precedent-full-')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dataDir])
  const service = await startService({ dataDir, env })
  try {
    await work(service, () => execFileSync('mount', ['-o', 'remount,size=1g', dataDir]))
  } finally {
    await service.kill()
    execFileSync('umount', ['-l', dataDir])
    await removeData(dataDir)
  }
}

type Shop = { indexed: { commit: string } | null }
type Hit = { path: string; commit: string }

/** Much for the index, and little for the mirror. */
function codeOf(file: number): string {
  const functions = Array.from({ length: 60 }, (_, n) => `export function settle${file}x${n}(amount: number) {}\n`)
  return functions.join('')
}

/**
 * Writes until the service is not ready: a checkpoint of SQLite frees some space again and again. With pauses, because
 * /readyz answers for a second what it found before.
 */
async function becomesUnready(caller: { url: string; key: string }): Promise<boolean> {
  for (let number = 0; number < 100; number++) {
    if ((await call(caller, 'GET', '/readyz')).status === 503) return true
    const body = { kind: 'fact', content: `${number} ${'fill '.repeat(30_000)}` }
    await write(caller, '/v1/context/memories', `fill-key-${number}`, body)
    await setTimeout(200)
  }
  return false
}

/** Mode bits do not stop root. Nobody can write to an immutable file, not even through an open descriptor. */
function immutable(dataDir: string, on: boolean): void {
  const files = readdirSync(dataDir).map((name) => join(dataDir, name))
  execFileSync('chattr', [on ? '+i' : '-i', ...files])
}

async function eachApplied(caller: { url: string; key: string }, ids: string[]): Promise<void> {
  for (const id of ids) {
    const { body } = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${id}?wait=30`)
    expect(body.state).toBe('applied')
  }
}

function canMount(): boolean {
  try {
    const dir = temporaryFolder('precedent-mount-')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'ignore' })
    execFileSync('umount', [dir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function canMakeImmutable(): boolean {
  const dir = temporaryFolderOnDisk('precedent-immutable-')
  const file = join(dir, 'file')
  try {
    writeFileSync(file, '')
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' })
    execFileSync('chattr', ['-i', file], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
