/** Finds the symbols and chunks of one file. */
import type { ParsedFile } from '../../../ports/code-parser.ts'
import { sourceText } from '../../../text/source-text.ts'
import { chunksOf } from '../analysis/chunks.ts'
import { type Found, foundIn } from '../analysis/found.ts'
import { rescued } from '../analysis/rescue.ts'
import { skipReason } from '../analysis/skip.ts'
import { type SourceLines, sourceLines } from '../analysis/source-lines.ts'
import { sqlSymbols } from '../analysis/sql.ts'
import { symbolsOf } from '../analysis/symbols.ts'
import { languageOf } from '../language-of.ts'
import type { Language } from '../languages/language.ts'
import { grammarFor } from '../languages/languages.ts'
import type { Request } from '../messages.ts'
import { grammarOf } from './grammars.ts'

/** μs of processor time for parsing a file. Time on the clock depends on what else runs. */
const mostTime = 2_000_000
/** Bytes of the whole process. A tree takes some 50 bytes for each byte of its file. */
const mostMemory = 768 * 1024 * 1024
/** Matches of a query that are open at a time. More are only in generated files, and make the query slow. */
const matchLimit = 4_096
/** Calls of the progress callback between two looks at time and memory, which cost system calls. */
const lookEvery = 64

class OutOfTime extends Error {}

/** Rejects if the parser broke. The process must not be used any more then. */
export async function parseFile({ path, bytes, cpp }: Omit<Request, 'id'>): Promise<ParsedFile> {
  const skipped = skipReason(bytes)
  const named = languageOf(path) ?? languageOf(path, firstLine(bytes))
  const name = named === 'c' && cpp && /\.h$/i.test(path) ? 'cpp' : named
  const nothing: ParsedFile = { ...(name !== undefined && { language: name }), symbols: [], chunks: [] }
  if (skipped !== undefined) return { ...nothing, skipped }
  const text = sourceText(bytes)
  if (text === undefined) return { ...nothing, skipped: 'not_utf8' }
  const lines = sourceLines(text)
  try {
    const language = name === undefined ? undefined : grammarFor(name, path)
    const symbols = language ? await symbolsIn(text, lines, language) : name === 'sql' ? sqlSymbols(lines) : []
    return { ...nothing, symbols, chunks: chunksOf(symbols, lines) }
  } catch (error) {
    if (error instanceof OutOfTime) return { ...nothing, skipped: 'timeout' }
    throw error
  }
}

async function symbolsIn(text: string, lines: SourceLines, language: Language): Promise<ParsedFile['symbols']> {
  const found = matched(text, await grammarOf(language))
  const known = symbolsOf(found, language, lines, text)
  const more = rescued(found.errors, language.lines, known, lines)
  return more.length === 0 ? known : [...known, ...more].sort((a, b) => a.start - b.start || b.end - a.end)
}

function matched(text: string, { parser, query }: Awaited<ReturnType<typeof grammarOf>>): Found {
  const progressCallback = limit()
  const tree = parser.parse(text, null, { progressCallback })
  if (tree === null) {
    // the next file must not continue this one
    parser.reset()
    throw new OutOfTime()
  }
  try {
    let isCancelled = false
    const matches = query.matches(tree.rootNode, {
      matchLimit,
      progressCallback: () => {
        isCancelled = progressCallback()
        return isCancelled
      },
    })
    if (isCancelled) throw new OutOfTime()
    return foundIn(matches, text)
  } finally {
    tree.delete()
  }
}

/** Returns true once the time or the memory of a file is used up. */
function limit(): () => boolean {
  const before = process.cpuUsage()
  let calls = 0
  let isOver = false
  return () => {
    calls += 1
    if (calls % lookEvery !== 0 || isOver) return isOver
    const { user, system } = process.cpuUsage(before)
    isOver = user + system > mostTime || process.memoryUsage.rss() > mostMemory
    return isOver
  }
}

function firstLine(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return undefined
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return start.split('\n', 1)[0]
}
