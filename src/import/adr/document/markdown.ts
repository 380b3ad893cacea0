/**
 * Parses Markdown in two steps: the blocks of a whole file, then inline text and links of short pieces. A hostile file
 * makes inline parsing cost the square of the length, so it is done in short pieces only.
 */
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

/**
 * UTF-16 units and lines that are read of one file. A decision could not contain more anyway, and some constructs cost
 * the parser the square of their number of lines.
 */
export const mostCharacters = 262_144
const mostLines = 5_000
/** UTF-16 units of one piece of inline text. */
const mostInline = 4000
/** Blanks in a row that are kept. The time of a pattern that may begin with blanks grows with the square of their number. */
const mostBlanks = 128
const longBlank = new RegExp(`[^\\S\\n]{${mostBlanks},}`, 'gu')
/** List or quote marks that are kept at the beginning of a line. Twice as many nested marks take four times as long to parse. */
const mostMarks = 24

const inlineConstructs = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
]
const blockConstructs = [
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'headingAtx',
  'htmlFlow',
  'list',
  'setextUnderline',
  'thematicBreak',
]

export interface Link {
  url: string
  text: string
}

/** A text without Markdown. A link is `\uE000<index>\uE001` in `marked`, and the text of the link in `plain`. */
export interface Inline {
  plain: string
  marked: string
  links: Link[]
}

export type Definitions = ReadonlyMap<string, string>

/** The text within the limits, with line ends and headings that the parser understands. `cut`: it was too long. */
export function bounded(text: string): { text: string; cut: boolean } {
  const lines = text.slice(0, mostCharacters).replace(/\r\n?/g, '\n').split('\n')
  const kept = lines.slice(0, mostLines).map(boundedLine)
  return { text: kept.join('\n'), cut: text.length > mostCharacters || lines.length > mostLines }
}

export function parseBlocks(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmTable(), { disable: { null: inlineConstructs } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  })
}

/** The source of a block from `parseBlocks`, without the marks of lists and quotes around it. */
export function sourceOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'code' || node.type === 'html') return node.value
  if (node.type === 'break') return '\n'
  if (!('children' in node)) return ''
  const between = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell' ? '' : '\n'
  return node.children.map((child) => sourceOf(child as Nodes)).join(between)
}

/** Offsets of a node in the parsed text. */
export function span(node: Nodes): [number, number] {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
}

/** The line in the file. `linesBefore`: lines of the file before the parsed text. */
export function lineOf(node: Nodes, linesBefore: number): number {
  return (node.position?.start.line ?? 1) + linesBefore
}

export function definitionsOf(root: Root): Definitions {
  const definitions = new Map<string, string>()
  const open: Nodes[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition') definitions.set(node.identifier.toLowerCase(), node.url)
    else if ('children' in node) open.push(...(node.children as Nodes[]))
  }
  return definitions
}

export function parseInline(source: string, definitions: Definitions = new Map()): Inline {
  const piece = source
    .slice(0, mostInline)
    .replace(/[\uE000\uE001]/g, '')
    .replace(/(?<!\\)<!--.*?(?:-->|$)/gs, '')
  // most pieces have no Markdown, and the parser is the most expensive step of the import
  if (!/[\\`*_[\]<>&!]/.test(piece)) return { plain: piece.trim(), marked: piece.trim(), links: [] }
  const known = [...piece.matchAll(/\[([^[\]]{1,200})\]/g)].flatMap(([, label = '']) => {
    const url = definitions.get(label.toLowerCase())
    return url === undefined || /[<>\s]/.test(url) ? [] : [`[${label}]: <${url}>`]
  })
  const root = fromMarkdown([piece.trim(), '', ...known.slice(0, 50)].join('\n'), {
    extensions: [{ disable: { null: blockConstructs } }],
  })
  const urls = definitionsOf(root)
  const links: Link[] = []
  const plain = flatten(root, urls, undefined).trim()
  const marked = flatten(root, urls, links).trim()
  return { plain, marked, links }
}

/** The text of a piece without Markdown, on one line. */
export function plainText(source: string, definitions?: Definitions): string {
  return parseInline(source, definitions).plain.replace(/\s+/gu, ' ').trim()
}

function boundedLine(line: string): string {
  const shorter = line.replace(longBlank, (blanks) => blanks.slice(0, mostBlanks))
  const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/.exec(shorter)?.[0] ?? ''
  const count = marks === '' ? 0 : (marks.match(/[>*+-]|\d+[.)]/g)?.length ?? 0)
  // treat a no-break space after `#` as a space
  return (count > mostMarks ? shorter.slice(marks.length) : shorter).replace(/^(#{1,6})[\u00a0\u3000]/, '$1 ')
}

function flatten(node: Nodes, urls: Definitions, links: Link[] | undefined): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value
    case 'break':
      return '\n'
    case 'image':
    case 'imageReference':
      return node.alt ?? ''
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value) ? '\n' : ''
    case 'definition':
      return ''
    case 'link':
    case 'linkReference': {
      const text = node.children.map((child) => flatten(child, urls, undefined)).join('')
      if (links === undefined) return text
      const url = node.type === 'link' ? node.url : (urls.get(node.identifier.toLowerCase()) ?? '')
      links.push({ url, text })
      return `\uE000${links.length - 1}\uE001`
    }
    default:
      return 'children' in node ? node.children.map((child) => flatten(child as Nodes, urls, links)).join('') : ''
  }
}

/** Joins texts as paragraphs, without the empty ones. */
export function joined(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
