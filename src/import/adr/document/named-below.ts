/** Finds the title of a record that begins with its metadata: `# Meta` above `- Name: Use one file`, or only the list. */
import type { Root, RootContent } from 'mdast'
import type { SectionKind } from './dictionary.ts'
import { lineOf, plainText, sourceOf, span } from './markdown.ts'

/** What is read here of the heading (headings.ts). */
interface Heading {
  kind: SectionKind | null
  start: number
  bodyStart: number
}

interface Entry {
  source: string
  line: number
}

/** Entries below the heading that are searched. */
const mostEntries = 20
/** With fewer labels, it may be running text. */
const fewestLabelled = 2
const label = /^[*_`]*\p{L}[\p{L} ()/._-]{1,40}[*_`]*\s*[:：]/u
const name =
  /^[*_`]*(?:(?:feature )?name|title|titel|titre|t[ií]tulo|titolo|标题|タイトル|제목)[*_`]*\s*[:：][*_`]*\s*(\S.*)$/iu

export function namedBelow(heading: Heading, root: Root, linesBefore: number): (Entry & { end: number }) | undefined {
  if (heading.kind !== 'metadata' && heading.kind !== 'context') return undefined
  const { start, bodyStart } = heading
  const blocks = root.children.filter(({ type }) => type !== 'definition' && type !== 'html')
  const [first] = blocks
  const isAbove = first !== undefined && span(first)[0] < start
  const found = namedIn(isAbove ? first : blocks.find((block) => span(block)[0] >= bodyStart), linesBefore)
  return found && { ...found, end: isAbove ? 0 : bodyStart }
}

function namedIn(block: RootContent | undefined, linesBefore: number): Entry | undefined {
  const entries = block ? entriesOf(block, linesBefore).slice(0, mostEntries) : []
  if (entries.filter(({ source }) => label.test(source)).length < fewestLabelled) return undefined
  for (const { source, line } of entries) {
    const found = name.exec(source)?.[1]
    if (found !== undefined) return { source: plainText(found), line }
  }
  return undefined
}

/** The items of a list, the rows of a table and the lines of a paragraph. */
function entriesOf(block: RootContent, linesBefore: number): Entry[] {
  const first = lineOf(block, linesBefore)
  if (block.type === 'paragraph')
    return sourceOf(block)
      .split('\n')
      .map((source, at) => ({ source: source.trim(), line: first + at }))
  if (block.type === 'list')
    return block.children.map((item) => ({
      source: sourceOf(item).split('\n', 1)[0] ?? '',
      line: lineOf(item, linesBefore),
    }))
  if (block.type === 'table')
    return block.children.map((row) => ({
      source: row.children.slice(0, 2).map(sourceOf).join(': '),
      line: lineOf(row, linesBefore),
    }))
  return []
}
