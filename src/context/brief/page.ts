/** A page of Markdown with numbered citations. */
import { namedRecord } from '../../records/named.ts'
import { firstSourceOf, type Presenting, type SourceResponse, sourcesOfAll } from '../../records/present.ts'
import type { Envelope } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { inLine } from './in-line.ts'

/** Of a record's own title behind its link, in code points: the line that cites it has told it. */
const longestOrigin = 80

export interface Page {
  /** Its number: the same for the same record. */
  numberOf(record: Envelope): number
  /** `[3]` */
  cite(record: Envelope): string
  line(text: string): void
  /** Nothing where there are no lines. */
  section(heading: string, lines: readonly string[], note?: string): void
  /** In the order of the numbers; the Markdown has at its end what they stand for: links. */
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
    line: (text) => void blocks.push(text),
    section(heading, lines, note) {
      if (lines.length > 0) blocks.push(`## ${heading}`, ...(note ? [note] : []), lines.join('\n'))
    },
    async finished() {
      const records = [...cited.values()]
      const citations = await sourcesOfAll(records, presenting)
      const firsts = await Promise.all(records.map((record) => firstSourceOf(record, presenting)))
      const links = citations.flatMap((source, at) => {
        return linkOf(source, originOf(records[at] as Envelope, firsts[at], source), at + 1)
      })
      const markdown = `${[...blocks, ...(links.length > 0 ? [links.join('\n')] : [])].join('\n\n')}\n`
      return { markdown, citations }
    },
  }
}

/** A file of a repository, or what its first source is called; else its own title. */
function originOf(
  { workspace }: Envelope,
  first: SourceResponse | undefined,
  { title = '', provenance }: SourceResponse,
): string {
  if (provenance.class === 'repo') return provenance.path
  // the title of another record would be taken for that of this one
  const named = first && namedRecord(first, workspace) === undefined ? first.title : undefined
  return named ?? cut(title, longestOrigin)
}

/** What it was taken from stands in the title. */
function linkOf({ url }: SourceResponse, origin: string, number: number): string[] {
  return url === undefined ? [] : [`[${number}]: ${url} "${inLine(origin).replace(/"/g, "'")}"`]
}
