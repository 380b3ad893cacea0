/** Turns a folder of decision records into decision inputs: reads each file, then links all of them. */
import { posix } from 'node:path'
import type { DecisionStatus } from '../../records/record.ts'
import { findSecret } from '../../secrets/find.ts'
import { notMarkdown, type Reading } from '../files/reading.ts'
import { externalIdOf, type Source } from '../files/source.ts'
import { folderAt, mostTotalBytes } from '../files/walk.ts'
import { decisionOf, outcomesOf, type TreeRecord } from './decision.ts'
import { hasNumber, isLoose, looksLikeRecord, markdownFile, whyNoDecision } from './kind.ts'
import { type Linked, linkAll } from './links.ts'
import { type Note, type ParsedAdr, parseAdr } from './parse.ts'
import { indexOf } from './resolve.ts'
import { datesOf, type Read } from './tree-dates.ts'

/**
 * `folder`: path from the root; '' is the root itself. `only`: read only this file of the folder. Files are read in the
 * order of their paths, so the result is always the same.
 */
export async function readTree(
  source: Source,
  folder: string,
  { git, only }: { git: boolean; only?: string },
): Promise<Reading> {
  const reading: Reading = {
    source: source.name,
    root: source.root,
    format: 'adr',
    items: [],
    memories: [],
    tasks: [],
    notDecisions: [],
    notes: [],
  }
  const read = await readFiles(source, folder, only, reading)
  const dates = await datesOf(source, folder, read, git, reading)
  const note = (file: string, { line, message }: Note) => reading.notes.push({ file, line, message })
  const index = indexOf(
    read.map(({ path, adr, title }) => ({ path, title, number: adr.number })),
    source.name,
  )
  const linked = linkAll(
    read.map(({ path, adr }) => ({ path, relations: adr.relations })),
    index,
    note,
  )
  const byPath = new Map(read.map((one) => [one.path, one]))
  for (const { path, adr, title, secretLine = 1 } of read) {
    const inTree: TreeRecord = {
      externalId: externalIdOf(source.name, path),
      path: `${source.name}/${path}`,
      url: source.urlOf(path),
      title,
      status: statusOf(path, adr, linked, byPath, (one) => note(path, one)),
      decidedAt: dates.get(path)?.iso,
      supersedes: [...(linked.supersedes.get(path) ?? [])].map((older) => externalIdOf(source.name, older)),
      supersessionReason: linked.reasons.get(path)?.join('; '),
      related: relatedTo(path, linked, byPath, source.name),
    }
    const noteHere = (one: Note) => note(path, one)
    const decision = decisionOf(adr, inTree, noteHere)
    const outcomes = decision ? outcomesOf(adr, inTree, noteHere) : []
    const datedBy = dates.get(path)?.from
    if (decision) reading.items.push({ file: path, line: secretLine, ...(datedBy && { datedBy }), decision, outcomes })
    for (const one of adr.notes) note(path, one)
  }
  noteMissingStatus(read, reading)
  reading.notes.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return reading
}

async function readFiles(source: Source, folder: string, only: string | undefined, reading: Reading): Promise<Read[]> {
  const given = source.root
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(-1)
  const inFolder = folder === '' ? [] : folder.split('/')
  const foldersOf = (path: string) => [...given, ...inFolder, ...path.split('/').slice(0, -1)]
  const opened = source.folder?.(folder) ?? folderAt(posix.join(source.root, folder))
  const wanted = (path: string) => markdownFile.test(path) || looksLikeRecord(foldersOf(path), posix.basename(path))
  const walked = only === undefined ? await opened.walk(wanted) : { files: [only], notes: [] }
  const atRoot = (path: string) => (folder === '' ? path : `${folder}/${path}`)
  for (const { file, message } of walked.notes) reading.notes.push({ file: atRoot(file), line: 1, message })
  const read: Read[] = []
  let total = 0
  for (const file of walked.files) {
    const path = atRoot(file)
    if (!markdownFile.test(file)) {
      reading.notDecisions.push({ file: path, reason: notMarkdown })
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
    const adr = parseAdr(found.text, posix.basename(file))
    const reason = whyNoDecision(foldersOf(file), posix.basename(file), adr)
    if (reason !== undefined) reading.notDecisions.push({ file: path, reason })
    else
      read.push({
        path,
        adr,
        title: titleOf(path, adr, reading),
        secretLine: await secretLineIn(path, found.text, reading),
      })
  }
  return withoutLoose(read, reading)
}

/** With fewer decisions, their names say nothing about the habits of the team. */
const fewestNumbered = 3

/** Leaves out loose files if the team numbers its records: if nine of ten files that say what was decided have a number. */
function withoutLoose(read: Read[], reading: Reading): Read[] {
  const decided = read.filter(({ adr }) => adr.signs.hasDecision)
  const numbered = decided.filter(({ path }) => hasNumber(path))
  if (numbered.length < fewestNumbered || numbered.length < decided.length * 0.9) return read
  const loose = new Set(read.filter(({ path, adr }) => isLoose(path, adr)).map(({ path }) => path))
  for (const file of loose) reading.notDecisions.push({ file, reason: 'no signs of a decision' })
  reading.notes = reading.notes.filter(({ file }) => !loose.has(file))
  return read.filter(({ path }) => !loose.has(path))
}

async function secretLineIn(file: string, text: string, reading: Reading): Promise<number | undefined> {
  const found = await findSecret([{ place: file, text }])
  if (!found) return undefined
  const { kind, line } = found
  const remedy = 'remove it, or write a placeholder such as <password>'
  reading.notes.push({ file, line, message: `holds a credential (${kind}), so the service will refuse it: ${remedy}` })
  return line
}

function titleOf(path: string, adr: ParsedAdr, reading: Reading): string {
  if (adr.title !== undefined) return adr.title
  const base = posix.basename(path).replace(markdownFile, '')
  const name = /^(?:index|readme|documentation)$/i.test(base) ? posix.basename(posix.dirname(path)) : base
  const bare = name
    .replace(/^(?:\d{4}[-_]?\d{2}[-_]?\d{2}|(?:adr|madr|rfc)?[-_ ]?\d{1,6})[-_. ]+/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  const words = bare === '' ? name : bare
  reading.notes.push({ file: path, line: 1, message: 'no title in the text: taken from the file name' })
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The status to import. A superseded record is imported as accepted, because it was in force until its successor was.
 * If the successor is unknown or not in force, the record must not be in force either: it is imported as deprecated.
 */
function statusOf(
  path: string,
  adr: ParsedAdr,
  linked: Linked,
  byPath: ReadonlyMap<string, Read>,
  note: (note: Note) => void,
): DecisionStatus {
  const { status } = adr
  if (!status) return 'accepted'
  if (status.word === 'unknown') {
    note({
      line: status.line,
      message: `the status ${JSON.stringify(status.text.slice(0, 100))} is not a known one: taken as proposed`,
    })
    return 'proposed'
  }
  if (status.partial) note({ line: status.line, message: 'superseded in part: it stays accepted' })
  if (status.word !== 'superseded' && status.word !== 'deprecated') return status.word
  const successors = [...(linked.successors.get(path) ?? [])]
    .map((successor) => byPath.get(successor))
    .filter((one) => one !== undefined)
  if (successors.some((one) => !['proposed', 'rejected', 'unknown'].includes(one.adr.status?.word ?? 'accepted')))
    return 'accepted'
  if (status.word === 'deprecated' && successors.length === 0) return 'deprecated'
  const why = successors[0] ? `its successor ${successors[0].path} is not in force` : 'its successor was not found'
  note({ line: status.line, message: `superseded, but ${why}: taken as deprecated` })
  return 'deprecated'
}

function relatedTo(
  path: string,
  linked: Linked,
  byPath: ReadonlyMap<string, Read>,
  name: string,
): TreeRecord['related'] {
  const related = (relation: 'Amends' | 'Amended by', paths: ReadonlySet<string> | undefined) =>
    [...(paths ?? [])].map((other) => ({
      relation,
      externalId: externalIdOf(name, other),
      title: byPath.get(other)?.title ?? other,
      path: `${name}/${other}`,
    }))
  return [...related('Amends', linked.amends.get(path)), ...related('Amended by', linked.amendedBy.get(path))]
}

/** Adds one note for all files without a status: in many trees no file has one. */
function noteMissingStatus(read: readonly Read[], reading: Reading): void {
  const without = read.filter(({ adr }) => adr.status === undefined)
  const [first] = without
  if (!first) return
  const more = without.length - 1
  const others =
    more === 0 ? '' : `, and ${more === 1 ? 'one other file does not either' : `${more} other files do not either`}`
  reading.notes.push({ file: first.path, line: 1, message: `it states no status${others}: taken as accepted` })
}
