import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSource } from '../../src/import/read.ts'

const record = (title: string, more = '') =>
  `# ${title}\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n${more}\n## Decision\n\nYes.\n`
const hasGit = spawnSync('git', ['--version']).status === 0
const canMakePipes = spawnSync('mkfifo', ['--version']).status === 0

let folder: string
let outside: string

beforeEach(() => {
  const base = mkdtempSync(join(tmpdir(), 'precedent-import-'))
  folder = join(base, 'tree')
  outside = join(base, 'outside')
  mkdirSync(join(folder, 'adr'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(folder, 'adr/0001-good.md'), record('1. Good'))
})

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const read = () => readSource(folder, { source: 'hostile' })
const note = (notes: { file: string; message: string }[], file: string) =>
  notes
    .filter((one) => one.file === file)
    .map(({ message }) => message)
    .join('; ')

describe('a hostile folder', () => {
  it('has its links left alone, whether to files, folders or out of it', async () => {
    writeFileSync(join(outside, '0002-secret.md'), record('2. Secret'))
    symlinkSync(join(outside, '0002-secret.md'), join(folder, 'adr/0002-linked.md'))
    symlinkSync(outside, join(folder, 'adr/0003-folder.md'))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync('.', join(folder, 'adr/again'))
    const { items, notes } = await read()
    expect(items.map(({ file }) => file)).toEqual(['adr/0001-good.md'])
    expect(note(notes, 'adr/0002-linked.md')).toBe('a symbolic link: not followed')
  })

  it.skipIf(!canMakePipes)('has no pipe opened, which would wait for ever', async () => {
    execFileSync('mkfifo', [join(folder, 'adr/0002-pipe.md')])
    const { items, notes } = await read()
    expect(items).toHaveLength(1)
    expect(note(notes, 'adr/0002-pipe.md')).toBe('not a regular file: not read')
    await expect(readSource(join(folder, 'adr/0002-pipe.md'))).rejects.toThrow('neither a folder nor a regular file')
  })

  it('has files of a gigabyte and of zero bytes passed over', async () => {
    writeFileSync(join(folder, 'adr/0002-large.md'), '')
    truncateSync(join(folder, 'adr/0002-large.md'), 1024 ** 3)
    writeFileSync(join(folder, 'adr/0003-binary.md'), Buffer.from([35, 32, 0, 1, 2, 255]))
    const { items, notes } = await read()
    expect(items).toHaveLength(1)
    expect(note(notes, 'adr/0002-large.md')).toBe('larger than 2 MiB: not read')
    expect(note(notes, 'adr/0003-binary.md')).toBe('no text: it holds zero bytes')
  })

  it('has aliases of YAML counted and not followed', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(', ')}]`,
    )
    const bomb = `---\nl0: &l0 boom\n${levels.join('\n')}\nstatus: accepted\n---\n\n${record('2. Bomb')}`
    writeFileSync(join(folder, 'adr/0002-bomb.md'), bomb)
    const { items, notes } = await read()
    expect(items).toHaveLength(2)
    expect(note(notes, 'adr/0002-bomb.md')).toMatch(/front matter uses 270 aliases, which are not followed/)
  })

  it('has code in front matter neither run nor read', async () => {
    const mark = join(outside, 'ran')
    const code = `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`
    writeFileSync(join(folder, 'adr/0002-js.md'), `---js\n({ status: ${code} })\n---\n\n${record('2. Script')}`)
    writeFileSync(
      join(folder, 'adr/0003-tag.md'),
      `---\nstatus: !!js/function "function () { ${code} }"\n---\n\n${record('3. Tag')}`,
    )
    const { items, notes } = await read()
    expect(items.map(({ decision }) => decision.title)).toEqual(['Good', 'Script', 'Tag'])
    expect(existsSync(mark)).toBe(false)
    expect(note(notes, 'adr/0002-js.md')).toBe('front matter in "js" is neither read nor run: only YAML is')
  })

  it('has text that costs a parser the square of its length read in bounds', async () => {
    const half = 1024 * 1024
    for (const [at, text] of [
      '['.repeat(half),
      '*a_ '.repeat(half / 4),
      '> '.repeat(half / 2),
      '- '.repeat(half / 2),
      'a\\\n'.repeat(half / 3),
    ].entries()) {
      writeFileSync(join(folder, `adr/001${at}-slow.md`), `${record(`1${at}. Slow`)}\n${text}`)
    }
    const { items, notes } = await read()
    expect(items).toHaveLength(6)
    expect(note(notes, 'adr/0010-slow.md')).toContain('too long: the end of the file was left out')
  }, 60_000)
})

describe.skipIf(!hasGit)('a hostile repository', () => {
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false', ...args],
      {
        cwd: folder,
        env: { ...process.env, GIT_AUTHOR_DATE: '2023-05-06T07:08:09Z', GIT_COMMITTER_DATE: '2023-06-07T08:09:10Z' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
  /** A signature that git would have a program check. */
  const sign = (commit: string) => {
    const [head, message] = commit.split('\n\n', 2)
    writeFileSync(
      join(outside, 'commit'),
      `${head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n${message}`,
    )
    git(
      'update-ref',
      'refs/heads/main',
      git('hash-object', '-t', 'commit', '-w', join(outside, 'commit')).toString().trim(),
    )
  }
  const loseContent = (id: string) => rmSync(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
  const undated = '# 2. Undated\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n'

  beforeEach(() => git('init', '-q', '-b', 'main'))

  it('gives the date of the commit that added a file, over its renames', async () => {
    writeFileSync(join(folder, 'adr/0002-first-name.md'), undated)
    git('add', '.')
    git('commit', '-qm', 'one')
    git('mv', 'adr/0002-first-name.md', 'adr/0002-undated.md')
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'two'], {
      cwd: folder,
    })
    const { items } = await read()
    expect(items.map(({ decision }) => decision.decided_at)).toEqual([
      '2024-01-02T00:00:00.000Z',
      '2023-05-06T07:08:09.000Z',
    ])
    const without = await readSource(folder, { source: 'hostile', git: false })
    expect(without.items[1]?.decision.decided_at).toBeUndefined()
  })

  it('runs no program that its configuration or the environment names', async () => {
    const mark = join(outside, 'ran')
    const program = join(outside, 'program.sh')
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexit 0\n`)
    chmodSync(program, 0o755)
    writeFileSync(join(folder, 'adr/0002-first-name.md'), `${undated}\nAnd more of it.\n`)
    git('add', '.')
    git('commit', '-qm', 'one')
    git('mv', 'adr/0002-first-name.md', 'adr/0002-undated.md')
    writeFileSync(join(folder, 'adr/0002-undated.md'), undated)
    git('commit', '-qam', 'two')
    sign(git('cat-file', 'commit', 'HEAD').toString())
    loseContent(git('rev-parse', 'HEAD:adr/0002-undated.md').toString().trim())
    for (const key of [
      'gpg.program',
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'diff.external',
      'core.editor',
      'alias.log',
      'credential.helper',
      'filter.x.smudge',
      'filter.x.clean',
      'diff.x.textconv',
      'diff.x.command',
      'uploadpack.packObjectsHook',
      'remote.origin.uploadpack',
    ]) {
      git('config', key, key === 'alias.log' ? `!${program}` : program)
    }
    git('config', 'log.showSignature', 'true')
    // a clone that fetches what it lacks: from a path, by the program named
    git('config', 'core.repositoryformatversion', '1')
    git('config', 'extensions.partialClone', 'origin')
    git('config', 'remote.origin.url', outside)
    git('config', 'remote.origin.promisor', 'true')
    git('config', 'core.hooksPath', outside)
    writeFileSync(join(folder, '.gitattributes'), '* filter=x diff=x\n')
    for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(outside, hook), `#!/bin/sh\necho ${hook} >> ${mark}\n`, { mode: 0o755 })
    }
    const before = { ...process.env }
    Object.assign(process.env, {
      GIT_PAGER: program,
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_DIR: '/nowhere',
    })
    try {
      const { items, source } = await readSource(folder, {})
      expect(items[1]?.decision.decided_at).toBe('2023-05-06T07:08:09.000Z')
      expect(source).not.toBe('')
    } finally {
      process.env = before
    }
    expect(existsSync(mark)).toBe(false)
  })

  it('gives its owner and name, without the credential in the remote', async () => {
    git('remote', 'add', 'origin', 'https://someone:secret@github.com/acme/till.git')
    const { source, items } = await readSource(join(folder, 'adr'))
    expect(source).toBe('acme/till')
    expect(items[0]?.decision.external_id).toBe('acme/till/adr/0001-good.md')
    expect(items[0]?.decision.sources[0]?.url).toBe('https://github.com/acme/till/blob/HEAD/adr/0001-good.md')
    const without = await readSource(join(folder, 'adr'), { git: false })
    expect(without.source).toBe('acme/till')
  })
})
