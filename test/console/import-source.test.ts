/** Files that a reader chose in the browser give the same records as the same files read by the command. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserSource } from '../../src/console/import-thread/browser-source.ts'
import { openTranslator } from '../../src/import/adr/translated/node-translator.ts'
import type { ImportedRow } from '../../src/import/files/reading.ts'
import { streamSource } from '../../src/import/read.ts'
import { streamOfFile, streamOfTree } from '../../src/import/stream.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'

const trees = join(repository, 'test/import/trees')
const record = (title: string, more = '') =>
  `# ${title}\n\nDate: 2024-01-02\n\nStatus: Accepted\n\n## Decision\n\nYes.${more}\n`

describe('a folder', () => {
  it.each(readdirSync(trees))('%s of the test trees', async (tree) => {
    const folder = join(temporaryFolder(), tree)
    cpSync(join(trees, tree), folder, { recursive: true })
    const rows = await rowsOfCommand(folder)
    expect(rows.length).toBeGreaterThan(0)
    expect(await rowsOfBrowser(folder)).toEqual(rows)
  })

  it('that is hostile', async () => {
    const folder = newFolder()
    const deep = Array.from({ length: 40 }, (_, at) => `d${at}`).join('/')
    const files: Record<string, string | Buffer> = {
      'adr/0001-good.md': record('1. Good'),
      'adr/0002-latin.md': Buffer.from(record('2. Größe'), 'latin1'),
      'adr/0003-wide.md': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(record('3. Wide \ud800'), 'utf16le')]),
      'adr/0004-wide.md': Buffer.concat([
        Buffer.from([0xfe, 0xff]),
        Buffer.from(record('4. Wide'), 'utf16le').swap16(),
        Buffer.of(0),
      ]),
      'adr/0005-marked.md': `\ufeff\ufeff${record('5. Marked')}`,
      'adr/0006-cut.md': Buffer.from(record('6. Cut €')).subarray(0, -5),
      'adr/0007-zeros.md': '# 7. Zeros\0\n',
      'adr/0008-huge.md': record('8. Huge', 'x'.repeat(2 * 1024 * 1024)),
      'adr/0009-empty.md': '',
      'adr/0010-secret.md': record('10. Key', `\n\nAKIA${'Q3EGRVTB4MCA5YHW'}`),
      'adr/0011-slow.rst': `Slow\n====\n\n${'a'.repeat(20_001)}\n`,
      'adr/0012-broken.rst': 'Title\n===\n\n.. list-table::\n   :widths: x\n\n   * - a\n',
      'node_modules/x/adr/0001-theirs.md': record('1. Theirs'),
      'adr/.git/0001-hidden.md': record('1. Hidden'),
      [`${deep}/adr/0001-deep.md`]: record('1. Deep'),
      [`adr/0013-${'long'.repeat(55)}/${'name'.repeat(50)}.md`]: record('13. A long path'),
    }
    for (const [path, content] of Object.entries(files)) write(folder, path, content)
    const rows = await rowsOfCommand(folder)
    const read = rows.flatMap((row) => (row.kind === 'decision' ? [row.file.slice(4, 8)] : []))
    expect(read).toEqual(['0001', '0002', '0003', '0004', '0005', '0006', '0009', '0010', '0012', '0013'])
    expect(await rowsOfBrowser(folder)).toEqual(rows)
  })

  it('with a git config names the remote, as the command does', async () => {
    const folder = newFolder()
    write(
      folder,
      '.git/config',
      '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:secret@github.com/acme/till.git\n',
    )
    write(folder, 'docs/adr/0001-one.md', record('1. One'))
    const rows = await rowsOfCommand(folder)
    expect(rows[0]).toMatchObject({ decision: { external_id: 'acme/till/docs/adr/0001-one.md' } })
    expect(await rowsOfBrowser(folder)).toEqual(rows)
  })
})

describe('a file', () => {
  it('of JSON Lines', async () => {
    const lines = [
      '\ufeff{"title": "One", "judgment": "Yes."}',
      '{"kind": "fact", "content": "Two €."}',
      '{"name": "Three", "due_at": "2026-01-01"}',
      'no JSON',
      '{"title": "No judgment"}',
      `{"title": "${'x'.repeat(4 * 1024 * 1024)}"}`,
      '',
      '{"title": "Last", "judgment": "Without a line end.", "outcome": "Failed"}',
    ]
    await compareFile('rows.jsonl', lines.join('\n'))
  })

  const table =
    'Title;Judgment;Decided at;Odd\nOne;"Yes;\nand more";2024-01-02;x\nTwo;cells\n"Three" x;y;;\nFour;Yes;;\n'
  it.each([
    ['UTF-8', table],
    ['UTF-8 with a byte order mark', `\ufeff${table}`],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, 'utf16le')])],
    ['no header', ''],
    ['an open quote', 'title,judgment\nOne,Yes\nTwo,"No\n'],
    ['a record that is too long', `title,judgment\nOne,"${'x'.repeat(5 * 1024 * 1024)}"\nTwo,Yes\n`],
    ['many records', `title,judgment\n${'One,"Yes, ""it"" is"\n'.repeat(20_000)}`],
  ])('of CSV: %s', async (_, content) => {
    await compareFile('rows.csv', content)
  })
})

function newFolder(): string {
  const folder = join(temporaryFolder(), 'tree')
  mkdirSync(folder)
  return folder
}

function write(folder: string, path: string, content: string | Buffer): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

async function rowsOfCommand(path: string): Promise<ImportedRow[]> {
  return all((await streamSource(path, { git: false })).rows)
}

async function rowsOfBrowser(folder: string): Promise<ImportedRow[]> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const files = paths.map((path) => ({ path: path.slice(folder.length + 1), file: fileAt(path) }))
  const source = await browserSource({ root: folder.split('/').at(-1) as string, files, source: '' }, () => {})
  const rows = await all((await streamOfTree(source, '', { openTranslator })).rows)
  // only where the date was looked for differs
  const told = JSON.stringify(rows).replaceAll(source.placesOfDates, 'the text, the file name or the git history')
  return JSON.parse(told) as ImportedRow[]
}

async function compareFile(name: string, content: string | Buffer): Promise<void> {
  const folder = newFolder()
  write(folder, name, content)
  const file = fileAt(join(folder, name))
  const source = await browserSource({ root: '', files: [{ path: name, file }], source: 'tree' }, () => {})
  const format = name.endsWith('.csv') ? 'csv' : 'jsonl'
  const rows = await all(streamOfFile(source, format, { name, chunks: () => file.stream() }).rows)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows).toEqual(await rowsOfCommand(join(folder, name)))
}

function fileAt(path: string): File {
  return new File([readFileSync(path)], path)
}

async function all<One>(rows: AsyncIterable<One>): Promise<One[]> {
  const found: One[] = []
  for await (const row of rows) found.push(row)
  return found
}
