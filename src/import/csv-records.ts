/** Divides a file of CSV into records, piece by piece. What they mean is read in csv.ts. */
import { CsvError, type Options, type Parser, parse } from 'csv-parse'
import { utf16Of } from '../text/source-text.ts'
import type { RowFile } from './row.ts'

const mostRecordBytes = 4 * 1024 * 1024
/** UTF-16 units. */
const pieceLength = 65_536

export interface CsvRecord {
  record: string[]
  /** The line in which it ends. */
  lines: number
}
type Found = CsvRecord | { skipped: string; line: number }

/** In the order of the file. If the rest of the file is not CSV, throws CsvError after the records before it. */
export async function* recordsIn(file: RowFile): AsyncGenerator<Found> {
  const found: Found[] = []
  let parser: Parser | undefined
  try {
    for await (const text of inPieces(textsOf(file))) {
      parser ??= parserInto(found, delimiterOf(text))
      await fed(parser, text)
      yield* found.splice(0)
    }
    if (parser) await ended(parser)
    yield* found.splice(0)
  } catch (error) {
    if (error instanceof CsvError) yield* found.splice(0)
    throw error
  }
}

/** A parser that adds to `found`, in the order of the file. */
function parserInto(found: Found[], delimiter: string): Parser {
  let tooLong = false
  const options: Options = {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: mostRecordBytes,
    // null: the parser itself gives out no record, so nobody has to read from it
    on_record: (record: string[], { lines }) => {
      found.push({ record, lines })
      return null
    },
    on_skip: (error) => {
      // the parser reports a record that is too long once for each piece of it
      if (error?.code === 'CSV_MAX_RECORD_SIZE' && tooLong) return undefined
      tooLong ||= error?.code === 'CSV_MAX_RECORD_SIZE'
      const line = error && 'lines' in error ? Number(error.lines) : 1
      found.push({ skipped: error?.message ?? 'it is not CSV', line })
      return undefined
    },
  }
  const parser = parse(options)
  // fed() rejects with it
  parser.on('error', () => {})
  return parser
}

function fed(parser: Parser, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(text, 'utf8', (error) => (error ? reject(error) : resolve()))
  })
}

function ended(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject)
    parser.once('end', resolve)
    parser.resume()
    parser.end()
  })
}

/** UTF-8, or UTF-16 if there is a byte order mark of it. */
async function* textsOf(file: RowFile): AsyncGenerator<string> {
  const decoderOf = (first: Uint8Array) => new TextDecoder(utf16Of(first))
  let decoder: ReturnType<typeof decoderOf> | undefined
  for await (const chunk of file.chunks()) {
    decoder ??= decoderOf(chunk)
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

/**
 * Of the same length, however a file is read, because the parser looks where a piece ends whether a record is too long. The
 * first one holds the header.
 */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let kept = ''
  for await (const text of texts) {
    kept += text
    let from = 0
    while (kept.length - from > pieceLength) {
      const to = from + pieceLength
      // not within a character of two units
      const end = /[\ud800-\udbff]/.test(kept.charAt(to - 1)) ? to - 1 : to
      yield kept.slice(from, end)
      from = end
    }
    kept = kept.slice(from)
  }
  if (kept !== '') yield kept
}

/** Comma, semicolon or tab, as the header has it. */
function delimiterOf(text: string): string {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)
  const counts = [',', ';', '\t'].map((mark) => [mark, header.split(mark).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}
