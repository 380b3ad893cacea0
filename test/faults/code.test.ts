/**
 * A service of the embedded profile, and the processes that it starts, killed and frozen while it indexes a repository:
 * the old commit stays served, and nothing is half-shown.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../src/adapters/sqlite/documents.ts'
import { codeFiles, currentFiles } from '../../src/code/stored/file.ts'
import { codeRepositories } from '../../src/code/stored/repository.ts'
import { codeCollections } from '../../src/code/stored/store.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { call } from '../support/http.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, type Started, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'
import { gitSteps, type HeldGit, heldGit, noProcesses, parserOf, signalGroup } from './held-git.ts'

const count = 150
const filesOf = (word: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${word}/f${at}.ts`, `export function f${at}() {}\n// ${word}\n`]),
  )

interface Tree {
  commit: string
  entries: { path: string }[]
}

async function onStore<Result>(dataDir: string, work: (documents: Documents) => Promise<Result>): Promise<Result> {
  const sqlite = openSqlite({ path: join(dataDir, 'code.db') })
  const documents = sqliteDocuments(sqlite)
  await documents.declare(codeCollections)
  try {
    return await work(documents)
  } finally {
    await documents.close()
    await sqlite.close()
  }
}

/** A dead worker holds its claim for two minutes, which the test need not wait for. */
function endClaim(dataDir: string) {
  return onStore(dataDir, async (documents) => {
    const [row] = await rowsOf(documents)
    if (row) await documents.update(codeRepositories, row.id, { set: { claimed_until: '' } })
  })
}

function rowsOf(documents: Documents) {
  return documents.find(codeRepositories, { where: { name_key: 'acme/shop' }, sort: [['id', 'asc']], limit: 1 })
}

/** The indexed commit, and the words of the files that are shown with their numbers. */
function shown(dataDir: string) {
  return onStore(dataDir, async (documents) => {
    const [row] = await rowsOf(documents)
    if (row === undefined) return { commit: null, words: {} }
    const rows = await documents.find(codeFiles, {
      where: { repository: row.id },
      sort: [['generation', 'asc']],
      limit: 10_000,
    })
    const files = currentFiles(rows, row.published).filter(({ type }) => type === 'file')
    const words: Record<string, number> = {}
    for (const { path } of files) words[path.split('/')[0] ?? ''] = (words[path.split('/')[0] ?? ''] ?? 0) + 1
    return { commit: row.commit, words }
  })
}

const noFile = profile === 'embedded' ? noProcesses : 'reads the file of the embedded profile'

describe('a service that indexes', { ...skipIf(noFile), timeout: 240_000 }, () => {
  let repository: Repository
  let dataDir: string
  let start: () => Promise<Started>
  let git: HeldGit
  let words: Record<string, number>
  /** The words of the files of each commit, with their numbers. */
  let expected: Map<string | null, Record<string, number>>
  beforeEach(() => {
    repository = newRepository()
    dataDir = newDataDir()
    git = heldGit()
    words = {}
    expected = new Map([[null, {}]])
    const config = join(temporaryFolder(), 'operator.yml')
    const entry = { name: 'acme/shop', url: repository.path }
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect: [entry] } }))
    start = () => startService({ dataDir, env: { PRECEDENT_CONFIG: config, PATH: git.PATH } })
  })
  function push(word: string): string {
    words = { ...words, [word]: count }
    const commit = repository.commit(filesOf(word))
    expected.set(commit, words)
    return commit
  }

  it('shows the old commit or the new one, never a part of one, if it is killed at any step', async () => {
    push('old')
    for (const step of [...gitSteps, undefined]) {
      if (step === 'diff-tree') push('fresh')
      if (step !== undefined) git.hold(step)
      const service = await start()
      const held = step === undefined ? undefined : await git.held()
      // without a step: when all is parsed, or even shown
      if (held === undefined) await sleep(700)
      await service.kill()
      if (held !== undefined) signalGroup(held.git, 'SIGKILL')
      await endClaim(dataDir)
      // the next step needs a commit that is shown
      if (step === 'cat-file --batch-command') await shownBy(await start(), repository.git(['rev-parse', 'HEAD']))
      const { commit, words } = await shown(dataDir)
      expect(words, step).toEqual(expected.get(commit))
    }
    const head = repository.git(['rev-parse', 'HEAD'])
    await shownBy(await start(), head)
    expect(await shown(dataDir)).toEqual({ commit: head, words: expected.get(head) })
  })

  async function shownBy(service: Started, commit: string): Promise<void> {
    await expect.poll(async () => (await shown(dataDir)).commit, { timeout: 60_000, interval: 300 }).toBe(commit)
    await service.stop()
  }

  it('serves the old commit while git, the parser or all of it is frozen, and the new one afterwards', async () => {
    let before = push('first')
    const service = await start()
    const pid = service.child.pid as number
    const tree = () => call<Tree>(service, 'GET', '/api/v2/repos/acme/shop/tree?depth=1')
    const arrives = (commit: string) =>
      expect.poll(async () => (await tree()).body.commit, { timeout: 60_000, interval: 200 }).toBe(commit)
    await arrives(before)
    for (const step of gitSteps.filter((one) => one !== 'ls-tree')) {
      git.hold(step)
      const commit = push(`at-${step.split(' ')[0]}`)
      const held = await git.held()
      expect((await tree()).body.commit, step).toBe(before)
      // git goes on while the service stands still, and then ends or waits for it
      process.kill(pid, 'SIGSTOP')
      signalGroup(held.git, 'SIGCONT')
      await sleep(300)
      expect((await shown(dataDir)).words, step).toEqual(expected.get(before))
      process.kill(pid, 'SIGCONT')
      await arrives(commit)
      before = commit
    }
    const parser = parserOf(pid) as number
    process.kill(parser, 'SIGSTOP')
    git.hold('cat-file --batch-command')
    const last = push('last')
    const held = await git.held()
    signalGroup(held.git, 'SIGCONT')
    await sleep(500)
    expect((await tree()).body.commit).toBe(before)
    process.kill(parser, 'SIGCONT')
    await arrives(last)
    expect((await tree()).body.entries.map(({ path }) => path).sort()).toEqual(Object.keys(words).sort())
    const { body } = await call<{ items: object[] }>(service, 'GET', '/api/v2/repos')
    const files = count * Object.keys(words).length
    expect(body.items).toMatchObject([{ state: 'ready', counts: { files, symbols: files, skipped: 0 } }])
    await service.stop()
    expect(await shown(dataDir)).toEqual({ commit: last, words })
  })
})
