import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decisionOf, outcomesOf } from '../../src/import/adr/decision.ts'
import { findDate } from '../../src/import/adr/metadata/dates.ts'
import { parseAdr } from '../../src/import/adr/parse.ts'

/** Lines of real records. The tests combine them in random order. */
const pieces = fc.constantFrom(
  '# 1. Title',
  '## Status',
  '## Decision',
  '## Context and Problem Statement',
  '### Consequences',
  '## Outcome',
  '### Results after (05/02/2018',
  'Failed: x',
  'outcome: [{status: failed}, x]',
  '## Considered Options',
  '**Decision**',
  '* Status: accepted',
  'Date: 2020-02-30',
  'Date: 05/02/2018',
  '- Superseded by [2](0002-x.md)',
  'Supersedes ADR-1',
  '---',
  'status: {a | b}',
  '{',
  '[',
  '](',
  '| a | b |',
  '|---|---|',
  '```',
  '<!--',
  '-->',
  '> > >',
  '1. one',
  '- [ ] x',
  '&amp;',
  '\\',
  '\u0000',
  '\ud800',
  '\u2028',
  '🎉',
  '決定',
  'x'.repeat(400),
  '\t',
  ' '.repeat(200),
  '[a]: <b',
  '~~~',
  '***',
  'Chosen option: "one", because',
)
const markdown = fc.oneof(
  fc
    .array(fc.tuple(pieces, fc.constantFrom('\n', '\n\n', ' ', '\r\n', '')), { maxLength: 60 })
    .map((parts) => parts.flat().join('')),
  fc.string({ unit: 'binary', maxLength: 400 }),
)

function inTree(title: string) {
  return {
    externalId: 'a/b.md',
    path: 'a/b.md',
    url: undefined,
    title,
    status: 'accepted' as const,
    decidedAt: undefined,
    supersedes: [],
    supersessionReason: undefined,
    related: [],
  }
}

describe('random Markdown', () => {
  it('never makes the parser throw, and gives a valid decision', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const source = text.replace(/\p{Surrogate}/gu, '\uFFFD')
        const adr = parseAdr(source)
        const notes: string[] = []
        const note = ({ message }: { message: string }) => notes.push(message)
        const decision = decisionOf(adr, inTree(adr.title ?? 'Untitled'), note)
        expect(outcomesOf(adr, inTree('Any'), note)).toHaveLength(adr.outcomes.length)
        expect(notes.filter((message) => message.startsWith('could not be made'))).toEqual([])
        // a section of invisible characters alone is refused
        if (decision === undefined) expect(source).toMatch(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{DI}\u2800]/u)
        else expect(decision.judgment.length).toBeGreaterThan(0)
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same result with other line ends and with a byte order mark', () => {
    const trees = fileURLToPath(new URL('./trees/', import.meta.url))
    for (const file of readdirSync(trees, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.md') || !existsSync(join(trees, file))) continue
      const text = readFileSync(join(trees, file), 'utf8')
      expect(parseAdr(`\uFEFF${text.replaceAll('\n', '\r\n')}`), file).toEqual(parseAdr(text))
    }
  })
})

describe('dates', () => {
  it.each([
    ['2023-9-15', '2023-09-15'],
    ['10/04/18', '2018-04-10'],
    ['09.04.2018', '2018-04-09'],
    ['September 20, 2024', '2024-09-20'],
    ['20th of September 2024', '2024-09-20'],
    ['3. März 2021', '2021-03-03'],
    ['le 1er août 2021', '2021-08-01'],
    ['3 de março de 2021', '2021-03-03'],
    ['2021年3月3日', '2021-03-03'],
    ['2026-07-18（PoC を経て 2026-07-20 承認）', '2026-07-18'],
    ['2024/05/18', '2024-05-18'],
    ['20240518', '2024-05-18'],
    ['2021-03', '2021-03-01'],
    ['Accepted on 2021-04-02', '2021-04-02'],
    ['31/06/2016', '2016-06-01'],
    ['2023-02-30', '2023-02-01'],
  ])('%s is %s', (text, day) => {
    expect(findDate(text)?.iso.slice(0, 10)).toBe(day)
  })

  it.each(['2024-023-2706', '2023-02-32', '32/02/2020', 'YYYY-MM-DD', 'soon', '12345678901', '1.2.3', 'v2020.13.45'])(
    '%s is not a date',
    (text) => {
      expect(findDate(text)).toBeUndefined()
    },
  )

  it('keeps the time of day if the text has one', () => {
    expect(findDate('2020-10-28T10:00:00+02:00')?.iso).toBe('2020-10-28T08:00:00.000Z')
  })

  it('never finds a date that is not in the calendar', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-/. TZ:年月日amyJune'), maxLength: 30 }), (text) => {
        const found = findDate(text)
        if (found) expect(new Date(found.iso).toISOString()).toBe(found.iso)
      }),
    )
  })
})
