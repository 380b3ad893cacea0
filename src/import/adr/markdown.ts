/**
 * Markdown as the import needs it: blocks of a whole file, and the inline text and links of short pieces. Two steps,
 * because a file is hostile: inline constructs cost the square of their length, so they are parsed only in pieces.
 */
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

/**
 * Of one file, in UTF-16 units and lines: beyond it nothing could be kept in a decision anyway, and some constructs cost
 * the parser the square of their lines.
 */
export const mostCharacters = 262_144
const mostLines = 5_000
/** Of one piece of inline text, in UTF-16 units. */
const mostInline = 4000
/** Blanks before a line, and list or quote marks in front of one: nesting costs the square of its depth. */
const mostIndent = 128
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

/** A text without its marks; a link in it is `\uE000<index>\uE001` in `marked` and its text in `plain`. */
export interface Inline {
  plain: string
  marked: string
  links: Link[]
}

export type Definitions = ReadonlyMap<string, string>

/** The text within its bounds, line ends and headings as Markdown wants them, and whether something was left out. */
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

/** Text of a block parsed by `parseBlocks`: its source without the marks of lists and quotes around it. */
export function sourceOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'code' || node.type === 'html') return node.value
  if (node.type === 'break') return '\n'
  if (!('children' in node)) return ''
  const between = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell' ? '' : '\n'
  return node.children.map((child) => sourceOf(child as Nodes)).join(between)
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
    .replace(/<!--.*?(?:-->|$)/gs, '')
  // most pieces have no marks at all, and the parser costs more than all else
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

/** The text of a piece alone, on one line. */
export function plainText(source: string, definitions?: Definitions): string {
  return parseInline(source, definitions).plain.replace(/\s+/gu, ' ').trim()
}

function boundedLine(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
  const shorter = indent > mostIndent ? line.slice(indent - mostIndent) : line
  const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/.exec(shorter)?.[0] ?? ''
  const count = marks === '' ? 0 : (marks.match(/[>*+-]|\d+[.)]/g)?.length ?? 0)
  // a no-break space after the marks of a heading is meant as a space
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

/** As paragraphs; those that are empty are left out. */
export function joined(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
