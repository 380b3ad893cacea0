/** Splits a part of a Markdown file into its lines. */
import type { Nodes, Table } from 'mdast'
import { byWord, fieldWords, wordKey } from './dictionary.ts'
import { type AdrDocument, blocksIn } from './document.ts'
import { lineOf, sourceOf, span } from './markdown.ts'

/** A line of a paragraph, list item or quote, or a row of a table. */
export interface Unit {
  source: string
  line: number
  offset: number
  /** It continues the paragraph or list item of the line before. */
  continues: boolean
  /** It is in a quotation. */
  quoted?: true
  /** The number of lists around it, if it is in one. */
  lists?: number
  /** It begins an item of a list. */
  isItem?: true
}

/** The lines between two offsets, without the marks of lists, quotes and tables. */
export function unitsBetween(document: AdrDocument, start: number, end: number): Unit[] {
  const units: Unit[] = []
  for (const block of blocksIn(document, start, end)) {
    if (block.type !== 'heading')
      collectUnits(block, document.linesBefore, units, { depth: 0, lists: 0, isQuoted: false })
  }
  return units
}

/** Around a node. `depth`: nodes. `lists`: lists. */
interface Around {
  depth: number
  lists: number
  isQuoted: boolean
}

function collectUnits(node: Nodes, linesBefore: number, units: Unit[], around: Around): void {
  const { depth, lists, isQuoted } = around
  if (depth > 20) return
  const place = { ...(isQuoted && { quoted: true as const }), ...(lists > 0 && { lists }) }
  if (node.type === 'paragraph' || node.type === 'heading') {
    const offset = span(node)[0]
    const first = lineOf(node, linesBefore)
    for (const [at, line] of sourceOf(node).split('\n').entries()) {
      for (const [part, source] of line.split(/<br\s*\/?>/i).entries()) {
        if (source.trim() !== '') {
          units.push({ source: source.trim(), line: first + at, offset, continues: at > 0 && part === 0, ...place })
        }
      }
    }
  } else if (node.type === 'table') collectRows(node, linesBefore, units)
  else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
    const within = {
      depth: depth + 1,
      lists: lists + (node.type === 'list' ? 1 : 0),
      isQuoted: isQuoted || node.type === 'blockquote',
    }
    const before = units.length
    for (const child of node.children) collectUnits(child, linesBefore, units, within)
    const first = node.type === 'listItem' ? units[before] : undefined
    if (first?.lists === lists) first.isItem = true
  }
}

const labels = byWord(fieldWords)
const isLabel = (cell: string) => labels.has(wordKey(cell))
/** `| Created | Status |` above their values. In `| Status | Accepted |` above `| Date | … |`, each row has its own label. */
const areLabels = (header: readonly string[], [first = '']: readonly string[]) =>
  header.every(isLabel) && !isLabel(first)

/**
 * Reads each row of a table as `label: value`: the first cell is the label. If there is only one row below the header,
 * reads each column instead: the header is the label.
 */
function collectRows(table: Table, linesBefore: number, units: Unit[]): void {
  const rows = table.children.map((row) => row.children.map((cell) => sourceOf(cell).trim()))
  const offset = span(table)[0]
  const [header = [], second] = rows
  const push = (label: string, value: string, line: number) => {
    if (label !== '' || value !== '') {
      units.push({ source: label === '' ? value : `${label}: ${value}`, line, offset, continues: false })
    }
  }
  if (rows.length === 2 && second && (header.length > 2 || areLabels(header, second))) {
    for (const [at, label] of header.entries()) push(label, second[at] ?? '', lineOf(table, linesBefore) + 2)
    return
  }
  for (const [at, row] of table.children.entries()) {
    const [label = '', ...values] = rows[at] ?? []
    push(label, values.filter((value) => value !== '').join(', '), lineOf(row, linesBefore))
  }
}
