import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSource } from '../../src/import/read.ts'
import { dialects, differencesIn } from './dialects.ts'

it.each(dialects)('reads the dialect “%s” as a person does', async (dialect) => {
  expect(await differencesIn(dialect)).toEqual([])
})

it('names the line of the source for a record that is written as a list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const list = ['* **Context**: Fog.', '* **Decision**: We ring.', '* **Consequences**: Noise.', '* **Status**: Foggy']
  writeFileSync(join(folder, 'adr-001-bell.md'), ['# Bell', '', ...list, ''].join('\n'))
  const { notes } = await readSource(folder, { git: false })
  expect(notes).toContainEqual({
    file: 'adr-001-bell.md',
    line: 6,
    message: 'the status "Foggy" is not a known one: taken as proposed',
  })
})

it('names the line of a credential, and none for a placeholder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'credential-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const record = (token: string) => `# Tokens\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use\n${token}.\n`
  writeFileSync(join(folder, 'adr-001-real.md'), record(`ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`))
  writeFileSync(join(folder, 'adr-002-example.md'), record('https://app:<token>@git.corp.net'))
  const { items, notes } = await readSource(folder, { git: false })
  expect(items.map(({ file, line }) => [file, line])).toEqual([
    ['adr-001-real.md', 10],
    ['adr-002-example.md', 1],
  ])
  expect(notes.filter(({ message }) => message.startsWith('holds a credential'))).toMatchObject([
    { file: 'adr-001-real.md', line: 10 },
  ])
})

it.each([
  ['tags: [mill, sack #23]\ndate: 2021-06-07', 3, '“ #” in a list'],
  ['date: 2021-06-07\nowner: `bo`', 4, 'a value begins with “`”'],
  ['date: 2021-06-07\nowner: bo: miller', 4, 'front matter is not YAML: read line by line'],
])('names the line of the fault in the front matter %j', async (lines, line, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'front-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'adr-001-rye.md'),
    `---\nstatus: accepted\n${lines}\n---\n\n# Rye\n\n## Decision\n\nRye.\n`,
  )
  const { notes } = await readSource(folder, { git: false })
  expect(notes).toEqual([{ file: 'adr-001-rye.md', line, message: expect.stringContaining(message) }])
})
