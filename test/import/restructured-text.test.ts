/** How reStructuredText is translated to Markdown. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlocks, plainText, sourceOf } from '../../src/import/adr/document/markdown.ts'
import { fromRestructuredText } from '../../src/import/adr/restructured-text/markdown.ts'

const markdownOf = (text: string) => fromRestructuredText(text).markdown.trimEnd()

describe('titles', () => {
  it('have levels in the order of their styles, with and without a line above', () => {
    expect(markdownOf('=====\nTitle\n=====\n\nOne\n===\n\nTwo\n~~~\n\nThree\n=====\n')).toBe(
      '# Title\n\n## One\n\n### Two\n\n## Three',
    )
  })

  it('have level 2 if several have the first style', () => {
    expect(markdownOf('Status\n======\n\nDraft\n\nContext\n=======\n')).toBe('## Status\n\nDraft\n\n## Context')
  })

  it('are no titles if the line below is shorter than they are and than four marks', () => {
    expect(markdownOf('As before\n...\nand so on\n')).toBe('As before\n...\nand so on')
  })
})

describe('blocks', () => {
  it.each([
    ['a list in a list', '* a\n\n  * b\n  * c\n\n* d\n', '- a\n\n  - b\n  - c\n- d'],
    ['numbers, also automatic ones', '#. a\n#. b\n\n7. c\n', '1. a\n2. b\n\n7. c'],
    ['letters, which the text may refer to', 'A. a\nB. b\n', '- A. a\n- B. b'],
    ['an indented list, which is no quote', 'Text:\n\n  * a\n  * b\n', 'Text:\n\n- a\n- b'],
    ['fields', ':Status: Accepted\n:Deciders: Ada,\n           Bo\n', '- Status: Accepted\n- Deciders: Ada,\n  Bo'],
    ['a field with a list', ':Deciders:\n  - Ada\n  - Bo\n', '- Deciders:\n  - Ada\n  - Bo'],
    ['terms', 'term : kind\n  Text.\n\n  More.\n', '- term (kind)\n\n  Text.\n\n  More.'],
    ['a quote', 'Text.\n\n  Quoted.\n\n  -- Ada\n', 'Text.\n\n> Quoted.\n>\n> — Ada'],
    ['lines', '| a\n| b\n', 'a  \nb'],
    ['code below two colons', 'Run::\n\n  a\n\n    b\n\nText.\n', 'Run:\n\n```\na\n\n  b\n```\n\nText.'],
    ['code below two colons on a line of their own', 'Run\n::\n\n  a\n', 'Run\n\n```\na\n```'],
    ['code with its language', '.. code-block:: python\n   :linenos:\n\n   a\n', '```python\na\n```'],
    ['code with a fence inside', '::\n\n  ```\n  a\n  ```\n', '````\n```\na\n```\n````'],
    ['an admonition', '.. warning:: Not yet.\n\n   Wait.\n', 'Not yet.\n\nWait.'],
    ['an admonition with a title', '.. admonition:: Why\n\n   Because.\n', '**Why**\n\nBecause.'],
    ['a rule', 'a\n\n-----\n\nb\n', 'a\n\n***\n\nb'],
    ['no rule above everything', '-----\n\na\n', 'a'],
    [
      'footnotes',
      'See [1]_ and [#a]_ and [CIT]_.\n\n.. [1] One\n.. [#a] Two\n',
      'See [1] and [1] and [CIT].\n\n[1] One\n[1] Two',
    ],
    ['the content of an unknown directive', '.. box:: name\n\n   Text.\n', 'Text.'],
    ['the text beside an unknown directive', '.. decision:: We use one file.\n', 'We use one file.'],
    ['the options of a record', '.. adr::\n   :status: Draft\n\n   Text.\n', '- status: Draft\n\nText.'],
    [
      'nothing for comments, pictures, targets and lists of pages',
      '.. A comment\n   goes on.\n\n.. image:: a.png\n\n.. _a: b\n\n.. toctree::\n\n   c\n\n.. automodule:: d\n\nText.\n',
      'Text.',
    ],
  ])('%s', (_, text, markdown) => {
    expect(markdownOf(text)).toBe(markdown)
  })

  it.each([
    [
      'a grid',
      '+---+---+\n| a | b |\n+===+===+\n| 1 | x |\n|   | y |\n+---+---+\n',
      '| a | b |\n| --- | --- |\n| 1 | x y |',
    ],
    [
      'a grid with a wide cell',
      '+---+---+\n| a | b |\n+---+---+\n| c     |\n+---+---+\n',
      '|  |  |\n| --- | --- |\n| a | b |\n| c |  |',
    ],
    [
      'a grid with a high cell',
      '+---+---+\n| a | b |\n|   +---+\n|   | c |\n+---+---+\n',
      '|  |  |\n| --- | --- |\n| a | b |\n|  | c |',
    ],
    ['a simple one', '==  ==\na   b\n==  ==\n1   2\n==  ==\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    [
      'a list of rows',
      '.. list-table::\n\n   * - a\n     - b|c\n   * - d\n     - * e\n       * f\n',
      '|  |  |\n| --- | --- |\n| a | b\\|c |\n| d | - e<br>- f |',
    ],
    [
      'CSV',
      '.. csv-table:: Title\n   :header: a, b\n\n   1, "x, **y**"\n',
      '**Title**\n\n| a | b |\n| --- | --- |\n| 1 | x, **y** |',
    ],
    [
      'one with a mistake, as it is written',
      '+---+---+\n| a | b |\n+---+\n| c |\n',
      '```\n+---+---+\n| a | b |\n+---+\n| c |\n```',
    ],
  ])('a table: %s', (_, text, markdown) => {
    expect(markdownOf(text)).toBe(markdown)
  })
})

describe('inline text', () => {
  it.each([
    ['emphasis', '*a* and **b** and ``c`d``', '*a* and **b** and ``c`d``'],
    ['code in bold', '**Use ``a`` now**', '**Use `a` now**'],
    ['a link', '`a b <https://c.d/(e)>`_', '[a b](https://c.d/%28e%29)'],
    [
      'links to targets elsewhere',
      '`A b`_ and c_ and d__\n\n.. _a b: https://a\n.. _c: `a b`_\n__ https://d',
      '[A b](https://a) and [c](https://a) and [d](https://d)',
    ],
    ['a reference with hyphens in its name', 'See a-b-c_.\n\n.. _a-b-c: https://a', 'See [a-b-c](https://a).'],
    ['two labels of one target', 'See a_.\n\n.. _a:\n.. _b: https://b', 'See [a](https://b).'],
    ['a link without a target', '`a`_ b', 'a b'],
    ['a bare URL', 'See https://a.b/c.', 'See https://a.b/c.'],
    ['other pages', ':doc:`a` :doc:`B <../b>` :ref:`c` :ref:`D <d>`', '[a](a.rst) [B](../b.rst) [c](c) [D](d)'],
    [
      'roles',
      ':class:`~a.B` :guilabel:`C` :pep:`8` :strong:`d`',
      '`a.B` C [PEP 8](https://peps.python.org/pep-0008/) **d**',
    ],
    ['single backticks, which people write for code', 'a `b_c` d', 'a `b_c` d'],
    ['substitutions', '|a| |b| |c|\n\n.. |a| replace:: *x*\n.. |b| unicode:: U+2014', '*x* — |c|'],
    ['text without blanks', 'a\\ *b*\\ c', 'a*b*c'],
  ])('%s', (_, text, markdown) => {
    expect(markdownOf(`${text}\n`)).toBe(markdown)
  })

  it('shows the title of a label of the same file', () => {
    expect(markdownOf('.. _top:\n\nTitle\n=====\n\nSee :ref:`top`.\n')).toBe('# Title\n\nSee Title.')
  })
})

describe('plain text', () => {
  it.each([
    ['# a', '\\# a'],
    ['> a', '\\> a'],
    ['a\n===', undefined],
    ['1\\. a', '1\\. a'],
    ['\\- a', '\\- a'],
    ['<password> and a < b', '\\<password> and a < b'],
    ['snake_case and 2 * 3', 'snake_case and 2 * 3'],
    ['&amp; and a & b', '\\&amp; and a & b'],
  ])('keeps its meaning in Markdown: %s', (text, markdown) => {
    if (markdown !== undefined) expect(markdownOf(`${text}\n`)).toBe(markdown)
  })

  it('is the same when the Markdown is read', () => {
    const words = fc.array(
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...'ab1.)#*_`~[]()<>&;|\\!-+=:'), minLength: 1, maxLength: 6 }),
        fc.constantFrom(
          '1.',
          '-',
          '#',
          '##',
          '>',
          '&amp;',
          '<!--',
          '<b>',
          '[a](b)',
          '***',
          '---',
          '![a]',
          'a_b_c',
          '**a**',
          '`a`',
        ),
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(words, (all) => {
        const text = all.join(' ')
        // every mark with a backslash is plain text
        const source = `Text\n\n${text.replace(/[^\s\w]|_/g, '\\$&')}\n`
        const [, paragraph, ...others] = parseBlocks(fromRestructuredText(source).markdown).children
        expect(others).toEqual([])
        expect(paragraph?.type).toBe('paragraph')
        expect(paragraph && plainText(sourceOf(paragraph))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

it('reads tabs as blanks, and line ends of Windows', () => {
  expect(markdownOf('::\n\n\ta\tb\n')).toBe('```\na       b\n```')
  expect(markdownOf('a\r\n\tb\r\n\r\n*\tc\r\n')).toBe('- a\n\n  b\n\n- c')
})

it('tells the line of the source for each line of the Markdown, and the labels above the title', () => {
  const { markdown, lines, labels } = fromRestructuredText(
    '.. _top:\n\nTitle\n=====\n\n:Status: Draft\n\n* a\n  b\n* c\n',
  )
  const places = markdown.split('\n').map((line, at) => [line, lines[at]])
  expect(places.filter(([line]) => line !== '')).toEqual([
    ['# Title', 3],
    ['- Status: Draft', 6],
    ['- a', 8],
    ['  b', 9],
    ['- c', 10],
  ])
  expect(labels).toEqual(['top'])
})
