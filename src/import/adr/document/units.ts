/** Splits a part of a Markdown file into its lines. */
import type { Nodes, Table } from 'mdast'
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
}

/** The lines between two offsets, without the marks of lists, quotes and tables. */
export function unitsBetween(document: AdrDocument, start: number, end: number): Unit[] {
  const units: Unit[] = []
  for (const block of blocksIn(document, start, end)) {
    if (block.type !== 'heading') collectUnits(block, document.linesBefore, units)
  }
  return units
}

function collectUnits(node: Nodes, linesBefore: number, units: Unit[], depth = 0, isQuoted = false): void {
  if (depth > 20) return
  const quoted = isQuoted ? { quoted: true as const } : {}
  if (node.type === 'paragraph' || node.type === 'heading') {
    const offset = span(node)[0]
    const first = lineOf(node, linesBefore)
    for (const [at, line] of sourceOf(node).split('\n').entries()) {
      for (const [part, source] of line.split(/<br\s*\/?>/i).entries()) {
        if (source.trim() !== '') {
          units.push({ source: source.trim(), line: first + at, offset, continues: at > 0 && part === 0, ...quoted })
        }
      }
    }
  } else if (node.type === 'table') collectRows(node, linesBefore, units)
  else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
    const within = isQuoted || node.type === 'blockquote'
    for (const child of node.children) collectUnits(child, linesBefore, units, depth + 1, within)
  }
}

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
  if (rows.length === 2 && header.length > 2 && second) {
    for (const [at, label] of header.entries()) push(label, second[at] ?? '', lineOf(table, linesBefore) + 2)
    return
  }
  for (const [at, row] of table.children.entries()) {
    const [label = '', ...values] = rows[at] ?? []
    push(label, values.filter((value) => value !== '').join(', '), lineOf(row, linesBefore))
  }
}
