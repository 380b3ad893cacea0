import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { all, never, newMirrors, newRepository, treeOf } from './repositories.ts'

const id = 'w/acme/shop@1'

describe('a mirror of a repository', () => {
  it('shows the files, types, sizes and time of the newest commit', async () => {
    const repository = newRepository()
    repository.commit({ old: 'x' })
    rmSync(join(repository.path, 'old'))
    symlinkSync('../../etc/passwd', join(repository.path, 'link'))
    repository.commit({ 'src/a.ts': 'let a = 1\n', run: '#!/bin/sh\n', empty: '' })
    chmodSync(join(repository.path, 'run'), 0o755)
    const commit = repository.commit()
    const { mirrors } = newMirrors()
    const head = await mirrors.fetch({ id, url: repository.path }, never)
    expect(head).toEqual({ branch: 'main', commit, at: '2026-01-02T03:04:05.000Z' })
    const entries = await all(mirrors.entries(id, commit, never))
    expect(entries.map(({ path, type, size, isUtf8 }) => [path, type, size, isUtf8])).toEqual([
      ['empty', 'file', 0, true],
      ['link', 'symlink', 16, true],
      ['run', 'executable', 10, true],
      ['src/a.ts', 'file', 10, true],
    ])
    expect(await treeOf(mirrors, id, commit)).toEqual({
      empty: '',
      link: 'symlink: ../../etc/passwd',
      run: 'executable: #!/bin/sh\n',
      'src/a.ts': 'let a = 1\n',
    })
  })

  it('reads blobs in the order asked, again and again, and tells only the size of large ones', async () => {
    const repository = newRepository()
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, `${at}\n`.repeat(at)]))
    const commit = repository.commit(files)
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    const entries = (await all(mirrors.entries(id, commit, never))).reverse()
    const asked = [...entries, ...entries].map(({ blob }) => blob)
    const most = 500
    const found = await all(mirrors.blobs(id, asked, most, never))
    expect(found.map(({ blob }) => blob)).toEqual(asked)
    for (const [at, { size, bytes }] of found.entries()) {
      const content = files[entries[at % entries.length]?.path ?? ''] ?? ''
      expect(size).toBe(content.length)
      expect(bytes && Buffer.from(bytes).toString()).toBe(content.length <= most ? content : undefined)
    }
    expect(await all(mirrors.blobs(id, [], most, never))).toEqual([])
    await expect(all(mirrors.blobs(id, ['a'.repeat(40)], most, never))).rejects.toMatchObject({ reason: 'missing' })
    await expect(all(mirrors.blobs(id, ['x\ncontents y'], most, never))).rejects.toMatchObject({ reason: 'missing' })
  })

  it('follows pushes, tells what changed, and keeps the older commit readable', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1', b: '1', 'c/d': '1' })
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    renameSync(join(repository.path, 'b'), join(repository.path, 'e'))
    const second = repository.commit({ a: '22' })
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: second })
    const changed = await mirrors.changed(id, first, second, never)
    expect(changed?.map(({ path, entry }) => [path, entry?.type, entry?.size])).toEqual([
      ['a', 'file', 2],
      ['b', undefined, undefined],
      ['e', 'file', 1],
    ])
    expect(await treeOf(mirrors, id, first)).toEqual({ a: '1', b: '1', 'c/d': '1' })
    expect(await treeOf(mirrors, id, second)).toEqual({ a: '22', 'c/d': '1', e: '1' })
    expect(await mirrors.changed(id, 'f'.repeat(40), second, never)).toBeUndefined()
    await expect(all(mirrors.entries(id, 'f'.repeat(40), never))).rejects.toMatchObject({ reason: 'missing' })
  })

  it('follows a force push and a rewritten history', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    repository.git(['checkout', '-q', '--orphan', 'other'])
    repository.commit({ a: '2', b: '2' }, 'rewritten')
    repository.git(['branch', '-q', '-M', 'other', 'main'])
    const rewritten = repository.git(['rev-parse', 'main'])
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: rewritten })
    expect(await treeOf(mirrors, id, rewritten)).toEqual({ a: '2', b: '2' })
    expect((await mirrors.changed(id, first, rewritten, never))?.map(({ path }) => path)).toEqual(['a', 'b'])
    // and back
    repository.git(['update-ref', 'refs/heads/main', first])
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit: first })
    expect(await treeOf(mirrors, id, first)).toEqual({ a: '1' })
  })

  it('follows the branch that the entry names, or the default of the remote', async () => {
    const repository = newRepository()
    const main = repository.commit({ a: '1' })
    repository.git(['checkout', '-q', '-b', 'feature/x'])
    const feature = repository.commit({ a: '2' })
    repository.git(['checkout', '-q', 'main'])
    const { mirrors } = newMirrors()
    const fetch = (branch?: string) =>
      mirrors.fetch({ id, url: repository.path, ...(branch === undefined ? {} : { branch }) }, never)
    expect(await fetch()).toMatchObject({ branch: 'main', commit: main })
    expect(await fetch('feature/x')).toMatchObject({ branch: 'feature/x', commit: feature })
    // the ending of a name is another branch
    await expect(fetch('x')).rejects.toMatchObject({ reason: 'branch_missing' })
    repository.git(['branch', '-q', '-D', 'feature/x'])
    await expect(fetch('feature/x')).rejects.toMatchObject({ reason: 'branch_missing' })
    expect(await treeOf(mirrors, id, feature)).toEqual({ a: '2' })
    repository.git(['checkout', '-q', '--detach'])
    expect(await fetch()).toMatchObject({ branch: 'HEAD', commit: main })
  })

  it('is null for an empty repository, and tells a default branch that does not exist from it', async () => {
    const repository = newRepository()
    const { mirrors } = newMirrors()
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toBeNull()
    expect(await mirrors.fetch({ id, url: repository.path, branch: 'main' }, never)).toBeNull()
    repository.commit({ a: '1' })
    repository.git(['symbolic-ref', 'HEAD', 'refs/heads/gone'])
    await expect(mirrors.fetch({ id, url: repository.path }, never)).rejects.toMatchObject({
      reason: 'branch_missing',
      message: expect.stringContaining('set `branch`'),
    })
  })

  it('reads repositories of SHA-256', async () => {
    const repository = newRepository('--object-format=sha256')
    const commit = repository.commit({ a: '1' })
    expect(commit).toHaveLength(64)
    const { mirrors } = newMirrors()
    expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit })
    const second = repository.commit({ a: '2' })
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await mirrors.changed(id, commit, second, never)).toMatchObject([{ path: 'a', entry: { size: 1 } }])
    expect(await treeOf(mirrors, id, second)).toEqual({ a: '2' })
  })

  it('reads a shallow clone, as continuous integration leaves it', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    repository.commit({ a: '2' })
    const clone = newRepository()
    clone.git(['fetch', '-q', '--depth=1', `file://${repository.path}`, 'main:copied'])
    clone.git(['symbolic-ref', 'HEAD', 'refs/heads/copied'])
    const { mirrors } = newMirrors()
    const head = await mirrors.fetch({ id, url: clone.path }, never)
    expect(await treeOf(mirrors, id, head?.commit ?? '')).toEqual({ a: '2' })
  })

  it('is listed until it is removed', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    const { mirrors } = newMirrors()
    expect(await mirrors.present()).toEqual([])
    await mirrors.fetch({ id, url: repository.path }, never)
    await mirrors.fetch({ id: 'other', url: repository.path }, never)
    expect((await mirrors.present()).sort()).toEqual(['other', id])
    await mirrors.remove(id)
    await mirrors.remove('never there')
    expect(await mirrors.present()).toEqual(['other'])
    await expect(all(mirrors.entries(id, commit, never))).rejects.toMatchObject({ reason: 'missing' })
    expect(await treeOf(mirrors, 'other', commit)).toEqual({ a: '1' })
  })

  it('tells that there is no repository', async () => {
    const { mirrors } = newMirrors()
    await expect(mirrors.fetch({ id, url: '/does/not/exist' }, never)).rejects.toMatchObject({ reason: 'not_found' })
  })
})
