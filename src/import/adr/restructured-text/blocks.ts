/** Prints the blocks of reStructuredText as Markdown. */
import {
  RstBlockquote,
  RstBlockquoteAttribution,
  RstBulletList,
  RstBulletListItem,
  RstCitationDef,
  RstComment,
  RstDefinitionList,
  RstDefinitionListItem,
  RstDirective,
  RstDoctestBlock,
  RstEnumeratedList,
  RstFieldList,
  RstFieldListItem,
  RstFootnoteDef,
  RstHyperlinkTarget,
  RstLineBlock,
  RstLiteralBlock,
  type RstNode,
  RstOptionListItem,
  RstParagraph,
  RstSection,
  RstSubstitutionDef,
  RstTable,
  RstTransition,
} from 'rst-compiler'
import { printDirective } from './directives.ts'
import { codeSpan, escaped, escapedStart, withoutListMark } from './escape.ts'
import { fenced, type Line, linesOf, type Printer, prefixed, spaced } from './lines.ts'
import { printTable } from './tables.ts'

/** Empty: the block is not shown. */
export function printBlock(node: RstNode, printer: Printer): Line[] {
  const from = node.source.startLineIdx
  if (node instanceof RstSection) return printSection(node, printer)
  if (node instanceof RstParagraph) return printParagraph(node, printer)
  if (node instanceof RstBulletList || node instanceof RstEnumeratedList) return printList(node, printer)
  if (node instanceof RstFieldList) return printItems(node.children, printer)
  if (node instanceof RstDefinitionList) return spaced(node.children.map((item) => printItem(item, '-', printer)))
  if (node instanceof RstBlockquote) return printQuote(node, printer)
  if (node instanceof RstBlockquoteAttribution) return linesOf(`— ${printer.inline(node.children).trim()}`, from)
  if (node instanceof RstLiteralBlock) return fenced(node.textContent, '', from)
  if (node instanceof RstDoctestBlock) return fenced(node.textContent, 'python', from)
  if (node instanceof RstLineBlock) return printLineBlock(node, printer)
  if (node instanceof RstTable) return printTable(node, printer)
  if (node instanceof RstDirective) return printDirective(node, printer)
  if (node instanceof RstTransition) return [{ text: '***', from }]
  if (node instanceof RstFootnoteDef || node instanceof RstCitationDef) {
    const body = printer.blocks(node.children)
    return prefixed(body, `[${escaped(printer.footnote(node.label))}] `, '')
  }
  if (node instanceof RstComment || node instanceof RstHyperlinkTarget || node instanceof RstSubstitutionDef) return []
  // groups of footnotes and options
  return node.children.length > 0 && !node.children.some((child) => child.isInlineNode)
    ? printItems(node.children, printer)
    : linesOf(printer.inline(node.children).trim(), from)
}

function printSection(node: RstSection, printer: Printer): Line[] {
  const title = printer.inline(node.children).replace(/\s+/g, ' ').trim()
  if (title === '') return []
  // Markdown takes `#` at the end as a part of the heading's mark
  const text = `${'#'.repeat(Math.min(printer.levelOf(node), 6))} ${title.replace(/#+$/, (marks) => `\\${marks}`)}`
  return [{ text, from: node.source.startLineIdx }]
}

function printParagraph(node: RstParagraph, printer: Printer): Line[] {
  const text = printer.inline(node.children)
  // `::` announces code. Alone, or after a blank, it is not shown at all
  const shown = node.rawTextContent.endsWith('::') ? text.replace(/(?:^|\s+)::$/, '').replace(/::$/, ':') : text
  const hasEscape = /^\s*(?:\d+\\[.)]|\\[-+*\d])/.test(node.rawTextContent)
  return linesOf(shown, node.source.startLineIdx)
    .map(({ text, from }, at) => {
      // Markdown would take a line with much indentation as code
      const line = escapedStart(text.trim())
      return { text: at === 0 && hasEscape ? withoutListMark(line.replace(/^\\(?=[-+*](?:\s|$))/, '')) : line, from }
    })
    .filter(({ text }) => text !== '')
}

function printList(node: RstBulletList | RstEnumeratedList, printer: Printer): Line[] {
  const items = node.children.map((item, at) => {
    const bullet = item instanceof RstBulletListItem ? item.bullet : '-'
    if (!(node instanceof RstEnumeratedList)) return printItem(item, '-', printer)
    if (/^(?:\d{1,9}|#)$/.test(bullet)) return printItem(item, `${bullet === '#' ? at + 1 : bullet}.`, printer)
    // Markdown has no lists with letters, but the text may refer to them
    return prefixed(prefixed(printer.blocks(item.children), `${bullet}. `, ''), '- ')
  })
  const isLoose = node.children.some(
    ({ children }) => children.filter((child) => child instanceof RstParagraph).length > 1,
  )
  return isLoose ? spaced(items) : items.flat()
}

function printItem(node: RstNode, mark: string, printer: Printer): Line[] {
  const from = node.source.startLineIdx
  if (node instanceof RstDefinitionListItem) {
    const kinds = node.classifiers.map((one) => printer.inline(one).trim()).filter((one) => one !== '')
    const term = [printer.inline(node.term).trim(), ...kinds.map((kind) => `(${kind})`)].join(' ')
    return prefixed(spaced([linesOf(term, from), printer.blocks(node.definition)]), `${mark} `)
  }
  const body = printer.blocks(node.children)
  return prefixed(body.length === 0 ? [{ text: '', from }] : body, `${mark} `)
}

/** Fields as `- Name: value`, which is how metadata is read best. */
function printItems(nodes: readonly RstNode[], printer: Printer): Line[] {
  return nodes.flatMap((node) => {
    const from = node.source.startLineIdx
    if (node instanceof RstFieldListItem) {
      const name = `${printer.inline(node.name).trim()}:`
      const body = printer.blocks(node.body)
      const isText = node.body[0] instanceof RstParagraph
      return prefixed(isText ? prefixed(body, `${name} `, '') : [{ text: name, from }, ...body], '- ')
    }
    if (node instanceof RstOptionListItem) {
      const names = node.options.map(({ name, delimiter = '', rawArgName = '' }) => name + delimiter + rawArgName)
      return prefixed(prefixed(printer.blocks(node.children), `${codeSpan(names.join(', '))}: `, ''), '- ')
    }
    return printBlock(node, printer)
  })
}

function printQuote(node: RstBlockquote, printer: Printer): Line[] {
  const body = printer.blocks(node.children)
  // an indented list is a quote by mistake
  const isList = node.children.every((child) => child instanceof RstBulletList || child instanceof RstEnumeratedList)
  return isList ? body : prefixed(body, '> ', '> ')
}

/** Two blanks at the end of a line keep the next one apart. */
function printLineBlock(node: RstLineBlock, printer: Printer): Line[] {
  const lines = node.children.flatMap((line): Line[] =>
    line instanceof RstLineBlock
      ? printLineBlock(line, printer)
      : [{ text: escapedStart(printer.inline(line.children).trim()), from: line.source.startLineIdx }],
  )
  return lines.filter(({ text }) => text !== '').map(({ text, from }) => ({ text: `${text.trimEnd()}  `, from }))
}
