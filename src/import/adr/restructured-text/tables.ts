/** Prints tables as Markdown. A cell is one line there, so its lines are joined with `<br>`. */
import { parse } from 'csv-parse/sync'
import { type RstDirective, type RstNode, type RstTable, RstTableCell } from 'rst-compiler'
import { fenced, type Line, type Printer } from './lines.ts'

export interface TextRow {
  cells: Line[][]
  from: number
}

/** Columns of a table that are printed. */
const mostColumns = 100
/** Rows and columns together, with those that a cell spans. */
const mostCells = 20_000

export function printTable(node: RstTable, printer: Printer): Line[] {
  const rows = [...node.headRows, ...node.bodyRows]
  const from = node.source.startLineIdx
  const printed = printRows(spreadOut(rows, printer), node.headRows.length, from)
  const source = printer.source(node)
  // the parser drops cells of a table whose borders have mistakes
  const isTable = /^\s*(?:\+[-=+]+|=+(?: +=+)*)$/.test(source.split('\n', 1)[0] ?? '')
  const isWhole = lettersIn(printed.map(({ text }) => text).join('')) >= lettersIn(source) * leastKept
  return isWhole || !isTable ? printed : fenced(source, '', from)
}

const lettersIn = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
/** Of the letters of a table: names of roles are not printed. */
const leastKept = 0.7

/** Adds empty cells where a cell spans more columns or rows. */
function spreadOut(rows: readonly RstNode[], printer: Printer): TextRow[] {
  /** By column: the rows below that are taken by a cell above. */
  const taken: number[] = []
  return rows.map((row) => {
    const cells: Line[][] = []
    const skip = () => {
      while ((taken[cells.length] ?? 0) > 0 && cells.length < mostColumns) {
        taken[cells.length] = (taken[cells.length] ?? 0) - 1
        cells.push([])
      }
    }
    for (const cell of row.children) {
      skip()
      const [columns, below] = cell instanceof RstTableCell ? [cell.colSpan, cell.rowSpan - 1] : [1, 0]
      for (let at = 0; at < columns && cells.length < mostColumns; at++) {
        taken[cells.length] = below
        cells.push(at === 0 ? printer.blocks(cell.children) : [])
      }
    }
    skip()
    return { cells, from: row.source.startLineIdx }
  })
}

/** `heads`: rows of the header. Markdown has exactly one: more are joined, and without one it is empty. */
export function printRows(rows: readonly TextRow[], heads: number, from: number): Line[] {
  const columns = Math.min(mostColumns, Math.max(0, ...rows.map(({ cells }) => cells.length)))
  if (columns === 0) return []
  const texts = rows.slice(0, Math.trunc(mostCells / columns)).map(({ cells, from }) => ({
    cells: Array.from({ length: columns }, (_, at) => cellText(cells[at] ?? [])),
    from,
  }))
  const head = texts.slice(0, heads)
  const titles = Array.from({ length: columns }, (_, at) =>
    head
      .map(({ cells }) => cells[at] ?? '')
      .filter((text) => text !== '')
      .join('<br>'),
  )
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    { text: row(titles), from: head[0]?.from ?? from },
    { text: row(titles.map(() => '---')), from: head[0]?.from ?? from },
    ...texts.slice(heads).map(({ cells, from }) => ({ text: row(cells), from })),
  ]
}

function cellText(lines: readonly Line[]): string {
  const texts = lines.map(({ text }) => text.trim())
  // two blanks at its end keep a line apart from the next one
  const isApart = (at: number) => texts[at] === '' || lines[at]?.text.endsWith('  ') || texts[at]?.startsWith('```')
  // lines of one paragraph belong together; paragraphs and items of lists do not
  const joined = texts.reduce((all, text, at) => {
    if (text === '') return all
    const isNew = isApart(at - 1) || /^(?:[-+*]|\d{1,9}[.)])\s/.test(text)
    return all === '' ? text : `${all}${isNew ? '<br>' : ' '}${text}`
  }, '')
  return joined.replace(/(?<!\\)\|/g, '\\|')
}

/** Rows of CSV. If it has mistakes, each line is one cell. */
export function csvRows(
  { rawBodyText: text, source }: RstDirective,
  { header, delimiter = ',' }: { header: string | undefined; delimiter: string | undefined },
  printer: Printer,
): TextRow[] {
  const whole = header === undefined ? text : `${header}\n${text}`
  const named = { tab: '\t', space: ' ' }[delimiter] ?? delimiter
  let rows: string[][]
  try {
    rows = parse(whole, { delimiter: named, relax_column_count: true, relax_quotes: true, trim: true })
  } catch {
    // csv-parse throws CsvError
    rows = whole.split('\n').map((line) => [line])
  }
  return rows.map((cells) => ({ cells: cells.map((cell) => printer.piece(cell)), from: source.startLineIdx }))
}
