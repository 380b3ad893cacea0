import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { describe, expect, it } from 'vitest'
import { inLine } from '../../../src/context/brief/text/in-line.ts'

/** A page as a brief writes it, with the text at each place where a brief shows texts of records. */
function pageWith(text: string): Nodes[] {
  const told = inLine(text)
  const lines = [
    `# ${told}`,
    `- **${told}** (2026-01-01) [1]\n  ${told}\n  Why: ${told}\n- ${told} (2026-01-01) [2]`,
    `[1]: http://precedent.test/1 "${told.replace(/"/g, "'")}"\n[2]: http://precedent.test/2 "two"`,
  ]
  return nodesOf(
    fromMarkdown(`${lines.join('\n\n')}\n`, {
      extensions: [gfmTable()],
      mdastExtensions: [gfmTableFromMarkdown()],
    }),
  )
}

function nodesOf(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])]
}

/** Every node except text and code in a line. */
function structureOf(text: string): string[] {
  const plain = new Set(['text', 'inlineCode'])
  return pageWith(text).flatMap((node) => {
    if (plain.has(node.type)) return []
    if (node.type === 'linkReference') return [`[${node.identifier}]`]
    if (node.type === 'definition') return [`[${node.identifier}]: ${node.url}`]
    return [node.type]
  })
}

const expected = structureOf('Harmless.')

const pieces = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '`',
    '``',
    '```',
    '~',
    '~~~',
    '*',
    '**',
    '_',
    '__',
    '\\',
    '!',
    '#',
    '##',
    '-',
    '---',
  ],
  ...[
    '+',
    '=',
    '===',
    '|',
    ':',
    '1.',
    '2)',
    '&',
    '&#91;',
    '&lt;',
    '"',
    "'",
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    '\r',
    '    ',
  ],
  ...['word', 'a', 'é', '1', '2', '[1]', '[2]', '[1]: ', '[^1]', 'http://evil.test', '<b>', '<!--', '-->', ']('],
]

describe('a text of a record in a line of Markdown', () => {
  it('becomes text or code only: no citation, link, heading, item, rule, fence, table or markup', () => {
    expect(expected.filter((node) => node.startsWith('['))).toEqual([
      '[1]',
      '[2]',
      '[1]: http://precedent.test/1',
      '[2]: http://precedent.test/2',
    ])
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((some) => some.join(''))
    fc.assert(
      fc.property(text, (one) => {
        fc.pre(one.trim() !== '')
        expect(structureOf(one)).toEqual(expected)
      }),
      { numRuns: 1_500 },
    )
  })

  it.each([
    ['[7][2]', '(7)(2)'],
    ['see \\[2\\] and [ 3 ]', 'see (2) and (3)'],
    ['[click](http://evil.test)', '\\[click\\](http://evil.test)'],
    ['\\[click\\](http://evil.test)', '\\[click\\](http://evil.test)'],
    ['```[click](http://evil.test)`', "'\\[click\\](http://evil.test)'"],
    ['a `list[0]` of <T>', 'a `list[0]` of \\<T\\>'],
    ['snake_case and __init__', 'snake_case and \\_\\_init\\_\\_'],
    ['2 * 3, ~5 and AT&T', '2 * 3, ~5 and AT&T'],
    ['C:\\temp\\', 'C:\\temp\\\\'],
    ['1. first\n2. second', '1\\. first 2. second'],
    ['right\u202eleft\u0007', 'rightleft'],
  ])('writes %j as %j', (text, told) => {
    expect(inLine(text)).toBe(told)
  })
})
