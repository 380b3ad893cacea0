/** The index of a repository, on the engines of the profile: what is shown after each step, crash and change. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { claimedFor } from '../../src/code/indexing/ports.ts'
import { lookAtRequests } from '../../src/code/indexing/requested.ts'
import { keepBlobs, removeUnusedBlobs } from '../../src/code/indexing/unused-blobs.ts'
import { lookAtRepositories } from '../../src/code/indexing/work.ts'
import { codeBlobs } from '../../src/code/stored/blob.ts'
import { requestFetch } from '../../src/code/stored/fetch-request.ts'
import { codeFiles } from '../../src/code/stored/file.ts'
import { type CodeSearch, codeIndex, tagOf } from '../../src/code/stored/search-document.ts'
import { never } from '../adapters/git/repositories.ts'
import { opened, silent, workspace } from './opened.ts'

describe('indexing a repository', () => {
  it('shows the files, symbols and chunks of its head, with counts', async () => {
    const { repository, index, row, files, symbols, hits } = await opened()
    const commit = repository.commit({
      'src/pay.ts': '/** Refunds a payment. */\nexport function refundPayment() { return 1 }\n',
      'docs/a/b.md': '# Manual\n',
      'image.png': Buffer.from([1, 0, 2]),
    })
    expect(await index()).toBe('indexed')
    expect(await row()).toMatchObject({
      state: 'ready',
      commit,
      head: commit,
      files: 3,
      symbols: 1,
      skipped: { binary: 1 },
    })
    expect(await files()).toEqual(['docs', 'docs/a', 'docs/a/b.md', 'image.png', 'src', 'src/pay.ts'])
    expect(await symbols()).toEqual(['refundPayment'])
    expect(await hits('refund', tagOf.language('typescript'), tagOf.path('src'))).toBe(1)
    expect(await hits('refund', tagOf.path('docs'))).toBe(0)
    expect(await index()).toBe('current')
  })

  it('follows a push: what changed, what is gone, folders that became empty, and a revert', async () => {
    const { repository, index, row, files, symbols, hits } = await opened()
    repository.commit({ 'old/deep/a.ts': 'export function before() {}\n', 'b.ts': 'export function stays() {}\n' })
    await index()
    repository.git(['rm', '-q', 'old/deep/a.ts'])
    const commit = repository.commit({ 'b.ts': 'export function after() {}\n' })
    expect(await index()).toBe('indexed')
    expect(await files()).toEqual(['b.ts'])
    expect(await symbols()).toEqual(['after'])
    expect(await hits('stays')).toBe(0)
    expect(await row()).toMatchObject({ commit, files: 1, symbols: 1 })
    repository.git(['revert', '--no-edit', 'HEAD'])
    expect(await index()).toBe('indexed')
    expect(await files()).toEqual(['b.ts', 'old', 'old/deep', 'old/deep/a.ts'])
    expect(await symbols()).toEqual(['before', 'stays'])
    expect(await hits('stays')).toBe(1)
  })

  it('serves the old commit if a worker dies at any write, and the next attempt brings the new one', async () => {
    const { repository, index, row, files, ports, endClaim } = await opened()
    const first = repository.commit({ 'a.ts': 'export function one() {}\n', 'gone.ts': 'export const x = 1\n' })
    await index()
    repository.git(['rm', '-q', 'gone.ts'])
    const second = repository.commit({
      'a.ts': 'export function two() {}\n',
      'new/b.ts': 'export function three() {}\n',
    })
    for (let step = 1; ; step += 1) {
      let writes = 0
      const dies = (method: 'upsertIfNewer' | 'insertMany' | 'update') => ({
        [method]: (...args: never[]) => {
          writes += 1
          if (writes > step) throw new Error('died')
          return (ports.documents[method] as (...all: never[]) => unknown)(...args)
        },
      })
      const documents = { ...ports.documents, ...dies('upsertIfNewer'), ...dies('insertMany'), ...dies('update') }
      const outcome = await index({ documents }).catch(() => 'died')
      const shown = await row()
      if (shown?.commit === second) break
      expect(outcome).toBe('died')
      expect(shown?.commit).toBe(first)
      expect(await files()).toEqual(['a.ts', 'gone.ts'])
      await endClaim()
    }
    await endClaim()
    await index()
    expect(await row()).toMatchObject({ commit: second, state: 'ready', files: 2, symbols: 2 })
    expect(await files()).toEqual(['a.ts', 'new', 'new/b.ts'])
  })

  it('keeps its claim while its files take longer than a claim lasts', async () => {
    const { repository, index, row, ports } = await opened()
    repository.commit(
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.ts`, `export const x = ${at}\n`])),
    )
    let now = Date.now()
    const clock = { ...systemClock, now: () => now }
    const taken: (string | undefined)[] = []
    const parser = {
      ...ports.parser,
      async parse(...args: Parameters<typeof ports.parser.parse>) {
        now += claimedFor / 10
        if (taken.length < 40) taken.push((await row())?.claimed_until)
        return ports.parser.parse(...args)
      },
    }
    expect(await index({ parser, clock })).toBe('indexed')
    // files that are parsed together see the same claim
    expect(new Set(taken).size).toBe(5)
  })

  it('fills a lost search index again, from blobs that are parsed already', async () => {
    const { repository, index, row, ports, hits } = await opened()
    const commit = repository.commit({ 'a.ts': 'export function one() {}\n' })
    await index()
    await ports.search.drop(codeIndex)
    await ports.search.create(codeIndex)
    const parser = { ...ports.parser, parse: () => Promise.reject(new Error('parsed again')) }
    expect(await index({ parser })).toBe('indexed')
    expect(await hits('one')).toBe(1)
    expect(await row()).toMatchObject({ commit, state: 'ready', files: 1, symbols: 1 })
    expect(await index({ parser })).toBe('current')
  })

  it('shows no commit whose documents were lost while they were written', async () => {
    const { repository, index, row, ports, hits } = await opened()
    repository.commit({ 'a.ts': 'export function one() {}\n' })
    const search: CodeSearch = {
      ...ports.search,
      async upsert(...args) {
        const stored = await ports.search.upsert(...args)
        await ports.search.drop(codeIndex)
        await ports.search.create(codeIndex)
        return stored
      },
    }
    expect(await index({ search })).toBe('taken')
    expect(await row()).toMatchObject({ commit: null })
    expect(await index()).toBe('indexed')
    expect(await hits('one')).toBe(1)
  })

  it('removes names and parsed blobs after a force push, but no blob that was found again', async () => {
    const { repository, index, row, ports, symbols } = await opened()
    const documentsNow = () => ports.search.count(codeIndex, workspace)
    const blobs = async () => {
      const where = { unused_since: { gte: '1970-01-01T00:00:00.000Z' } }
      const rows = await ports.documents.find(codeBlobs, { where, limit: 100, fields: ['id'] })
      return rows.length
    }
    const later = (hours: number) => ({
      ...ports,
      clock: { ...systemClock, now: () => Date.now() + hours * 3_600_000 },
    })
    repository.commit({ 'a.ts': 'export function stays() {}\n' })
    const second = repository.commit({ 'b.ts': 'export function dies() {}\n' })
    await index()
    // a chunk and a name for each file
    expect(await documentsNow()).toBe(4)
    repository.git(['reset', '-q', '--hard', 'HEAD~1'])
    await index()
    expect(await symbols()).toEqual(['stays'])
    expect(await documentsNow()).toBe(2)
    await removeUnusedBlobs(later(1))
    expect(await blobs()).toBe(2)
    // the blob of b.ts is found again, but its row is not written yet
    const [file] = await ports.documents.find(codeFiles, { where: { repository: (await row())?.id ?? '' }, limit: 1 })
    const all = await ports.documents.find(codeBlobs, {
      where: { unused_since: { gte: '1970-01-01T00:00:00.000Z' } },
      limit: 100,
    })
    const other = all.filter(({ id }) => id !== file?.parsed)
    await keepBlobs(other, later(2))
    await removeUnusedBlobs(later(3))
    expect(await ports.documents.get(codeBlobs, other[0]?.id ?? '', ['unused_since'])).toBeDefined()
    await removeUnusedBlobs(later(5))
    expect(await ports.documents.get(codeBlobs, other[0]?.id ?? '', ['unused_since'])).toBeUndefined()
    expect(await ports.documents.get(codeBlobs, file?.parsed ?? '', ['unused_since'])).toEqual({ unused_since: null })
    // removed between the look and the update
    await keepBlobs(other, later(5))
    expect(await ports.documents.get(codeBlobs, other[0]?.id ?? '')).toMatchObject({ text: other[0]?.text })
    repository.git(['reset', '-q', '--hard', second])
    expect(await index()).toBe('indexed')
    expect(await symbols()).toEqual(['dies', 'stays'])
    expect(await documentsNow()).toBe(4)
  })

  it('does no harm if two workers index it at once', async () => {
    const { repository, index, row, files, symbols } = await opened()
    repository.commit({ 'a.ts': 'export function one() {}\n' })
    await Promise.all([index(), index(), index()])
    // each may have met the search index of another one, which leaves the work to the next look
    expect(['indexed', 'current']).toContain(await index())
    expect(await row()).toMatchObject({ state: 'ready', files: 1 })
    expect(await files()).toEqual(['a.ts'])
    expect(await symbols()).toEqual(['one'])
  })

  it('keeps the request of a hook until its fetch has succeeded, and does not lose one that arrives during the fetch', async () => {
    const { repository, ports, connected, row } = await opened()
    const first = repository.commit({ 'a.ts': 'export function one() {}\n' })
    const looked = (changed: Partial<typeof ports> = {}) =>
      lookAtRequests({ connected: [connected] }, { ...ports, ...changed }, { log: silent, watch() {}, signal: never })
    const ask = () => requestFetch(connected.id, null, ports)
    await ask()
    const fails = () => Promise.reject(new Error('away'))
    await looked({ search: { ...ports.search, upsert: fails } })
    expect((await row())?.commit).toBeNull()
    const mirrors: typeof ports.mirrors = {
      ...ports.mirrors,
      async fetch(...args) {
        const head = await ports.mirrors.fetch(...args)
        // so that its time is later
        await sleep(5)
        await ask()
        return head
      },
    }
    await looked({ mirrors })
    expect((await row())?.commit).toBe(first)
    const second = repository.commit({ 'b.ts': 'export function two() {}\n' })
    await looked()
    expect((await row())?.commit).toBe(second)
    repository.commit({ 'c.ts': 'export function three() {}\n' })
    await looked()
    expect((await row())?.commit).toBe(second)
  })

  it('indexes only what the operator includes', async () => {
    const { repository, index, connected, files } = await opened()
    connected.include = ['src', '**/*.tf']
    connected.exclude = ['src/vendor']
    repository.commit({ 'src/a.ts': 'a', 'src/vendor/b.ts': 'b', 'x/y/main.tf': 'c', 'main.tf': 'd', 'other.ts': 'e' })
    await index()
    expect((await files()).filter((path) => path.includes('.'))).toEqual(['main.tf', 'src/a.ts', 'x/y/main.tf'])
  })

  it('says why it failed, and serves the commit before', async () => {
    const { repository, index, row, connected } = await opened()
    const commit = repository.commit({ 'a.ts': 'export function one() {}\n' })
    await index()
    connected.url = join(repository.path, 'missing')
    expect(await index()).toBe('failed')
    expect(await row()).toMatchObject({ state: 'failed', commit, error: expect.any(String) })
    connected.url = repository.path
    expect(await index()).toBe('indexed')
    expect(await row()).toMatchObject({ state: 'ready', error: null })
  })

  it('removes everything of a repository that is not connected any more', async () => {
    const { repository, ports, connected, row, symbols, hits } = await opened()
    repository.commit({ 'a.ts': 'export function one() {}\n' })
    await lookAtRepositories({ connected: [connected] }, ports, silent, never)
    expect(await symbols()).toEqual(['one'])
    await lookAtRepositories({ connected: [] }, ports, silent, never)
    expect(await row()).toBeUndefined()
    expect(await symbols()).toEqual([])
    expect(await ports.search.count(codeIndex, workspace)).toBe(0)
    expect(await ports.mirrors.present()).toEqual([])
    // and finds it again if it is connected again
    await lookAtRepositories({ connected: [connected] }, ports, silent, never)
    expect(await hits('one')).toBe(1)
  })
})
