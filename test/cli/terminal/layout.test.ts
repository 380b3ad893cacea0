import { PassThrough } from 'node:stream'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { layoutOn } from '../../../src/cli/terminal/layout.ts'
import { markdownOn } from '../../../src/cli/terminal/markdown.ts'
import { inLine, plain, table, terminalOf } from '../../../src/cli/terminal/terminal.ts'

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
const faint = (text: string) => `\u001b[2m${text}\u001b[22m`

/** A terminal on a stream with the properties of a TTY. */
function screen(columns: number, colours: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, hasColors: () => colours })
  return terminalOf(stream, new PassThrough(), false)
}

describe('wrapping of lines', () => {
  it('a long line is wrapped to the width and indented under its first line', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    expect(wrap('one two three four five six', '- ', '  ')).toBe('- one two three four\n  five six')
    expect(wrap('one\n\ntwo', '  ')).toBe('  one\n\n  two')
  })

  it('lines are not wrapped if the output is not a terminal', () => {
    const { wrap, strong } = layoutOn({ width: undefined, isStyled: false })
    const long = 'word '.repeat(100).trim()
    expect(wrap(strong(long), '- ')).toBe(`- ${long}`)
  })

  it('a URL longer than the width is not broken', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    const url = 'https://example.com/a/very/long/path'
    expect(wrap(`see ${url} there`)).toBe(`see\n${url}\nthere`)
  })

  it('text in scripts without spaces is broken between its characters, which take two columns', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    const lines = wrap('東京オフィスの賃貸契約は三月末に終了します').split('\n')
    expect(lines).toEqual(['東京オフィスの賃貸契', '約は三月末に終了しま', 'す'])
    expect(lines.map((line) => stringWidth(line))).toEqual([20, 20, 2])
  })

  it('styles and combining marks take no column', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: true })
    const word = bold('e\u0301te\u0301')
    expect(wrap(`${word} ${word} ${word} ${word} ${word} ${word}`).split('\n')).toHaveLength(2)
    expect(wrap(`${word} ${word} ${word} ${word} ${word}`).split('\n')).toHaveLength(1)
  })

  it('columns of a table are aligned by the columns that their text takes', () => {
    const rows = [
      ['東京', 'one'],
      ['Bern', 'two'],
      ['👩‍💻', 'three'],
    ]
    expect(table(rows)).toBe('東京  one\nBern  two\n👩‍💻    three')
    expect(
      table(
        [
          ['é', '1'],
          ['e', '10'],
        ],
        1,
      ),
    ).toBe('é   1\ne  10')
  })

  it('the width is that of the terminal, between 20 and 100, and undefined without a terminal', () => {
    expect(screen(60, true)).toMatchObject({ width: 60, isStyled: true })
    expect(screen(400, false)).toMatchObject({ width: 100, isStyled: false })
    expect(screen(3, true).width).toBe(20)
    const piped = terminalOf(new PassThrough(), new PassThrough(), false)
    expect(piped).toMatchObject({ width: undefined, isStyled: false })
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 60, hasColors: () => true })
    expect(terminalOf(stream, stream, true)).toMatchObject({ width: undefined, isStyled: false, isInteractive: false })
  })
})

describe('Markdown on a terminal', () => {
  const markdown = [
    '# What to know',
    '',
    '- **Use Go** (2026-01-31) [1]',
    '  It is known \\[well\\] to all who work here',
    '- Accept **this**? `judgment:1*2*3`',
    '',
    '[1]: https://example.com/1 "Use Go"',
    '',
  ].join('\n')

  it('Markdown is styled and wrapped, with its citations', () => {
    expect(markdownOn(screen(30, true), markdown).split('\n')).toEqual([
      bold('What to know'),
      '',
      `- ${bold('Use Go')} (2026-01-31) [1]`,
      '  It is known [well] to all',
      '  who work here',
      `- Accept ${bold('this')}? judgment:1*2*3`,
      '',
      '[1] Use Go',
      `    ${faint('https://example.com/1')}`,
    ])
  })

  it('Markdown keeps its markup without colours, and is unchanged outside a terminal', () => {
    expect(markdownOn(screen(100, false), markdown)).toContain('# What to know\n\n- **Use Go** (2026-01-31) [1]\n')
    expect(markdownOn(terminalOf(new PassThrough(), new PassThrough(), false), markdown)).toBe(markdown.trimEnd())
  })
})

describe('control characters in records', () => {
  const hostile = 'a\u001b]0;owned\u0007\u001b[31mb\u009b2Jc\u202ed\u2066e\re\u0000\u007f'

  it('printed text contains no control characters', () => {
    for (const text of [plain(hostile), inLine(hostile), markdownOn(screen(40, false), hostile)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches what must not be printed
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    expect(plain('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
    expect(inLine(' one\r\n two\u2028three ')).toBe('one two three')
  })

  it('printed JSON contains no control characters and parses to the same value', async () => {
    const stream = new PassThrough()
    terminalOf(stream, new PassThrough(), true).printJson({ text: hostile })
    const written = String(stream.read())
    expect(written).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(JSON.parse(written)).toEqual({ text: hostile })
  })
})
