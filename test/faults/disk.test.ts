import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/clean-up.ts'
import { applied, call, type ReceiptBody, write } from '../support/http.ts'
import { adminKey, removeData, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'

const noMount = canMount() ? undefined : 'mounting a tmpfs needs root'
const noImmutable = canMakeImmutable() ? undefined : 'an immutable file needs root and chattr'

describe('a disk that cannot be written', () => {
  it('a full disk: the service answers 503, never 202, and recovers by itself', {
    ...skipIf(noMount),
    timeout: 180_000,
  }, async () => {
    const dataDir = temporaryFolder('precedent-full-')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir])
    const service = await startService({ dataDir })
    try {
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

      execFileSync('mount', ['-o', 'remount,size=512m', dataDir])
      await eachApplied(caller, acknowledged)
      const after = await applied(caller, '/v1/context/memories', 'after-room', {
        kind: 'fact',
        content: 'Room again.',
      })
      expect(after.state).toBe('applied')
      // it answers for a second what it found before
      await expect.poll(async () => (await call(caller, 'GET', '/readyz')).status, { timeout: 30_000 }).toBe(200)
    } finally {
      await service.kill()
      execFileSync('umount', ['-l', dataDir])
      await removeData(dataDir)
    }
  })

  it('a read-only disk: the service answers 503, never 202, and recovers by itself', {
    ...skipIf(noImmutable),
    timeout: 180_000,
  }, async () => {
    const service = await startService()
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
  const dir = temporaryFolder('precedent-immutable-')
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
