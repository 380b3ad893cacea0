import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { gitEnvironment, writeConfiguration } from '../../../src/adapters/git/settings.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { all, machine, never, newMirrors, newRepository, type Repository, treeOf } from './repositories.ts'

const id = 'w/acme/shop@1'

/** A program that leaves a mark if it runs. */
let marker: string
let program: string
beforeEach(() => {
  const folder = temporaryFolder()
  marker = join(folder, 'ran')
  program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\nexit 1\n`)
  chmodSync(program, 0o755)
})

function expectNothingRan(): void {
  expect(existsSync(marker)).toBe(false)
}

/** Fetches, changes, fetches again, compares and tidies: everything that a mirror does. */
async function usedFully(repository: Repository, url = repository.path): Promise<void> {
  const first = repository.git(['rev-parse', 'HEAD'])
  const { mirrors } = newMirrors({ keepMs: 0 })
  await mirrors.fetch({ id, url }, never)
  expect(await treeOf(mirrors, id, first)).toMatchObject({ a: '1' })
  repository.git(['update-ref', 'refs/heads/main', emptyCommit(repository, { z: '2' })])
  const second = repository.git(['rev-parse', 'HEAD'])
  await mirrors.fetch({ id, url }, never)
  expect(await treeOf(mirrors, id, second)).toEqual({ z: '2' })
  expect((await mirrors.changed(id, first, second, never))?.map(({ path }) => path)).toContain('a')
  await mirrors.keep(id, [second], never)
}

/** Makes a commit of trees without the checks of `git add`. `files`: contents by path; a path may be anything but NUL. */
function emptyCommit(repository: Repository, files: Readonly<Record<string, string>>, mode = '100644'): string {
  const records = Object.entries(files).map(([name, content]) => {
    const blob = repository.git(['hash-object', '-w', '--stdin'], content)
    return { name: Buffer.from(name, 'latin1'), blob }
  })
  return commitOf(
    repository,
    records.map(({ name, blob }) => ({ name, object: blob, mode })),
  )
}

interface Record_ {
  name: Buffer
  object: string
  mode: string
}

function treeObject(repository: Repository, records: readonly Record_[]): string {
  const sorted = [...records].sort((a, b) => Buffer.compare(a.name, b.name))
  const content = sorted.map(({ name, object, mode }) =>
    Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(object, 'hex')]),
  )
  return repository.git(['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], Buffer.concat(content))
}

function commitOf(repository: Repository, records: readonly Record_[]): string {
  return repository.git(['commit-tree', '-m', 'x', treeObject(repository, records)])
}

describe('nothing of a hostile repository runs', () => {
  it('not a hook', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const hooks = ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change', 'update', 'pre-receive']
    mkdirSync(join(repository.path, '.git', 'hooks'), { recursive: true })
    for (const hook of [...hooks, 'fsmonitor-watchman', 'post-rewrite']) {
      writeFileSync(join(repository.path, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    }
    await usedFully(repository)
    expectNothingRan()
  })

  it('not a setting of the repository', async () => {
    const repository = newRepository()
    repository.commit({ a: '1', '.gitattributes': '* filter=x diff=x\n' })
    writeFileSync(join(dirname(program), 'reference-transaction'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    for (const [name, value] of [
      ['core.fsmonitor', program],
      ['core.sshCommand', program],
      ['core.gitProxy', program],
      ['core.pager', program],
      ['core.editor', program],
      ['core.alternateRefsCommand', program],
      ['core.hooksPath', dirname(program)],
      ['uploadpack.packObjectsHook', program],
      ['credential.helper', program],
      ['gpg.program', program],
      ['diff.external', program],
      ['filter.x.smudge', program],
      ['filter.x.clean', program],
      ['alias.upload-pack', `!${program}`],
      ['protocol.ext.allow', 'always'],
      [`url.ext::${program} .insteadOf`, '/'],
    ] as const) {
      repository.git(['config', name, value])
    }
    await usedFully(repository)
    expectNothingRan()
  })

  it('not the setting of a repository that fetches its missing objects by a program', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const blob = repository.git(['rev-parse', 'HEAD:a'])
    writeFileSync(join(repository.path, '.git', 'objects', 'x'), '')
    repository.git(['config', 'core.repositoryformatversion', '1'])
    repository.git(['config', 'extensions.partialClone', 'origin'])
    repository.git(['config', 'remote.origin.promisor', 'true'])
    repository.git(['config', 'remote.origin.url', `ext::${program}`])
    repository.git(['config', 'remote.origin.uploadpack', program])
    repository.git(['config', 'protocol.ext.allow', 'always'])
    const { mirrors } = newMirrors()
    const { rmSync } = await import('node:fs')
    rmSync(join(repository.path, '.git', 'objects', blob.slice(0, 2)), { recursive: true })
    await expect(mirrors.fetch({ id, url: repository.path }, never)).rejects.toMatchObject({ name: 'MirrorError' })
    repository.git(['config', 'remote.origin.url', temporaryFolder()])
    await expect(mirrors.fetch({ id, url: repository.path }, never)).rejects.toMatchObject({ name: 'MirrorError' })
    expectNothingRan()
  })

  it.each([
    'ext::PROGRAM',
    'ext::sh -c PROGRAM%',
    '--upload-pack=PROGRAM',
    '-uPROGRAM',
    'fd::3',
    'git://127.0.0.1:1/x',
  ])('not the url %s', async (url) => {
    const { mirrors } = newMirrors()
    const fetching = mirrors.fetch({ id, url: url.replace('PROGRAM', program) }, never)
    await expect(fetching).rejects.toMatchObject({ name: 'MirrorError' })
    expectNothingRan()
  })

  it.each(['-oProxyCommand=PROGRAM', '--upload-pack=PROGRAM', '--exec=PROGRAM'])(
    'not the branch %s',
    async (branch) => {
      const repository = newRepository()
      repository.commit({ a: '1' })
      const { mirrors } = newMirrors()
      const fetching = mirrors.fetch({ id, url: repository.path, branch: branch.replace('PROGRAM', program) }, never)
      await expect(fetching).rejects.toMatchObject({ reason: 'branch_missing' })
      expectNothingRan()
    },
  )

  it('not the ssh:// host that looks like an option', async () => {
    const { mirrors } = newMirrors()
    const url = `ssh://-oProxyCommand=${program}/x`
    await expect(mirrors.fetch({ id, url }, never)).rejects.toMatchObject({ name: 'MirrorError' })
    expectNothingRan()
  })

  it('not what the user of the service has configured for git', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const home = temporaryFolder()
    writeFileSync(
      join(home, '.gitconfig'),
      `[uploadpack]\n\tpackObjectsHook = ${program}\n[core]\n\thooksPath = ${home}\n`,
    )
    writeFileSync(join(home, 'reference-transaction'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    const before = process.env.HOME
    process.env.HOME = home
    try {
      await usedFully(repository)
    } finally {
      process.env.HOME = before
    }
    expectNothingRan()
  })
})

describe('each setting holds alone', () => {
  /** What git says with these settings, without those that would refuse the same. */
  async function said(args: readonly string[], without: readonly string[]): Promise<string> {
    const environment = gitEnvironment(await writeConfiguration(temporaryFolder()), machine)
    const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !without.includes(name)))
    const { stdout, stderr } = spawnSync('git', args, { cwd: '/', env })
    return `${stdout}${stderr}`
  }

  it.each(['GIT_ALLOW_PROTOCOL', 'GIT_CONFIG_GLOBAL'])('transports are refused without %s', async (name) => {
    const url = 'git://127.0.0.1:1/x'
    expect(await said(['ls-remote', url], [name])).toContain("transport 'git' not allowed")
    expect(await said(['ls-remote', url], ['GIT_ALLOW_PROTOCOL', 'GIT_CONFIG_GLOBAL'])).toContain('unable to connect')
  })

  it('the file says what it is there for', async () => {
    const read = await said(['config', '--global', '--list'], [])
    for (const line of [
      'protocol.allow=never',
      'core.hookspath=/dev/null',
      'core.attributesfile=/dev/null',
      'core.fsmonitor=false',
      'credential.helper=',
      'http.followredirects=false',
      'http.sslverify=true',
      'http.proxy=',
      'fetch.recursesubmodules=false',
      'submodule.recurse=false',
      'transfer.bundleuri=false',
      'gc.auto=0',
      'init.templatedir=',
      'safe.directory=*',
    ]) {
      expect(read.split('\n')).toContain(line)
    }
    // nothing of the machine or the user
    expect(await said(['config', '--list', '--show-origin'], [])).not.toMatch(/^file:(?!.*gitconfig-)/m)
  })

  it(
    'a path that belongs to another user is read',
    skipIf(process.getuid?.() === 0 ? undefined : 'chown needs root'),
    async () => {
      const repository = newRepository()
      const commit = repository.commit({ a: '1' })
      execFileSync('chown', ['-R', '12345', repository.path])
      const { mirrors } = newMirrors()
      expect(await mirrors.fetch({ id, url: repository.path }, never)).toMatchObject({ commit })
    },
  )
})

describe('hostile names and contents are shown as they are, or left out', () => {
  it('leaves out names that git would not check out', async () => {
    const repository = newRepository()
    const evil = emptyCommit(repository, { '..': 'up', '.': 'here', '.git': 'git', '.GIT': 'git', ok: 'fine' })
    const blob = repository.git(['rev-parse', `${evil}:ok`])
    const inside = treeObject(repository, [{ name: Buffer.from('passwd'), object: blob, mode: '100644' }])
    const nested = commitOf(repository, [
      { name: Buffer.from('..'), object: inside, mode: '40000' },
      { name: Buffer.from('a'), object: inside, mode: '40000' },
    ])
    const { mirrors } = newMirrors()
    repository.git(['update-ref', 'refs/heads/main', evil])
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await treeOf(mirrors, id, evil)).toEqual({ ok: 'fine' })
    repository.git(['update-ref', 'refs/heads/main', nested])
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await treeOf(mirrors, id, nested)).toEqual({ 'a/passwd': 'fine' })
    const changed = await mirrors.changed(id, evil, nested, never)
    expect(changed?.map(({ path }) => path)).toEqual(['a/passwd', 'ok'])
  })

  it('shows names that have line breaks, tabs or quotes or look like options, and marks names that are not UTF-8', async () => {
    const repository = newRepository()
    const names = ['a\nb', 'c\td', '--output=x', '"q"', '$(touch x)', '\xff\xfe']
    const commit = emptyCommit(repository, Object.fromEntries(names.map((name) => [name, name])))
    repository.git(['update-ref', 'refs/heads/main', commit])
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    const entries = await all(mirrors.entries(id, commit, never))
    expect(entries.map(({ path, isUtf8 }) => [path, isUtf8])).toEqual([
      ['"q"', true],
      ['$(touch x)', true],
      ['--output=x', true],
      ['a\nb', true],
      ['c\td', true],
      ['\ufffd\ufffd', false],
    ])
    // shown names do not tell two of them apart, so the caller lists all
    const other = emptyCommit(repository, { '\xfe\xff': 'x' })
    repository.git(['update-ref', 'refs/heads/main', other])
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await mirrors.changed(id, commit, other, never)).toBeUndefined()
  })

  it('lists a symlink that leads out and a submodule, and follows neither', async () => {
    const repository = newRepository()
    const target = repository.git(['hash-object', '-w', '--stdin'], '../../../../etc/passwd')
    const modules = repository.git(
      ['hash-object', '-w', '--stdin'],
      `[submodule "s"]\n\tpath = s\n\turl = ext::${program}\n`,
    )
    const commit = commitOf(repository, [
      { name: Buffer.from('.gitmodules'), object: modules, mode: '100644' },
      { name: Buffer.from('l'), object: target, mode: '120000' },
      { name: Buffer.from('s'), object: '1'.repeat(40), mode: '160000' },
    ])
    repository.git(['update-ref', 'refs/heads/main', commit])
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    expect(await treeOf(mirrors, id, commit)).toMatchObject({ l: 'symlink: ../../../../etc/passwd', s: 'submodule' })
    expectNothingRan()
  })

  it('gives the pointer of a file in LFS, and downloads nothing', async () => {
    const repository = newRepository()
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
    const commit = emptyCommit(repository, {
      'big.bin': pointer,
      '.gitattributes': '*.bin filter=lfs diff=lfs -text\n',
    })
    repository.git(['update-ref', 'refs/heads/main', commit])
    repository.git(['config', 'lfs.url', 'http://127.0.0.1:1/'])
    const { mirrors } = newMirrors()
    await mirrors.fetch({ id, url: repository.path }, never)
    expect((await treeOf(mirrors, id, commit))['big.bin']).toBe(pointer)
  })

  it('takes a time before 1970 or far ahead as the nearest that there is', async () => {
    const repository = newRepository()
    const tree = treeObject(repository, [])
    const { mirrors } = newMirrors()
    const atOf = async (time: string) => {
      const text = `tree ${tree}\nauthor a <a> ${time} +0000\ncommitter c <c> ${time} +0000\n\nx\n`
      const commit = repository.git(['hash-object', '-w', '-t', 'commit', '--literally', '--stdin'], text)
      repository.git(['update-ref', 'refs/heads/main', commit])
      return (await mirrors.fetch({ id, url: repository.path }, never))?.at
    }
    expect(await atOf('0')).toBe('1970-01-01T00:00:00.000Z')
    expect(await atOf('99999999999999')).toBe('9999-12-31T23:59:59.000Z')
  })
})
