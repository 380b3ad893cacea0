/** Nothing stays in the index that no shown commit uses: after pushes, after crashes, and beside workers that stood still. */
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { claimedFor, type IndexingPorts } from '../../src/code/indexing/ports.ts'
import { lookAtRepositories } from '../../src/code/indexing/work.ts'
import { codeFiles, currentFiles } from '../../src/code/stored/file.ts'
import { codeIndex } from '../../src/code/stored/search-document.ts'
import { codeSymbols } from '../../src/code/stored/symbol.ts'
import { never } from '../adapters/git/repositories.ts'
import { gate } from '../support/rebuilds.ts'
import { full } from '../support/size.ts'
import { opened, silent, workspace } from './opened.ts'

type Opened = Awaited<ReturnType<typeof opened>>

const writes = {
  documents: ['insert', 'insertMany', 'update', 'updateMany', 'upsertIfNewer', 'delete'],
  search: ['create', 'upsert', 'remove', 'refresh'],
} as const

/** Ports that call `before` with each write. */
function watched(ports: IndexingPorts, before: (method: string) => void | Promise<void>): IndexingPorts {
  const wrapped = <Port extends object>(port: Port, methods: readonly string[]): Port => {
    const calls = methods.map((method) => {
      const call = port[method as keyof Port] as (...args: unknown[]) => Promise<unknown>
      return [
        method,
        async (...args: unknown[]) => {
          await before(method)
          return call.apply(port, args)
        },
      ]
    })
    return { ...port, ...Object.fromEntries(calls) }
  }
  return {
    ...ports,
    documents: wrapped(ports.documents, writes.documents),
    search: wrapped(ports.search, writes.search),
  }
}

/** Fails from the nth write on, as if the process had died. */
function dying(ports: IndexingPorts, nth: number): IndexingPorts {
  let count = 0
  return watched(ports, () => {
    count += 1
    if (count >= nth) throw new Error('died')
  })
}

const look = ({ connected }: Opened, ports: IndexingPorts) =>
  lookAtRepositories({ connected: [connected] }, ports, silent, never)

/** `held`: what the engines store of the repository. `needed`: what the shown commit needs of that. */
async function sizes({ ports, connected, row }: Opened) {
  const where = { repository: connected.id }
  const rows = await ports.documents.find(codeFiles, { where, sort: [['path', 'asc']], limit: 10_000 })
  const symbols = await ports.documents.find(codeSymbols, { where, limit: 10_000 })
  const shown = currentFiles(rows, (await row())?.published ?? [])
  const names = new Set(symbols.map(({ name }) => name)).size
  const sum = (field: 'symbols' | 'chunks') => shown.reduce((all, file) => all + file[field], 0)
  return {
    held: { rows: rows.length, symbols: symbols.length, documents: await ports.search.count(codeIndex, workspace) },
    needed: { rows: shown.length, symbols: sum('symbols'), documents: sum('chunks') + names },
  }
}

async function expectTidy(index: Opened): Promise<void> {
  const { held, needed } = await sizes(index)
  expect(held).toEqual(needed)
  const row = await index.row()
  expect(row?.cleared).toBe(row?.generation)
}

const source = (name: string) => `/** Makes ${name}. */\nexport function ${name}() {}\nexport function shared() {}\n`

describe('the index of a repository', () => {
  it('holds after each push only what the shown commit needs', async () => {
    const index = await opened()
    const { repository } = index
    const text = (n: number) => source(`f${n}`)
    repository.commit({ 'a/b/one.ts': text(1), 'a/two.ts': text(2), 'c/three.ts': text(3), 'd.md': '# D\n' })
    await index.index()
    await expectTidy(index)
    const pushes: (() => void)[] = [
      () => repository.commit({ 'a/b/one.ts': text(4) }),
      () => repository.git(['mv', 'a/two.ts', 'a/b/two.ts']),
      () => repository.git(['rm', '-rq', 'c']),
      () => repository.commit({ c: 'a file now\n' }),
      () => repository.git(['rm', '-rq', 'a']),
      () => repository.commit({ 'a/b/one.ts': text(1) }),
    ]
    for (const push of pushes) {
      push()
      repository.commit()
      expect(await index.index()).toBe('indexed')
      await expectTidy(index)
    }
  })

  it('holds nothing of attempts that died at any write, once the next worker has looked at it', async () => {
    const index = await opened()
    const { repository, ports, row, files } = index
    repository.commit({ 'src/stays.ts': source('stays'), 'src/n.ts': source('n0'), 'gone0/x.ts': source('x0') })
    await look(index, ports)
    for (let step = 1; ; step += 1) {
      repository.git(['rm', '-q', `gone${step - 1}/x.ts`])
      const next = { 'src/n.ts': source(`n${step}`), [`gone${step}/x.ts`]: source(`x${step}`) }
      const before = (await row())?.commit
      const commit = repository.commit(next)
      const errors: string[] = []
      const log = { ...silent, error: (_: object, message: string) => void errors.push(message) }
      const ends = lookAtRepositories({ connected: [index.connected] }, dying(ports, step), log, never)
      await ends.catch(() => errors.push('died'))
      expect([before, commit]).toContain((await row())?.commit)
      await index.endClaim()
      // the remote says nothing new, or even takes the push back: what was written is of no use then
      if (step % 3 === 0) repository.git(['reset', '-q', '--hard', 'HEAD~1'])
      // this worker dies too, at another write
      await look(index, dying(ports, (step * 7) % 23)).catch(() => {})
      await index.endClaim()
      await look(index, ports)
      expect((await row())?.commit).toBe(repository.git(['rev-parse', 'HEAD']))
      await expectTidy(index)
      repository.git(['reset', '-q', '--hard', commit])
      await look(index, ports)
      expect(await files()).toEqual([`gone${step}`, `gone${step}/x.ts`, 'src', 'src/n.ts', 'src/stays.ts'])
      if (errors.length === 0) break
    }
  }, 240_000)

  it('holds nothing of a worker that stood still between its rows and its documents, and was overtaken', async () => {
    const index = await opened()
    const { repository, ports, row } = index
    repository.commit({ 'a.ts': source('first') })
    await look(index, ports)
    repository.commit({ 'a.ts': source('second') })
    const frozen = gate()
    const slow = watched(ports, async (method) => {
      if (method === 'upsert') await frozen.stop()
    })
    void index.index(slow).then((outcome) => expect(outcome).toBe('taken'))
    await frozen.reached
    // two minutes later
    const later = { ...ports, clock: { ...systemClock, now: () => Date.now() + 2 * claimedFor } }
    repository.commit({ 'a.ts': source('third') })
    await look(index, later)
    await expectTidy(index)
    const { cleared } = (await row()) as { cleared: number }
    frozen.open()
    await expect.poll(async () => (await row())?.cleared).not.toBe(cleared)
    const { held, needed } = await sizes(index)
    expect(held.rows).toBeGreaterThan(needed.rows)
    await index.endClaim()
    await look(index, ports)
    await expectTidy(index)
    expect(await index.symbols()).toEqual(['shared', 'third'])
  })

  it('shows and holds only the newer commit if a worker stands still at any write and is overtaken', {
    timeout: full ? 900_000 : 120_000,
  }, async () => {
    const index = await opened()
    const { repository, ports, row } = index
    repository.commit({ 'a.ts': source('first') })
    await look(index, ports)
    repository.commit({ 'a.ts': source('counted') })
    const calls: string[] = []
    await index.index(watched(ports, (method) => void calls.push(method)))
    // the write after the refresh shows the new commit
    const showing = calls.indexOf('refresh') + 2
    for (const step of full ? calls.map((_, at) => at + 1) : [1, showing, calls.length]) {
      repository.commit({ 'a.ts': source(`slow${step}`) })
      const frozen = gate()
      let writes = 0
      const slow = watched(ports, async () => {
        writes += 1
        if (writes === step) await frozen.stop()
      })
      const ends = index.index(slow)
      await frozen.reached
      const head = repository.commit({ 'a.ts': source(`ahead${step}`) })
      await look(index, { ...ports, clock: { ...systemClock, now: () => Date.now() + 2 * claimedFor } })
      frozen.open()
      // indexed: it stood still after its commit was shown
      expect(['taken', 'indexed']).toContain(await ends)
      expect((await row())?.commit, String(step)).toBe(head)
      await index.endClaim()
      await look(index, ports)
      await expectTidy(index)
      expect(await index.symbols(), String(step)).toEqual([`ahead${step}`, 'shared'])
    }
  })

  it('keeps what is shown if an attempt ends while another one asks the remote', async () => {
    const index = await opened()
    const { repository, ports, files } = index
    const first = repository.commit({ 'a.ts': source('first') })
    await index.index()
    repository.commit({ 'a.ts': source('second') })
    const parsing = gate()
    const parser = {
      ...ports.parser,
      async parse(...args: Parameters<typeof ports.parser.parse>) {
        await parsing.stop()
        return ports.parser.parse(...args)
      },
    }
    const ahead = index.index({ parser })
    await parsing.reached
    // the other worker reads the row before that attempt is published, and asks the remote after it
    const mirrors = {
      ...ports.mirrors,
      async fetch(...args: Parameters<typeof ports.mirrors.fetch>) {
        parsing.open()
        expect(await ahead).toBe('indexed')
        repository.git(['reset', '-q', '--hard', first])
        return ports.mirrors.fetch(...args)
      },
    }
    await index.index({ mirrors })
    await index.index()
    expect(await files()).toEqual(['a.ts'])
    expect(await index.symbols()).toEqual(['first', 'shared'])
    await expectTidy(index)
  })

  it('is not written to while the remote has nothing new', async () => {
    const index = await opened()
    index.repository.commit({ 'a.ts': source('first') })
    await look(index, index.ports)
    const written: string[] = []
    await look(
      index,
      watched(index.ports, (method) => void written.push(method)),
    )
    expect(written).toEqual([])
  })
})
