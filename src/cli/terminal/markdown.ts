/** Lays out Markdown of the service on a terminal. Elsewhere, Markdown is printed as it is. */
import { layoutOn } from './layout.ts'
import { plain, type Terminal } from './terminal.ts'

export function markdownOn(terminal: Terminal, markdown: string): string {
  const text = plain(markdown).trimEnd()
  if (terminal.width === undefined) return text
  const lines = text.split('\n')
  return lines.map((line) => shown(line, terminal)).join('\n')
}

function shown(line: string, terminal: Terminal): string {
  const { wrap, strong, faint } = layoutOn(terminal)
  const inline = (text: string) => (terminal.isStyled ? withStyles(text, strong) : text)
  const heading = /^#{1,6} (.*)$/.exec(line)
  if (heading) return wrap(terminal.isStyled ? strong(heading[1] as string) : line)
  const link = /^(\[\d+\]): (\S+) "(.*)"$/.exec(line)
  if (link) {
    const [, number = '', url = '', title = ''] = link
    const margin = ' '.repeat(number.length + 1)
    return `${wrap(inline(title), `${number} `, margin)}\n${margin}${faint(url)}`
  }
  const [, margin = '', sign = '', rest = ''] = /^(\s*)(- )?(.*)$/.exec(line) ?? []
  return wrap(inline(rest), margin + sign, margin + ' '.repeat(sign.length))
}

/**
 * Keeps inline code as it is. Outside of it, turns bold into a style and removes the backslash of escaped characters.
 */
function withStyles(text: string, strong: (text: string) => string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`.+`$/.test(part)
        ? part.slice(1, -1)
        : part.replace(/\*\*(.+?)\*\*/g, (_, bold: string) => strong(bold)).replace(/\\([!-/:-@[-`{-~])/g, '$1'),
    )
    .join('')
}
