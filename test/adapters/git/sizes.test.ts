import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { gitMirrors } from '../../../src/adapters/git/mirrors.ts'
import { cleanUp, temporaryFolder } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { all, machine, never, newMirrors, newRepository, type Repository, treeOf } from './repositories.ts'

const id = 'w/acme/shop@1'
const mebibyte = 1024 ** 2
/** The whole size is tried with `npm run faults`. */
const hugeBytes = process.env.FAULTS === 'full' ? 1024 * mebibyte : 200 * mebibyte

/** Commits one blob of zeros, which arrive as a stream. */
async function commitZeros(repository: Repository, bytes: number): Promise<string> {
  const git = spawn('git', ['-c', 'core.bigFileThreshold=1m', '-c', 'core.compression=1', 'fast-import', '--quiet'], {
    cwd: repository.path,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => git.once('close', resolve))
  git.stdin.write(`commit refs/heads/main\ncommitter c <c> 0 +0000\ndata 0\nM 644 inline huge\ndata ${bytes}\n`)
  const zeros = Buffer.alloc(mebibyte)
  for (let at = 0; at < bytes; at += mebibyte) {
    if (!git.stdin.write(zeros)) await new Promise((resolve) => git.stdin.once('drain', resolve))
  }
  git.stdin.end('\nM 644 inline small\ndata 5\nsmall\n\n')
  await ended
  return repository.git(['rev-parse', 'main'])
}

/** Trees in trees: each holds the one below it ten times. */
function treeBomb(repository: Repository, levels: number): string {
  let tree = repository.git(['hash-object', '-w', '--stdin'], 'x')
  let mode = '100644 blob'
  for (let level = 0; level < levels; level += 1) {
    tree = repository.git(['mktree'], Array.from({ length: 10 }, (_, at) => `${mode} ${tree}\tf${at}\n`).join(''))
    mode = '040000 tree'
  }
  return repository.git(['commit-tree', '-m', 'x', tree])
}

describe('large repositories', () => {
  it('shows a huge file by its size, and reads the others', async () => {
    const repository = newRepository()
    const commit = await commitZeros(repository, hugeBytes)
    const { mirrors } = newMirrors()
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit })
    expect(await treeOf(mirrors, id, commit)).toEqual({ huge: `${hugeBytes} bytes`, small: 'small' })
  })

  it('lists 100,000 files', async () => {
    const repository = newRepository()
    const files = Array.from({ length: 100_000 }, (_, at) => `M 644 :1 d${at % 100}/f${at}\n`).join('')
    const input = `blob\nmark :1\ndata 2\nx\n\ncommit refs/heads/main\ncommitter c <c> 0 +0000\ndata 0\n${files}\n`
    repository.git(['fast-import', '--quiet'], input)
    const { mirrors } = newMirrors()
    const head = await mirrors.fetch({ id, url: repository.path }, never)
    let count = 0
    for await (const { size } of mirrors.entries(id, head?.commit ?? '', never)) count += size === 2 ? 1 : 0
    expect(count).toBe(100_000)
    // whoever stops reading leaves no process behind
    for await (const { path } of mirrors.entries(id, head?.commit ?? '', never)) {
      expect(path).toBe('d0/f0')
      break
    }
    const few = gitMirrors({ root: temporaryFolder(), machine, limits: { mostEntries: 99_999 } })
    await few.fetch({ id, url: repository.path }, never)
    await expect(all(few.entries(id, head?.commit ?? '', never))).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('gives a listing as much time as its reader takes to parse what was listed', async () => {
    const repository = newRepository()
    const name = 'n'.repeat(200)
    const files = Array.from({ length: 5_000 }, (_, at) => `M 644 :1 ${name}${at}\n`).join('')
    const input = `blob\nmark :1\ndata 2\nx\n\ncommit refs/heads/main\ncommitter c <c> 0 +0000\ndata 0\n${files}\n`
    repository.git(['fast-import', '--quiet'], input)
    const mirrors = gitMirrors({ root: temporaryFolder(), machine, limits: { readMs: 1_500 } })
    const head = await mirrors.fetch({ id, url: repository.path }, never)
    let count = 0
    for await (const _ of mirrors.entries(id, head?.commit ?? '', never)) {
      count += 1
      if (count <= 3) await sleep(700)
    }
    expect(count).toBe(5_000)
  })

  it('gives up a tree that unfolds to billions of files', async () => {
    const repository = newRepository()
    repository.git(['update-ref', 'refs/heads/main', treeBomb(repository, 10)])
    const { mirrors } = newMirrors({ mostEntries: 20_000 })
    const head = await mirrors.fetch({ id, url: repository.path }, never)
    await expect(all(mirrors.entries(id, head?.commit ?? '', never))).rejects.toMatchObject({ reason: 'too_large' })
    const first = treeBomb(repository, 1)
    repository.git(['update-ref', 'refs/heads/main', first])
    await mirrors.fetch({ id, url: repository.path }, never)
    await expect(mirrors.changed(id, first, head?.commit ?? '', never)).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('gives up a repository with more bytes than are allowed, and keeps what it had', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const { mirrors } = newMirrors({ mostBytes: mebibyte })
    await mirrors.fetch({ id, url: repository.path }, never)
    const random = execFileSync('head', ['-c', String(5 * mebibyte), '/dev/urandom'], { maxBuffer: 1e9 })
    repository.commit({ random })
    await expect(mirrors.fetch({ id, url: repository.path }, never)).rejects.toMatchObject({ reason: 'too_large' })
    expect(await treeOf(mirrors, id, first)).toEqual({ a: '1' })
  })

  it('says that the disk is full, keeps what it had, and goes on when there is space', skipIf(noMount()), async () => {
    const disk = temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk])
    cleanUp(() => execFileSync('umount', ['-l', disk]))
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const { mirrors } = newMirrors({}, join(disk, 'mirrors'))
    await mirrors.fetch({ id, url: repository.path }, never)
    const random = execFileSync('head', ['-c', String(5 * mebibyte), '/dev/urandom'], { maxBuffer: 1e9 })
    const second = repository.commit({ random })
    await expect(mirrors.fetch({ id, url: repository.path }, never)).rejects.toMatchObject({ reason: 'disk_full' })
    expect(await treeOf(mirrors, id, first)).toEqual({ a: '1' })
    execFileSync('mount', ['-o', 'remount,size=60m', disk])
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: second })
    expect(Object.keys(await treeOf(mirrors, id, second))).toEqual(['a', 'random'])
  })
})

function noMount(): string | undefined {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', ['-l', folder])
    return undefined
  } catch {
    return 'mounting a tmpfs needs root'
  }
}
