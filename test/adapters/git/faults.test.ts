import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mirrorFolder } from '../../../src/adapters/git/folders.ts'
import { gitMirrors } from '../../../src/adapters/git/mirrors.ts'
import { all, machine, never, newMirrors, newRepository, type Repository, treeOf } from './repositories.ts'

const id = 'w/acme/shop@1'

function workFolders(root: string): string[] {
  return readdirSync(mirrorFolder(root, id)).filter((name) => name.startsWith('work-'))
}

function packs(root: string): string[] {
  const folder = join(mirrorFolder(root, id), 'sha1', 'objects', 'pack')
  return readdirSync(folder).filter((name) => name.endsWith('.pack'))
}

/** The incompressible text of a large file. */
function noise(seed: number, length: number): string {
  let state = seed
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state.toString(36)
  }).join('')
}

async function fetched(repository: Repository, root: string) {
  const mirrors = gitMirrors({ root, machine })
  return mirrors.fetch({ id, url: repository.path }, never)
}

describe('a mirror survives', () => {
  it('fetches of the same mirror at the same time', async () => {
    const repository = newRepository()
    const { root, mirrors } = newMirrors()
    for (const round of [1, 2, 3]) {
      const commit = repository.commit({ a: `${round}`, [`f${round}`]: 'x' })
      const heads = await Promise.all([1, 2, 3, 4].map(() => fetched(repository, root)))
      expect(new Set(heads.map((head) => head?.commit))).toEqual(new Set([commit]))
      expect(await treeOf(mirrors, id, commit)).toMatchObject({ a: `${round}` })
    }
    expect(workFolders(root)).toEqual([])
  })

  it('a process that died during a fetch, with its lock files', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const { root, mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    // a process that has ended: its id is free
    const dead = spawn('true')
    await new Promise((resolve) => dead.once('close', resolve))
    const [, ours] = await leftoverOf(mirrors, root, repository)
    for (const name of [ours.replace(`-${process.pid}-`, `-${dead.pid}-`), `${ours}x`]) {
      const work = join(mirrorFolder(root, id), name, 'building')
      mkdirSync(join(work, 'objects', 'pack'), { recursive: true })
      for (const lock of ['shallow.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_x']) {
        writeFileSync(join(work, lock), 'half')
      }
    }
    const second = repository.commit({ a: '2' })
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: second })
    expect(workFolders(root)).toEqual([])
    expect(await treeOf(mirrors, id, first)).toEqual({ a: '1' })
    expect(await treeOf(mirrors, id, second)).toEqual({ a: '2' })
  })

  it('an abort in the middle, after which the next fetch brings the commit', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const { root, mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    const second = repository.commit({ a: '2', big: noise(1, 200_000) })
    for (const ms of [1, 10, 20, 40, 60, 80]) {
      await mirrors.fetch({ id, url: repository.path }, AbortSignal.timeout(ms)).catch(() => {})
      expect(await treeOf(mirrors, id, first)).toEqual({ a: '1' })
    }
    expect(workFolders(root)).toEqual([])
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await treeOf(mirrors, id, second)).toMatchObject({ a: '2' })
  })

  it('a lost or damaged pack: the next fetch brings it again', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const { root, mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    const second = repository.commit({ a: '2', b: '2' })
    await mirrors.fetch({ id, url: repository.path }, never)
    const folder = join(mirrorFolder(root, id), 'sha1', 'objects', 'pack')
    for (const damage of [
      () => rmSync(folder, { recursive: true }),
      () => rmSync(join(mirrorFolder(root, id), 'sha1'), { recursive: true }),
      () => {
        for (const name of packs(root)) truncateSync(join(folder, name), 20)
      },
    ]) {
      damage()
      await expect(all(mirrors.entries(id, second, never))).rejects.toMatchObject({ name: 'MirrorError' })
      expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: second })
      expect(await treeOf(mirrors, id, second)).toEqual({ a: '2', b: '2' })
    }
  })
})

describe('keep()', () => {
  it('removes what nobody reads any more, and leaves the commits that are read', async () => {
    const repository = newRepository()
    const { root, mirrors } = newMirrors({ keepMs: 0, mostPacks: 3 })
    const commits: string[] = []
    for (let round = 0; round < 5; round += 1) {
      commits.push(repository.commit({ a: `${round}`, same: 'same' }))
      await mirrors.fetch({ id, url: repository.path }, never)
    }
    expect(packs(root)).toHaveLength(5)
    const [before = '', last = ''] = commits.slice(-2)
    await mirrors.keep(id, [before, last], never)
    expect(packs(root)).toHaveLength(1)
    expect(await treeOf(mirrors, id, last)).toEqual({ a: '4', same: 'same' })
    expect(await treeOf(mirrors, id, before)).toEqual({ a: '3', same: 'same' })
    expect(await mirrors.changed(id, commits[0] as string, last, never)).toBeUndefined()
    // a later fetch builds on what is left
    const next = repository.commit({ b: 'new' })
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await treeOf(mirrors, id, next)).toEqual({ a: '4', b: 'new', same: 'same' })
  })

  it('leaves commits that were fetched within the hour, whoever reads them', async () => {
    const repository = newRepository()
    const { root, mirrors } = newMirrors({ mostPacks: 3 })
    const commits: string[] = []
    for (let round = 0; round < 5; round += 1) {
      commits.push(repository.commit({ a: `${round}` }))
      await mirrors.fetch({ id, url: repository.path }, never)
    }
    await mirrors.keep(id, [], never)
    expect(packs(root)).toHaveLength(1)
    for (const [at, commit] of commits.entries()) expect(await treeOf(mirrors, id, commit)).toEqual({ a: `${at}` })
  })

  it('does nothing while another process works in the mirror', async () => {
    const repository = newRepository()
    const { root, mirrors } = newMirrors({ keepMs: 0, mostPacks: 3 })
    for (let round = 0; round < 5; round += 1) {
      repository.commit({ a: `${round}` })
      await mirrors.fetch({ id, url: repository.path }, never)
    }
    const [, ours] = await leftoverOf(mirrors, root, repository)
    // the process that runs this one
    mkdirSync(join(mirrorFolder(root, id), ours.replace(`-${process.pid}-`, `-${process.ppid}-`)))
    await mirrors.keep(id, [], never)
    expect(packs(root).length).toBeGreaterThan(4)
  })
})

/** The name of a work folder, as this process makes them, seen during a fetch. */
async function leftoverOf(
  mirrors: ReturnType<typeof gitMirrors>,
  root: string,
  repository: Repository,
): Promise<[string, string]> {
  const commit = repository.commit({ seen: `${Math.random()}` })
  let seen = ''
  const fetching = mirrors.fetch({ id, url: repository.path }, never)
  const timer = setInterval(() => {
    seen = workFolders(root)[0] ?? seen
  }, 1)
  await fetching
  clearInterval(timer)
  repository.git(['reset', '-q', '--hard', 'HEAD~1'])
  return [commit, seen]
}
