import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseMarkdown } from '../../src/console/parts/parse-markdown.ts'

/** What the parser would need many seconds for, or what can't be drawn. */
it.each([
  ['quotes within each other', '> '.repeat(10_000)],
  ['lists within each other', '1. '.repeat(7_000)],
  [
    'lists within each other, each on a line of its own',
    Array.from({ length: 140 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n'),
  ],
  [
    'lists within each other, without much indentation',
    Array.from({ length: 48 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n'),
  ],
  ['emphasis within emphasis', '**a '.repeat(2_500) + ' a**'.repeat(2_500)],
  ['emphasis that overlaps', '*a_'.repeat(6_000)],
  ['many paragraphs of emphasis that overlaps', `${'*a_'.repeat(700)}\n\n`.repeat(90)],
  ['images within images', '!['.repeat(4_000) + '](b)'.repeat(2_000)],
  ['a paragraph of many lines', `> a\n${'b\n'.repeat(10_000)}`],
  ['more text than anybody reads', 'a '.repeat(150_000)],
])('shows as it is: %s', (_, text) => {
  expect(parseMarkdown(text)).toBe(undefined)
})

it('parses a long record with tables, lists and code', () => {
  for (const folder of ['docs', 'docs/decisions']) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
      expect(parseMarkdown(readFileSync(join(folder, file), 'utf8'))?.children, file).not.toEqual([])
    }
  }
  const code = `\`\`\`json\n${'  "name": ["value"],\n'.repeat(1_000)}\`\`\`\n`
  expect(parseMarkdown(code)?.children).toMatchObject([{ type: 'code' }])
})
