/** Builds a page of Markdown with numbered citations. */
import { type Presenting, type SourceResponse, sourcesOfAll } from '../../../records/present/present.ts'
import type { Envelope } from '../../../records/record.ts'

export interface Page {
  /** The citation number of a record; each record has one. */
  numberOf(record: Envelope): number
  /** `[3]` */
  cite(record: Envelope): string
  /** Whether it has a number so far. `id`: its record_id. */
  isCited(id: string): boolean
  line(text: string): void
  /** Writes nothing if there are no lines. */
  section(heading: string, lines: readonly string[], note?: string): void
  /** Characters written so far. */
  length(): number
  /** The Markdown, and the citations in the order of their numbers. */
  finished(): Promise<{ markdown: string; citations: SourceResponse[] }>
}

export function newPage(presenting: Presenting): Page {
  const cited = new Map<string, Envelope>()
  const blocks: string[] = []
  const numberOf = (record: Envelope) => {
    if (!cited.has(record.record_id)) cited.set(record.record_id, record)
    return [...cited.keys()].indexOf(record.record_id) + 1
  }
  return {
    numberOf,
    cite: (record) => `[${numberOf(record)}]`,
    isCited: (id) => cited.has(id),
    line: (text) => void blocks.push(text),
    section(heading, lines, note) {
      if (lines.length > 0) blocks.push(`## ${heading}`, ...(note ? [note] : []), lines.join('\n'))
    },
    length: () => blocks.reduce((sum, block) => sum + block.length + 2, 0),
    async finished() {
      const citations = await sourcesOfAll([...cited.values()], presenting)
      const markdown = `${[...blocks, ...toldNumbers(citations.length)].join('\n\n')}\n`
      return { markdown, citations }
    },
  }
}

/** The links would be half of the page. */
function toldNumbers(count: number): string[] {
  if (count === 0) return []
  return [
    `${count === 1 ? 'The number [1] is the entry' : `The numbers [1] to [${count}] are the entries`} of \`citations\`.`,
  ]
}
