/** Builds a page of Markdown with numbered citations. */
import { namedRecord } from '../../records/named.ts'
import { firstSourceOf, type Presenting, type SourceResponse, sourcesOfAll } from '../../records/present/present.ts'
import type { Envelope } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { inLine } from './in-line.ts'

/** Code points of a record's own title in its link; the line that cites it shows the title already. */
const longestOrigin = 80

export interface Page {
  /** The citation number of a record; each record has one. */
  numberOf(record: Envelope): number
  /** `[3]` */
  cite(record: Envelope): string
  line(text: string): void
  /** Writes nothing if there are no lines. */
  section(heading: string, lines: readonly string[], note?: string): void
  /** The Markdown, which ends in the links of the citations, and the citations in the order of their numbers. */
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

/** The path in a repository, else the title of the first source, else the record's own title. */
function originOf(
  { workspace }: Envelope,
  first: SourceResponse | undefined,
  { title = '', provenance }: SourceResponse,
): string {
  if (provenance.class === 'repo') return provenance.path
  // the title of another record could be mistaken for the title of this one
  const named = first && namedRecord(first, workspace) === undefined ? first.title : undefined
  return named ?? cut(title, longestOrigin)
}

/** A link definition whose title names the origin of the record. */
function linkOf({ url }: SourceResponse, origin: string, number: number): string[] {
  return url === undefined ? [] : [`[${number}]: ${url} "${inLine(origin).replace(/"/g, "'")}"`]
}
