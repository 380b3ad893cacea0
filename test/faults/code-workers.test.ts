/**
 * Two code workers on servers: frozen and killed while they index, and Elasticsearch away. The old commit stays served,
 * nothing is half-shown, and the new commit arrives afterwards.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { call } from '../support/http.ts'
import type { Started } from '../support/service.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { gitSteps, heldGit, signalGroup } from './held-git.ts'
import { sleep } from './load.ts'

const count = 150
/** ms */
const patience = { timeout: 60_000, interval: 300 }

/** Each push replaces all files, so that those of two commits are never alike. */
function filesOf(word: string): Record<string, string> {
  const names = Array.from({ length: count }, (_, at) => `src/f${at}.ts`)
  return Object.fromEntries(names.map((name, at) => [name, `/** ${word} */\nexport function ${word}${at}() {}\n`]))
}

interface Shown {
  commit: string
  /** Of all hits, symbols and entries. */
  commits: string[]
}

describe('code workers', { ...skipIf(missingFor(['elasticsearch'])), timeout: 400_000 }, () => {
  let cluster: Cluster
  let web: Started
  let repository: Repository
  const git = heldGit()
  /** The word of each commit. */
  const words = new Map<string, string>()
  const push = (word: string): string => {
    const commit = repository.commit(filesOf(word))
    words.set(commit, word)
    return commit
  }
  const ask = <Body>(path: string) => call<Body>(web, 'GET', `/api/v2/repos${path}`)

  beforeAll(async () => {
    repository = newRepository()
    const config = join(temporaryFolder(), 'precedent.yaml')
    // JSON is YAML
    const connect = [{ name: 'acme/shop', url: repository.path }]
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
    const first = push('alpha')
    cluster = await startCluster(['elasticsearch'], ['web', 'code', 'code'], {
      PRECEDENT_CONFIG: config,
      PATH: git.PATH,
    })
    web = cluster.webs[0] as Started
    await arrives(first)
  }, 300_000)
  afterAll(() => cluster?.close(), 60_000)

  it('serve the old commit while Elasticsearch is frozen, and the new one afterwards', async () => {
    const before = await indexed()
    const { pid } = cluster.engine('elasticsearch')
    process.kill(pid, 'SIGSTOP')
    const commit = push('beta')
    try {
      await sleep(6_000)
      expect(await indexed()).toBe(before)
      expect((await treeOf()).commit).toBe(before)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await arrives(commit)
  })

  it('serve the old commit while Elasticsearch is killed and away, and the new one once it is back', async () => {
    const before = await indexed()
    const engine = cluster.engine('elasticsearch')
    process.kill(engine.pid, 'SIGKILL')
    const commit = push('zeta')
    try {
      await sleep(6_000)
      expect(await indexed()).toBe(before)
      expect((await treeOf()).commit).toBe(before)
      const { status, body } = await ask<{ code: string }>('/search?q=beta')
      expect([status, body.code]).toEqual([503, 'unavailable'])
    } finally {
      await engine.stop()
      await engine.start()
    }
    await arrives(commit)
  })

  it('show one commit as a whole while one is frozen at any step, is overtaken and goes on', async () => {
    for (const step of full
      ? gitSteps.filter((one) => one !== 'ls-tree')
      : (['fetch', 'cat-file --batch-command'] as const)) {
      git.hold(step)
      const commit = push(`frozen${step.slice(0, 2)}`)
      const held = await git.held()
      process.kill(held.worker, 'SIGSTOP')
      try {
        await endClaim()
        await arrives(commit)
        await arrives(push(`ahead${step.slice(0, 2)}`))
      } finally {
        signalGroup(held.git, 'SIGCONT')
        process.kill(held.worker, 'SIGCONT')
      }
    }
    await sleep(3_000)
    await isWhole()
  })

  it('show one commit as a whole while both are killed at any time and started again', async () => {
    for (const [word, ms] of [
      ['epsilon', 1_100],
      ['theta', 1_500],
      ['omega', 2_200],
    ] as const) {
      const commit = push(word)
      await sleep(ms)
      await Promise.all(cluster.of('code').map((worker) => worker.kill()))
      await isWhole()
      await endClaim()
      await Promise.all([cluster.start('code'), cluster.start('code')])
      if (word === 'omega') await arrives(commit)
    }
  })

  /** A worker that died or is frozen holds its claim for two minutes, which the test need not wait for. */
  async function endClaim(): Promise<void> {
    const client = new MongoClient(cluster.env.MONGODB_URL as string)
    try {
      await client
        .db()
        .collection('code_repositories')
        .updateMany({}, { $set: { claimed_until: '' } })
    } finally {
      await client.close()
    }
  }

  async function indexed(): Promise<string | undefined> {
    const { body } = await ask<{ items: { indexed: { commit: string } | null }[] }>('')
    return body.items[0]?.indexed?.commit
  }

  async function treeOf(): Promise<{ commit: string; entries: unknown[] }> {
    return (await ask<{ commit: string; entries: unknown[] }>('/acme/shop/tree?depth=3')).body
  }

  async function arrives(commit: string): Promise<void> {
    await vi.waitFor(async () => expect(await indexed()).toBe(commit), patience)
    await isWhole()
  }

  /** All reads show the files of one commit, all of them, whichever is served now. */
  async function isWhole(): Promise<void> {
    const commit = await stableCommit()
    const word = words.get(commit) as string
    const tree = await treeOf()
    expect([tree.commit, tree.entries.length]).toEqual([commit, count + 1])
    const seen: Shown = { commit, commits: [] }
    for (const other of words.values()) {
      const { status, body } = await ask<{ items: { commit: string; path: string }[] }>(`/search?q=${other}&limit=50`)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.items).toHaveLength(other === word ? 50 : 0)
      const symbols = await ask<{ items: { commit: string }[] }>(`/symbols?name=${other}&match=prefix&limit=50`)
      expect(symbols.body.items).toHaveLength(other === word ? 50 : 0)
      seen.commits.push(...[...body.items, ...symbols.body.items].map((item) => item.commit))
    }
    expect(new Set(seen.commits)).toEqual(new Set([commit]))
  }

  /** The commit that is served, once no other replaces it. */
  async function stableCommit(): Promise<string> {
    for (;;) {
      const before = await indexed()
      await sleep(1_500)
      if (before !== undefined && before === (await indexed())) return before
    }
  }
})
