import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSource } from '../../src/import/read.ts'
import { skipIf } from '../support/skip.ts'
import { differencesIn } from './dialects.ts'

const noGit = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed'
const histories = fileURLToPath(new URL('./trees/histories', import.meta.url))
const record = (title: string) => `# ${title}\n\n## Context\n\nWhy ${title}?\n\n## Decision\n\nBecause ${title}.\n`
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-dates-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function git(day: string, ...args: string[]): void {
  const date = `${day}T10:00:00Z`
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false', ...args], {
    cwd: folder,
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    stdio: 'ignore',
  })
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function datesIn(path: string) {
  const { items } = await readSource(join(folder, path))
  return items.map(({ decision, datedBy }) => [decision.title, decision.decided_at?.slice(0, 10), datedBy])
}

describe('histories of a tree, one folder for each commit', skipIf(noGit), () => {
  it.each(readdirSync(histories))('dates the records of “%s” as a person does', async (name) => {
    const tree = join(histories, name)
    const days = readdirSync(tree).filter((entry) => /^\d{4}-\d\d-\d\d$/.test(entry))
    for (const [at, day] of days.sort().entries()) {
      if (at === 0) git(day, 'init', '-q', '-b', 'main')
      else git(day, 'rm', '-rq', '.')
      cpSync(join(tree, day), folder, { recursive: true })
      git(day, 'add', '.')
      git(day, 'commit', '-qm', day)
    }
    cpSync(join(tree, 'facts.json'), join(folder, 'facts.json'))
    expect(await differencesIn('', folder, true)).toEqual([])
  })
})

describe('dates from git', skipIf(noGit), () => {
  beforeEach(() => {
    git('2020-01-01', 'init', '-q', '-b', 'main')
    write('notes/lamp.md', record('Lamp'))
    git('2020-01-01', 'add', '.')
    git('2020-01-01', 'commit', '-qm', 'one')
  })

  it('dates a record that was moved into the folder by the first commit of its text', async () => {
    mkdirSync(join(folder, 'docs/adr'), { recursive: true })
    git('2021-02-02', 'mv', 'notes/lamp.md', 'docs/adr/0001-lamp.md')
    git('2021-02-02', 'commit', '-qm', 'two')
    expect(await datesIn('docs/adr')).toEqual([['Lamp', '2020-01-01', 'git']])
  })

  it('does not date a record by an older file that had its name', async () => {
    write('docs/adr/0001-lamp.md', 'another text\n')
    git('2020-03-03', 'add', '.')
    git('2020-03-03', 'commit', '-qm', 'two')
    git('2020-04-04', 'rm', '-q', 'docs/adr/0001-lamp.md')
    git('2020-04-04', 'commit', '-qm', 'three')
    mkdirSync(join(folder, 'docs/adr'), { recursive: true })
    git('2021-02-02', 'mv', 'notes/lamp.md', 'docs/adr/0001-lamp.md')
    git('2021-02-02', 'commit', '-qm', 'four')
    expect(await datesIn('docs/adr')).toEqual([['Lamp', '2020-01-01', 'git']])
  })

  it('dates a record that came with a merge commit', async () => {
    git('2021-01-01', 'checkout', '-q', '-b', 'other')
    write('a.txt', 'a\n')
    git('2021-01-01', 'add', '.')
    git('2021-01-01', 'commit', '-qm', 'a')
    git('2021-02-02', 'checkout', '-q', 'main')
    write('b.txt', 'b\n')
    git('2021-02-02', 'add', '.')
    git('2021-02-02', 'commit', '-qm', 'b')
    git('2021-03-03', 'merge', '-q', '--no-ff', '--no-commit', 'other')
    write('docs/adr/0002-chair.md', record('Chair'))
    git('2021-03-03', 'add', '.')
    git('2021-03-03', 'commit', '-qm', 'merge')
    expect(await datesIn('docs/adr')).toEqual([['Chair', '2021-03-03', 'git']])
  })

  it('dates a record of a merged branch by its own commit, not by the merge', async () => {
    git('2021-01-01', 'checkout', '-q', '-b', 'other')
    write('docs/adr/0003-table.md', record('Table'))
    git('2021-01-01', 'add', '.')
    git('2021-01-01', 'commit', '-qm', 'a')
    git('2021-02-02', 'checkout', '-q', 'main')
    git('2021-03-03', 'merge', '-q', '--no-ff', '-m', 'merge', 'other')
    expect(await datesIn('docs/adr')).toEqual([['Table', '2021-01-01', 'git']])
  })

  describe('of a shallow clone', () => {
    const remedy = 'run git fetch --unshallow first'
    const cloned = () => join(folder, 'clone')
    const readClone = () => readSource(cloned())
    const clone = (depth: number) =>
      git('2022-01-01', 'clone', '-q', '--depth', `${depth}`, pathToFileURL(folder).href, cloned())

    it('dates a record by a commit whose parent is known, and no record by the commit where the history ends', async () => {
      write('docs/adr/0002-chair.md', record('Chair'))
      git('2021-03-03', 'add', '.')
      git('2021-03-03', 'commit', '-qm', 'two')
      write('docs/adr/0003-table.md', record('Table'))
      git('2021-04-04', 'add', '.')
      git('2021-04-04', 'commit', '-qm', 'three')
      clone(2)
      const { items, notes } = await readClone()
      const dates = items.map(({ decision, datedBy }) => [decision.title, decision.decided_at?.slice(0, 10), datedBy])
      expect(dates).toEqual([
        ['Chair', undefined, undefined],
        ['Table', '2021-04-04', 'git'],
      ])
      expect(notes.filter(({ message }) => message.includes(remedy))).toHaveLength(1)
    })

    it('says nothing about the history if every record has a date', async () => {
      write('docs/adr/0002-chair.md', `${record('Chair')}\n## Date\n\n2020-05-05\n`)
      git('2021-03-03', 'add', '.')
      git('2021-03-03', 'commit', '-qm', 'two')
      clone(1)
      expect((await readClone()).notes.filter(({ message }) => message.includes(remedy))).toEqual([])
    })
  })
})
