/**
 * Translates reStructuredText to Markdown, so that records in both formats are read by the same rules. Nothing is fetched
 * or included: directives that name other files are left out.
 */
import { type RstNode, RstSection } from 'rst-compiler'
import type { Translated } from '../format.ts'
import { printBlock } from './blocks.ts'
import { printInline } from './inline.ts'
import { type Line, type Printer, spaced } from './lines.ts'
import { referencesIn } from './references.ts'
import { blocksOf, tidied } from './syntax.ts'

/** Throws if the parser does. A hostile text may take it very long. */
export function fromRestructuredText(source: string): Translated {
  const text = tidied(source)
  const sources = text.split('\n')
  const blocks = blocksOf(text)
  const references = referencesIn(blocks)
  const printer: Printer = {
    blocks: (nodes) => spaced(nodes.map((node) => printBlock(node, printer))),
    inline: (nodes) => printInline(nodes, references),
    piece: (piece) => printer.blocks(blocksOf(tidied(piece))),
    levelOf: levelsIn(blocks, sources),
    footnote: (label) => references.footnote(label),
    source: ({ source: { startLineIdx, endLineIdx } }) => sources.slice(startLineIdx, endLineIdx).join('\n'),
  }
  const lines = withoutRuleAtStart(printer.blocks(blocks))
  return {
    markdown: lines.map(({ text }) => `${text}\n`).join(''),
    lines: lines.map(({ from }) => from + 1),
    labels: references.labels,
  }
}

/**
 * Levels in the order in which their styles appear. `===` above and below a title is another style than `===` below. If
 * several titles have the first style, none is the title of the document: their level is 2.
 */
function levelsIn(blocks: readonly RstNode[], lines: readonly string[]): (section: RstSection) => number {
  const styleOf = ({ source: { startLineIdx, endLineIdx } }: RstSection) => {
    const mark = lines[endLineIdx - 1]?.trim()[0] ?? ''
    return endLineIdx - startLineIdx > 2 ? mark + mark : mark
  }
  const all = blocks.filter((block) => block instanceof RstSection).map(styleOf)
  const styles = [...new Set(all)]
  const hasTitle = all.filter((style) => style === styles[0]).length === 1
  return (section) => {
    const at = styles.indexOf(styleOf(section))
    return (at < 0 ? styles.length : at) + (hasTitle ? 1 : 2)
  }
}

/** A rule above everything would be in the way of the title. */
function withoutRuleAtStart(lines: readonly Line[]): Line[] {
  const first = lines.findIndex(({ text }) => text !== '' && text !== '***')
  return first < 0 ? [] : lines.slice(first)
}
