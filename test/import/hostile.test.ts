import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSource } from '../../src/import/read.ts'
import { heldBy } from '../support/blocked-thread.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { skipIf } from '../support/skip.ts'

const record = (title: string, more = '') =>
  `# ${title}\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n${more}\n## Decision\n\nYes.\n`
const noGit = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed'
const noPipes = spawnSync('mkfifo', ['--version']).status === 0 ? undefined : 'mkfifo is not installed'

let folder: string
let outside: string

beforeEach(() => {
  const base = temporaryFolder('precedent-import-')
  folder = join(base, 'tree')
  outside = join(base, 'outside')
  mkdirSync(join(folder, 'adr'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(folder, 'adr/0001-good.md'), record('1. Good'))
})

const read = () => readSource(folder, { source: 'hostile' })
async function readInLittleTime() {
  const { result, total } = await heldBy(read, Number.POSITIVE_INFINITY)
  // ms of processor time. Reading takes seconds. A rule whose cost grows with the square of the length takes minutes
  expect(total).toBeLessThan(20_000)
  return result
}
const note = (notes: { file: string; message: string }[], file: string) =>
  notes
    .filter((one) => one.file === file)
    .map(({ message }) => message)
    .join('; ')

describe('import of a hostile folder', () => {
  it('does not follow symbolic links to files, to folders or out of the folder', async () => {
    writeFileSync(join(outside, '0002-secret.md'), record('2. Secret'))
    symlinkSync(join(outside, '0002-secret.md'), join(folder, 'adr/0002-linked.md'))
    symlinkSync(outside, join(folder, 'adr/0003-folder.md'))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync('.', join(folder, 'adr/again'))
    const { items, notes } = await read()
    expect(items.map(({ file }) => file)).toEqual(['adr/0001-good.md'])
    expect(note(notes, 'adr/0002-linked.md')).toBe('a symbolic link: not followed')
  })

  it('leaves out parts that hold only invisible characters, as if they were empty', async () => {
    const nothing = '\u200b\u2060 \u3164\ufeff'
    const parts = ['Context', 'Decision Drivers', 'Considered Options', 'Rationale', 'Consequences', 'Notes']
    const empty = parts.map((part) => `## ${part}\n\n${nothing}\n\n`).join('')
    const options = `## Options\n\n### One file\n\n${nothing}\n\n### A server\n\n${nothing}\n\n### ${nothing}\n\nIt has no name.\n\n`
    writeFileSync(
      join(folder, 'adr/0002-hollow.md'),
      `# 2. Hollow\n\n${nothing}\n\nDate: 2024-01-02\n\nDeciders: ${nothing}\n\nStatus: Accepted\n\n${empty}${options}## Decision\n\nOne file.\n`,
    )
    writeFileSync(
      join(folder, 'adr/0003-undecided.md'),
      `# 3. Undecided\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nIt is slow.\n\n## Decision\n\n${nothing}\n`,
    )
    writeFileSync(join(folder, 'adr/0004-untitled.md'), record(nothing))
    const { items, notes } = await read()
    expect(notes.map(({ message }) => message).filter((message) => message.includes('not imported'))).toEqual([])
    const [, hollow, undecided, untitled] = items.map(({ decision }) => decision)
    expect(hollow).toMatchObject({ title: 'Hollow', judgment: 'One file.', decided_by: [] })
    expect(JSON.stringify(hollow)).not.toMatch(/\u200b|\u2060/)
    for (const field of ['rationale', 'consequences']) expect(hollow).not.toHaveProperty(field)
    expect(undecided).toMatchObject({ judgment: 'Undecided', context: 'It is slow.' })
    expect(untitled).toMatchObject({ title: expect.stringMatching(/untitled/i), judgment: 'Yes.' })
  })

  it('does not open a named pipe, which would block for ever', skipIf(noPipes), async () => {
    execFileSync('mkfifo', [join(folder, 'adr/0002-pipe.md')])
    const { items, notes } = await read()
    expect(items).toHaveLength(1)
    expect(note(notes, 'adr/0002-pipe.md')).toBe('not a regular file: not read')
    await expect(readSource(join(folder, 'adr/0002-pipe.md'))).rejects.toThrow('neither a folder nor a regular file')
  })

  it('does not read a file of a gigabyte or a binary file', async () => {
    writeFileSync(join(folder, 'adr/0002-large.md'), '')
    truncateSync(join(folder, 'adr/0002-large.md'), 1024 ** 3)
    writeFileSync(join(folder, 'adr/0003-binary.md'), Buffer.from([35, 32, 0, 1, 2, 255]))
    const { items, notes } = await read()
    expect(items).toHaveLength(1)
    expect(note(notes, 'adr/0002-large.md')).toBe('larger than 2 MiB: not read')
    expect(note(notes, 'adr/0003-binary.md')).toBe('not a text file: it contains zero bytes')
  })

  it('counts YAML aliases and does not follow them', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(', ')}]`,
    )
    const bomb = `---\nl0: &l0 boom\n${levels.join('\n')}\nstatus: accepted\n---\n\n${record('2. Bomb')}`
    writeFileSync(join(folder, 'adr/0002-bomb.md'), bomb)
    const { items, notes } = await read()
    expect(items).toHaveLength(2)
    expect(note(notes, 'adr/0002-bomb.md')).toMatch(/front matter uses 270 aliases, which were ignored/)
  })

  it('ignores code in front matter and does not run it', async () => {
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
    expect(note(notes, 'adr/0002-js.md')).toBe('front matter in "js" was ignored: only YAML is read')
  })

  it('reads only the beginning of a text that costs the parser the square of its length', async () => {
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
  })

  it.each(['`', '~'])('reads a decision that is one long run of %s in little time', async (sign) => {
    const decision = `# 2. Fence\n\n## Status\n\nAccepted\n\n## Decision\n\n${sign.repeat(1_000_000)}`
    writeFileSync(join(folder, 'adr/0002-fence.md'), decision)
    expect((await readInLittleTime()).items.map(({ file }) => file)).toContain('adr/0001-good.md')
  })

  it('reads long headings of a log, of blanks and marks, in little time', async () => {
    const entry = (name: string) => `## ${name}\n\n**Status:** Accepted\n\n**Decision:** Yes.\n\n`
    for (const [at, filling] of [' ', ' \t', '#', '# ', '('].entries()) {
      const heading = `## a${filling.repeat(490 / filling.length)}x\n`
      mkdirSync(join(folder, `adr/${at}`))
      writeFileSync(
        join(folder, `adr/${at}/decisions.md`),
        entry('DEC-001: A') + entry('DEC-002: B') + heading.repeat(3000),
      )
    }
    expect((await readInLittleTime()).items).toHaveLength(11)
  })

  it('reads a status and an index with very long words in little time', async () => {
    writeFileSync(
      join(folder, 'adr/0002-long.md'),
      record('2. Long').replace('Accepted', `Accepted ${'adr-'.repeat(30_000)}`),
    )
    const index = `# Decision log\n\n- [Good](0001-good.md)\n- [Long](0002-long.md${'.md'.repeat(80_000)} x)\n`
    writeFileSync(join(folder, 'adr/0000-index.md'), index)
    const { items } = await readInLittleTime()
    expect(items.map(({ decision }) => decision.title)).toEqual(['Good', 'Long'])
  })

  it('shortens long runs of blanks, which cost the square of their length', async () => {
    const blanks = ' \u00a0'.repeat(10_000)
    writeFileSync(join(folder, 'adr/0002-wide.md'), `${record('2. Wide')}\nThis supersedes${blanks}ADR 1.\n`)
    const { items } = await read()
    const wide = items[1]?.decision
    expect(wide).toMatchObject({ title: 'Wide', supersedes: ['hostile/adr/0001-good.md'] })
    expect(wide?.judgment?.length).toBeLessThan(300)
  })
})

describe('a hostile repository', skipIf(noGit), () => {
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
  /** Adds a signature that git would run a program to check. */
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

  it('gives the date of the commit that added a file, also after renames', async () => {
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

  it('cannot make git run a program by its configuration or the environment', async () => {
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
    // a partial clone that fetches missing objects from a path, by the program named
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

  it('gives the owner and name of its remote, without the credential in it', async () => {
    git('remote', 'add', 'origin', 'https://someone:secret@github.com/acme/till.git')
    const { source, items } = await readSource(join(folder, 'adr'))
    expect(source).toBe('acme/till')
    expect(items[0]?.decision.external_id).toBe('acme/till/adr/0001-good.md')
    expect(items[0]?.decision.sources[0]?.url).toBe('https://github.com/acme/till/blob/HEAD/adr/0001-good.md')
    const without = await readSource(join(folder, 'adr'), { git: false })
    expect(without.source).toBe('acme/till')
  })
})
