/** Clients of `precedent mcp` share a data directory while the process with the service is killed again and again. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type McpProcess, startMcp } from '../cli/mcp/client.ts'
import { remember, titles } from '../cli/mcp/tools.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { full, tries } from '../support/size.ts'
import { sleep } from './load.ts'

// twice at least: the second kill meets a store that has recovered before
const kills = full ? 40 : Math.max(2, tries(10))

interface Writer {
  mcp: McpProcess
  /** What it was told is applied. */
  written: string[]
  /** Resolves when it has stopped writing. Rejects if a write failed while its own process lived. */
  ended: Promise<void>
  stop(): void
  kill(): Promise<void>
}

it(`no write is lost or doubled, and no other client notices, if ${kills} processes are killed under load`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  const dataDir = join(temporaryFolder('precedent-mcp-'), 'data')
  const all: Writer[] = []
  const begin = () => {
    const writer = writing(dataDir, `Client ${all.length}`)
    all.push(writer)
    return writer
  }
  const living = [begin(), begin(), begin()]
  for (let kill = 0; kill < kills; kill++) {
    // the oldest has the service, except after a kill of two at once
    const [oldest] = living as [Writer]
    const before = oldest.written.length
    await expect.poll(() => oldest.written.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await sleep(Math.random() * 200)
    const victims = living.splice(0, kill % 3 === 2 ? 2 : 1)
    await Promise.all(victims.map((victim) => victim.kill()))
    while (living.length < 3) living.push(begin())
  }
  for (const writer of living) writer.stop()
  await Promise.all(living.map(({ ended }) => ended))

  const [reader] = living as [Writer]
  const found = await titles(reader.mcp)
  expect(new Set(found).size).toBe(found.length)
  expect(found).toEqual(expect.arrayContaining(all.flatMap(({ written }) => written)))
  for (const { mcp } of living) mcp.end()
  for (const { mcp } of living) expect(await mcp.ended, mcp.stderr()).toBe(0)
})

/** Writes one fact after the other. */
function writing(dataDir: string, name: string): Writer {
  const mcp = startMcp({ PRECEDENT_DATA_DIR: dataDir, PRECEDENT_RATE_LIMIT: '0' })
  const written: string[] = []
  let stopped = false
  let killed = false
  async function write(): Promise<void> {
    for (let n = 0; !stopped; n++) {
      const content = `${name} wrote line ${n}.`
      await remember(mcp, content)
      written.push(content)
    }
  }
  const ended = write().catch((error) => {
    if (!killed) throw error
  })
  // the test looks at it when it has stopped
  ended.catch(() => {})
  return {
    mcp,
    written,
    ended,
    stop() {
      stopped = true
    },
    async kill() {
      killed = true
      stopped = true
      mcp.kill('SIGKILL')
      await ended
    },
  }
}
