import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { columnsOf, layoutOn } from '../../src/cli/layout.ts'
import { markdownOn } from '../../src/cli/markdown.ts'
import { inLine, plain, terminalOf } from '../../src/cli/terminal.ts'

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
const faint = (text: string) => `\u001b[2m${text}\u001b[22m`

/** A stream that says what a terminal says of itself. */
function screen(columns: number, colours: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, hasColors: () => colours })
  return terminalOf(stream, new PassThrough(), false)
}

describe('lines on a terminal', () => {
  it('end before its width, and go on under the text of the first', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    expect(wrap('one two three four five six', '- ', '  ')).toBe('- one two three four\n  five six')
    expect(wrap('one\n\ntwo', '  ')).toBe('  one\n\n  two')
  })

  it('stay one where no terminal shows them', () => {
    const { wrap, strong } = layoutOn({ width: undefined, isStyled: false })
    const long = 'word '.repeat(100).trim()
    expect(wrap(strong(long), '- ')).toBe(`- ${long}`)
  })

  it('leave whole what is copied, however long it is', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    const url = 'https://example.com/a/very/long/path'
    expect(wrap(`see ${url} there`)).toBe(`see\n${url}\nthere`)
  })

  it('break between characters of scripts without spaces, which take two columns', () => {
    const { wrap } = layoutOn({ width: 20, isStyled: false })
    const lines = wrap('東京オフィスの賃貸契約は三月末に終了します').split('\n')
    expect(lines).toEqual(['東京オフィスの賃貸契', '約は三月末に終了しま', 'す'])
    expect(lines.map(columnsOf)).toEqual([20, 20, 2])
  })

  it('count neither styles nor marks', () => {
    expect(columnsOf(`${bold('e\u0301te\u0301')}`)).toBe(3)
  })

  it('are as wide as the terminal, within bounds, and without one not wrapped', () => {
    expect(screen(60, true)).toMatchObject({ width: 60, isStyled: true })
    expect(screen(400, false)).toMatchObject({ width: 100, isStyled: false })
    expect(screen(3, true).width).toBe(20)
    const piped = terminalOf(new PassThrough(), new PassThrough(), false)
    expect(piped).toMatchObject({ width: undefined, isStyled: false })
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 60, hasColors: () => true })
    expect(terminalOf(stream, stream, true)).toMatchObject({ width: undefined, isStyled: false, isWatched: false })
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

  it('is styled and wrapped, with its citations', () => {
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

  it('keeps its signs without colours, and elsewhere is what it is', () => {
    expect(markdownOn(screen(100, false), markdown)).toContain('# What to know\n\n- **Use Go** (2026-01-31) [1]\n')
    expect(markdownOn(terminalOf(new PassThrough(), new PassThrough(), false), markdown)).toBe(markdown.trimEnd())
  })
})

describe('texts of others', () => {
  const hostile = 'a\u001b]0;owned\u0007\u001b[31mb\u009b2Jc\u202ed\u2066e\re\u0000\u007f'

  it('keep nothing that drives a terminal', () => {
    for (const text of [plain(hostile), inLine(hostile), markdownOn(screen(40, false), hostile)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    expect(plain('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
    expect(inLine(' one\r\n two\u2028three ')).toBe('one two three')
  })

  it('are the same values in JSON, and drive nothing there either', async () => {
    const stream = new PassThrough()
    terminalOf(stream, new PassThrough(), true).printJson({ text: hostile })
    const written = String(stream.read())
    expect(written).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(JSON.parse(written)).toEqual({ text: hostile })
  })
})
