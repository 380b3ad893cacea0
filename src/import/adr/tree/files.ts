/** Reads the files of a folder that are decision records, and says why the others are none. */
import { findSecret } from '../../../secrets/find.ts'
import { posix } from '../../../text/posix.ts'
import { mostTotalBytes } from '../../files/bounds.ts'
import type { FileText, Folder } from '../../files/folder.ts'
import { otherFormat, type Reading } from '../../files/reading.ts'
import type { Source } from '../../files/source.ts'
import { translatedFormatOf } from '../format.ts'
import { type DecisionLog, readLog, type WhyNotDivided } from '../log/decision-log.ts'
import { type ParsedAdr, parseAdr } from '../parse.ts'
import { atSourceLines } from '../source-lines.ts'
import type { Translator } from '../translated/translator.ts'
import type { Read } from './dates.ts'
import {
  hasNumber,
  isLoose,
  isRecordFile,
  logFileOf,
  looksLikeRecord,
  recordFile,
  unfilledOf,
  whyNoDecision,
} from './kind.ts'

/** `only`: read only this file of the folder. Adds to `reading` why a file is not read, or no decision. */
export async function readFiles(
  source: Source,
  folder: string,
  { openTranslator, only }: { openTranslator(): Translator; only: string | undefined },
  reading: Reading,
): Promise<Read[]> {
  const given = source.root
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(-1)
  const inFolder = folder === '' ? [] : folder.split('/')
  const foldersOf = (path: string) => [...given, ...inFolder, ...path.split('/').slice(0, -1)]
  const opened = source.folder(folder)
  const wanted = (path: string) => {
    const [folders, name] = [foldersOf(path), posix.basename(path)]
    return isRecordFile(folders, name) || looksLikeRecord(folders, name)
  }
  const walked = only === undefined ? await opened.walk(wanted) : { files: [only], notes: [] }
  const atRoot = (path: string) => (folder === '' ? path : `${folder}/${path}`)
  for (const { file, message } of walked.notes) reading.notes.push({ file: atRoot(file), line: 1, message })
  const translator = openTranslator()
  try {
    const read = await readRecords(
      walked.files,
      { opened, translator, atRoot, foldersOf, isOnly: only !== undefined },
      reading,
    )
    return withoutLoose(read, reading)
  } finally {
    await translator.close()
  }
}

interface At {
  opened: Folder
  translator: Translator
  atRoot(file: string): string
  foldersOf(file: string): string[]
  /** The user gave this file, not a folder. */
  isOnly: boolean
}

async function readRecords(files: readonly string[], at: At, reading: Reading): Promise<Read[]> {
  const { opened, translator, atRoot, foldersOf, isOnly } = at
  const read: Read[] = []
  let total = 0
  for (const file of files) {
    const path = atRoot(file)
    if (!isRecordFile(foldersOf(file), posix.basename(file))) {
      reading.notDecisions.push({ file: path, reason: otherFormat })
      continue
    }
    const found =
      total > mostTotalBytes
        ? { refused: 'not read, because the files of this import have too much text: import it alone' }
        : await opened.read(file)
    if ('refused' in found) {
      reading.notes.push({ file: path, line: 1, message: found.refused })
      continue
    }
    total += found.bytes
    if (found.replaced)
      reading.notes.push({ file: path, line: 1, message: 'not all of it is UTF-8: the other bytes were replaced' })
    const parsed = await parsedFile(file, found, translator)
    if ('refused' in parsed) {
      reading.notDecisions.push({ file: path, reason: parsed.refused })
      continue
    }
    const name = posix.basename(file)
    const log = readLog(parsed.markdown, logFileOf(foldersOf(file), name, isOnly))
    if (log.decisions.length > 0) {
      read.push(...(await decisionsIn(path, log, parsed, reading)))
      continue
    }
    const { adr, labels } = parsed
    const reason = whyNoDecision(foldersOf(file), name, adr)
    if (log.whyNot) reading.notes.push({ file: path, line: 1, message: seemsLog(log.whyNot, reason) })
    if (reason !== undefined) reading.notDecisions.push({ file: path, reason })
    else
      read.push({
        path,
        file: path,
        adr,
        title: titleOf(path, adr, reading),
        labels,
        secretLine: await secretLineIn(path, found.text, reading),
      })
  }
  return read
}

const remedyOf: Record<WhyNotDivided, string> = {
  untold: 'import this file alone, or move them to a file such as DECISIONS.md',
  record: 'give the file a name without a number, such as decisions.md',
  large: 'divide it into files of at most 1,000',
  unlabelled: 'below each heading with a number, say what was decided, for example “**Decision:** …”',
}

/** A note about a file that was not divided. `reason`: why it was not imported as one decision either. */
const seemsLog = (why: WhyNotDivided, reason: string | undefined) =>
  `it seems to hold several decisions: ${reason === undefined ? 'imported as one' : 'not imported'}. To import each, ${remedyOf[why]}`

async function decisionsIn(
  file: string,
  { decisions, leftOut }: DecisionLog,
  { lines }: Parsed,
  reading: Reading,
): Promise<Read[]> {
  const read: Read[] = []
  const lineOf = (line: number) => (lines === undefined ? line : (lines[line - 1] ?? 1))
  for (const { line, heading } of leftOut) {
    const message = `no decision and no status below ${JSON.stringify(heading.slice(0, 100))}: not imported`
    reading.notes.push({ file, line: lineOf(line), message })
  }
  for (const { anchor, slug, labels, adr, text, line } of decisions) {
    const path = `${file}#${anchor}`
    const unfilled = unfilledOf(adr, false)
    if (adr.title === undefined || unfilled.length > 0) {
      reading.notDecisions.push({ file: path, reason: 'template' })
      continue
    }
    const secretLine = await secretLineIn(file, text, reading, line - 1)
    read.push({
      path,
      file,
      inLog: { slug, line: lineOf(line) },
      adr: lines === undefined ? adr : atSourceLines(adr, lines),
      title: adr.title,
      labels,
      secretLine,
    })
  }
  return read
}

interface Parsed extends Pick<Read, 'adr' | 'labels'> {
  markdown: string
  /** By line of `markdown`, from 0: the line of the source. undefined: they are the same. */
  lines?: readonly number[]
}

async function parsedFile(
  file: string,
  { text }: Extract<FileText, { text: string }>,
  translator: Translator,
): Promise<Parsed | { refused: string }> {
  const name = posix.basename(file)
  const format = translatedFormatOf(file)
  if (format === undefined) return { adr: parseAdr(text, name), labels: [], markdown: text.replace(/\r\n?/g, '\n') }
  const translated = await translator.translate(text, format)
  if ('refused' in translated) return translated
  const { markdown, lines, labels } = translated
  return { adr: atSourceLines(parseAdr(markdown, name), lines), labels, markdown, lines }
}

/** With fewer decisions, their names say nothing about the habits of the team. */
const fewestNumbered = 3

/** Leaves out loose files if the team numbers its records: if nine of ten files that say what was decided have a number. */
function withoutLoose(read: Read[], reading: Reading): Read[] {
  const decided = read.filter(({ adr, inLog }) => adr.signs.hasDecision && !inLog)
  const numbered = decided.filter(({ path }) => hasNumber(path))
  if (numbered.length < fewestNumbered || numbered.length < decided.length * 0.9) return read
  const loose = new Set(read.filter(({ path, adr, inLog }) => !inLog && isLoose(path, adr)).map(({ path }) => path))
  for (const file of loose) reading.notDecisions.push({ file, reason: 'no signs of a decision' })
  reading.notes = reading.notes.filter(({ file }) => !loose.has(file))
  return read.filter(({ path }) => !loose.has(path))
}

async function secretLineIn(
  file: string,
  text: string,
  reading: Reading,
  linesBefore = 0,
): Promise<number | undefined> {
  const found = await findSecret([{ place: file, text }])
  if (!found) return undefined
  const { kind } = found
  const line = found.line + linesBefore
  const remedy = 'remove it, or write a placeholder such as <password>'
  reading.notes.push({ file, line, message: `holds a credential (${kind}), so the service will refuse it: ${remedy}` })
  return line
}

function titleOf(path: string, adr: ParsedAdr, reading: Reading): string {
  if (adr.title !== undefined) return adr.title
  const base = posix.basename(path).replace(recordFile, '')
  const name = /^(?:index|readme|documentation)$/i.test(base) ? posix.basename(posix.dirname(path)) : base
  const bare = name
    .replace(/^(?:\d{4}[-_]?\d{2}[-_]?\d{2}(?:\d{4}|\d{6})?|(?:adr|madr|rfc)?[-_ ]?\d{1,6})[-_. ]+/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  const words = bare === '' ? name : bare
  reading.notes.push({ file: path, line: 1, message: 'no title in the text: taken from the file name' })
  return words.charAt(0).toUpperCase() + words.slice(1)
}
