import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLog } from '../../src/import/adr/log/decision-log.ts'
import { readSource } from '../../src/import/read.ts'
import { costOf } from '../support/blocked-thread.ts'
import { temporaryFolder } from '../support/clean-up.ts'

const section = (heading: string, decision: string) =>
  `## ${heading}\n\n**Status:** Accepted\n\n**Decision:** ${decision}\n\n`

async function idsIn(text: string): Promise<(string | undefined)[]> {
  const folder = temporaryFolder('precedent-log-')
  writeFileSync(join(folder, 'DECISIONS.md'), text)
  const { items } = await readSource(folder, { source: 'acme', git: false })
  return items.map(({ decision }) => decision.external_id)
}

it('gives a decision of a log the same external id if others are added around it or its title changes', async () => {
  const bread = section('DEC-001: Bread', 'We bake.')
  const cake = section('2024-01-02: Cake', 'We bake cake.')
  expect(await idsIn(bread + cake)).toEqual(['acme/DECISIONS.md#dec-001', 'acme/DECISIONS.md#2024-01-02-cake'])
  const more = section('DEC-002: Tea', 'We brew.')
  expect(await idsIn(`# Decisions\n\n${more}${bread.replace('Bread', 'Rye bread')}${cake}`)).toEqual([
    'acme/DECISIONS.md#dec-002',
    'acme/DECISIONS.md#dec-001',
    'acme/DECISIONS.md#2024-01-02-cake',
  ])
})

it('gives two decisions of a log with the same number different external ids', async () => {
  const twice = section('DEC-001: Bread', 'We bake.') + section('DEC-001: Tea', 'We brew.')
  expect(await idsIn(twice)).toEqual(['acme/DECISIONS.md#dec-001', 'acme/DECISIONS.md#dec-001-2'])
})

it('names the lines of the decisions of a log and of a credential in one', async () => {
  const folder = temporaryFolder('precedent-log-')
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
  const text = `# Decisions\n\n${section('DEC-001: Bread', 'We bake.')}${section('DEC-002: Keys', `We use\n${token}.`)}`
  writeFileSync(join(folder, 'DECISIONS.md'), text)
  const { items, notes } = await readSource(folder, { source: 'acme', git: false })
  expect(items.map(({ file, line }) => [file, line])).toEqual([
    ['DECISIONS.md', 3],
    ['DECISIONS.md', 14],
  ])
  expect(notes.filter(({ message }) => message.startsWith('holds a credential'))).toMatchObject([{ line: 14 }])
})

it('does not date the decisions of a log by the first commit of the file', async () => {
  const folder = temporaryFolder('precedent-log-')
  mkdirSync(join(folder, 'docs'))
  writeFileSync(
    join(folder, 'docs/DECISIONS.md'),
    section('DEC-001: Bread', 'We bake.') + section('DEC-002: Tea', 'We brew.'),
  )
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words])
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x')
  const { items } = await readSource(folder, { source: 'acme' })
  expect(items.map(({ decision }) => decision.decided_at)).toEqual([undefined, undefined])
})

const told = { told: 'name', isRecord: false } as const
const two = (first: string, second: string) => section(first, 'One.') + section(second, 'Two.')

it.each([
  ['options', two('Option 1: Buy', 'Option 2: Bake')],
  ['phases', two('Phase 1: Wheat', 'Phase 2: Rye')],
  ['numbered sections', '## 1. Context\n\nIt rains.\n\n## 2. Decision\n\nWe bake.\n\n## 3. Status\n\nAccepted\n'],
  ['changes of the text', two('2024-01-02: Update', '2024-02-03: Amended')],
  ['versions', two('Version 1', 'Version 2')],
  ['decisions below a status of the file', `# Bread\n\nStatus: accepted\n\n${two('D1: Wheat', 'D2: Rye')}`],
  ['sections beside a decision of the file', `# Bread\n\n## Decision\n\nBoth.\n\n${two('D1: Wheat', 'D2: Rye')}`],
  ['decisions beside a context of the file', `# Bread\n\n## Context\n\nRain.\n\n${two('1. Wheat', '2. Rye')}`],
  ['options below a known heading', `# B\n\n## Options\n\n${two('D1: Wheat', 'D2: Rye').replace(/^##/gm, '###')}`],
  ['a single decision', section('DEC-001: Wheat', 'One.')],
  ['headings in code', `\`\`\`\n${two('DEC-001: Wheat', 'DEC-002: Rye')}\`\`\`\n`],
  ['headings in a comment', `<!--\n${two('DEC-001: Wheat', 'DEC-002: Rye')}-->\n`],
])('never divides a file with %s', (_, text) => {
  expect(readLog(text, told).decisions).toEqual([])
})

it.each([
  ['the name of one record', { told: 'folder', isRecord: true }, 'record'],
  ['neither a name nor a folder of decisions', { told: undefined, isRecord: false }, 'untold'],
] as const)('does not divide a file with %s, but tells why', (_, file, why) => {
  const read = readLog(two('DEC-001: Wheat', 'DEC-002: Rye'), file)
  expect([read.decisions, read.whyNot]).toEqual([[], why])
})

it('divides a file that only its folder tells to hold decisions if each section has a status and a decision', () => {
  const file = { told: 'folder', isRecord: false } as const
  expect(readLog(two('1. Wheat', '2. Rye'), file).decisions).toHaveLength(2)
  expect(readLog(two('1. Wheat', '2. Rye').replaceAll('**Status:** Accepted', ''), file).decisions).toEqual([])
})

it('says of a file with the name of a log that its sections do not tell what was decided', () => {
  const read = readLog('# Decisions\n\n## D1. Wheat\n\nIt is dear.\n\n## D2. Rye\n\nIt is cheap.\n', told)
  expect([read.decisions, read.whyNot]).toEqual([[], 'unlabelled'])
})

it('reads a hostile file with very many headings in time', () => {
  const cost = costOf(() => {
    readLog('## D1\n'.repeat(200_000), told)
    readLog(`# ${'#'.repeat(1_000_000)}x\n## D1\n## D2\n${'1'.repeat(1_000_000)}\n`, told)
    readLog(`${'## D1: x\n\nDecision: y\n'.repeat(300)}${'### x\n'.repeat(15_000)}`, told)
  }, 20_000)
  expect(cost).toBeLessThan(20_000)
})
