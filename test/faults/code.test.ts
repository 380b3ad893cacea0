/** Kills a service with SIGKILL while it indexes a repository: the old commit stays served, and nothing is half-shown. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../src/adapters/sqlite/documents.ts'
import { codeFiles, currentFiles } from '../../src/code/stored/file.ts'
import { codeRepositories } from '../../src/code/stored/repository.ts'
import { codeCollections } from '../../src/code/stored/store.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { newRepository } from '../adapters/git/repositories.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'

const count = 400
const filesOf = (word: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${word}/f${at}.ts`, `export function ${word}${at}() {}\n`]),
  )

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

it('a service that is killed while it indexes shows the old commit or the new one, never a part of one', {
  ...skipIf(profile === 'embedded' ? undefined : 'reads the file of the embedded profile'),
  timeout: 120_000,
}, async () => {
  const repository = newRepository()
  const config = join(temporaryFolder(), 'operator.yml')
  const connect = [{ name: 'acme/shop', url: repository.path }]
  writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
  const dataDir = newDataDir()
  const start = () => startService({ dataDir, env: { PRECEDENT_CONFIG: config } })
  const expected = new Map<string | null, Record<string, number>>([[null, {}]])
  const add = (word: string, words: Record<string, number>) => expected.set(repository.commit(filesOf(word)), words)
  add('old', { old: count })
  for (const [round, ms] of [50, 200, 400, 700, 1_000, 1_500].entries()) {
    if (round === 3) add('fresh', { old: count, fresh: count })
    const service = await start()
    await sleep(ms)
    await service.kill()
    if (!existsSync(join(dataDir, 'code.db'))) continue
    await endClaim(dataDir)
    const { commit, words } = await shown(dataDir)
    expect(words).toEqual(expected.get(commit))
  }
  const head = repository.git(['rev-parse', 'HEAD'])
  const last = await start()
  await expect.poll(async () => (await shown(dataDir)).commit, { timeout: 60_000, interval: 500 }).toBe(head)
  await last.stop()
  expect(await shown(dataDir)).toEqual({ commit: head, words: { old: count, fresh: count } })
})
