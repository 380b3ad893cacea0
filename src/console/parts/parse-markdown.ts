/**
 * Parses Markdown of records, which anybody may have written. The time of the parser grows with the square of some
 * constructs, and drawing goes as deep as the tree: beyond these bounds a text is not parsed.
 */
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

const mostCharacters = 200_000
const mostLines = 3_000
/** Lines without a blank line between them are parsed as a whole. */
const mostLinesTogether = 2_000
/**
 * Of characters with a meaning in Markdown: the square of their number in lines without a blank line between them, all
 * these squares added. Records of well-known projects reach a quarter of it.
 */
const mostMarksSquared = 5_000_000
/** Quotes and lists within each other that begin on one line. */
const mostOpenedAtOnce = 12
const mostIndentation = 100
const mostDepth = 60

/** undefined: it is to be shown as it is. */
export function parseMarkdown(text: string): Root | undefined {
  if (text.length > mostCharacters || isCostly(text.split(/\r\n?|\n/))) return undefined
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  return isDeep(tree) ? undefined : tree
}

function isCostly(lines: readonly string[]): boolean {
  if (lines.length > mostLines) return true
  let [together, marks, squares] = [0, 0, 0]
  for (const line of lines) {
    const isBlank = line.trim() === ''
    const more = count(line, /[*_[\]!`<&|~\\]/g)
    together = isBlank ? 0 : together + 1
    squares += more * (2 * marks + more)
    marks = isBlank ? 0 : marks + more
    if (together > mostLinesTogether || squares > mostMarksSquared || nestsMuch(line)) return true
  }
  return false
}

function nestsMuch(line: string): boolean {
  const [opened = ''] = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/.exec(line) ?? []
  return opened.search(/\S/) > mostIndentation || count(opened, /[>*+-]|\d+[.)]/g) > mostOpenedAtOnce
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

function isDeep(tree: Root): boolean {
  const open: [node: Nodes, depth: number][] = [[tree, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next
    if (depth > mostDepth) return true
    if ('children' in node) for (const child of node.children) open.push([child, depth + 1])
  }
  return false
}
