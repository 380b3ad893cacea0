/** Prints directives of reStructuredText as Markdown: the content of those that hold text, and tables and code. */
import { RstBulletList, type RstDirective, RstEnumeratedList, type RstNode, RstParagraph } from 'rst-compiler'
import { codeDirectives, droppedDirectives, titledDirectives, untitledDirectives } from './directive-names.ts'
import { fenced, type Line, linesOf, type Printer, spaced } from './lines.ts'
import { csvRows, printRows, type TextRow } from './tables.ts'

/** Words beside the name of an unknown directive. Fewer are the name of a module, a file or a setting. */
const fewestWords = 3

export function printDirective(node: RstDirective, printer: Printer): Line[] {
  const name = node.directive
  const from = node.source.startLineIdx
  if (droppedDirectives.has(name)) return []
  if (codeDirectives.has(name)) return printCode(node, from)
  if (name === 'list-table') return spaced([titleOf(node, printer), printListTable(node, printer)])
  if (name === 'csv-table') {
    const header = option(node, 'header')
    const rows = csvRows(node, { header, delimiter: option(node, 'delim') }, printer)
    return spaced([titleOf(node, printer), printRows(rows, header === undefined ? headerRows(node) : 1, from)])
  }
  if (titledDirectives.includes(name)) return spaced([titleOf(node, printer), printer.blocks(node.children)])
  if (metadata.some((field) => option(node, field) !== undefined)) return printRecord(node, printer)
  const [first, ...content] = node.children
  const isName = first instanceof RstParagraph && first.source.startLineIdx === from
  const known = admonitions.test(name)
  if (known || !isName || first.textContent.trim().split(/\s+/).length >= fewestWords) {
    return printer.blocks(node.children)
  }
  return printer.blocks(content)
}

/** Options of a directive that describes a record, as in `.. adr::`. */
const metadata = ['status', 'date', 'decision-date']

/** A directive of an extension for decision records: its options are the metadata of the record. */
function printRecord(node: RstDirective, printer: Printer): Line[] {
  return spaced([node.config ? printer.blocks([node.config]) : [], printer.blocks(node.children)])
}

const admonitions =
  /^(?:attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo|versionadded|versionchanged|deprecated|epigraph|highlights|pull-quote|compound|centered)$/

function titleOf(node: RstDirective, printer: Printer): Line[] {
  const title = untitledDirectives.has(node.directive)
    ? ''
    : printer
        .blocks(node.initContent)
        .map(({ text }) => text)
        .join(' ')
        .trim()
  if (title === '') return []
  const isMarked = /[*_`[\]]/.test(title)
  return linesOf(isMarked ? title : `**${title}**`, node.source.startLineIdx)
}

function printCode(node: RstDirective, from: number): Line[] {
  const name = node.directive
  const beside = node.initContent
    .map(({ textContent }) => textContent)
    .join(' ')
    .trim()
  const takesLanguage = name === 'code' || name === 'code-block' || name === 'sourcecode'
  const language = takesLanguage ? (/^[\w+#.-]{1,30}/.exec(beside)?.[0] ?? '') : name === 'parsed-literal' ? '' : name
  const body = takesLanguage || node.rawBodyText !== '' ? node.rawBodyText : beside
  return fenced(body, language === 'prompt' ? '' : language, from)
}

function option(node: RstDirective, name: string): string | undefined {
  for (const field of node.config?.children ?? []) {
    if ('nameText' in field && field.nameText === name && 'bodyText' in field) return String(field.bodyText)
  }
  return undefined
}

const headerRows = (node: RstDirective) => Number.parseInt(option(node, 'header-rows') ?? '0', 10) || 0

/** A list of rows, each of which is a list of cells. */
function printListTable(node: RstDirective, printer: Printer): Line[] {
  const [list] = node.children
  if (!(list instanceof RstBulletList)) return printer.blocks(node.children)
  const rows = list.children.map((row): TextRow => {
    const cells = row.children.find((child) => child instanceof RstBulletList || child instanceof RstEnumeratedList)
    const texts = (cells?.children ?? [row]).map((cell: RstNode) => printer.blocks(cell.children))
    return { cells: texts, from: row.source.startLineIdx }
  })
  return printRows(rows, headerRows(node), node.source.startLineIdx)
}
