/** Turns a folder of decision records into decision inputs: reads each file, then links all of them. */
import type { DecisionStatus } from '../../../records/record.ts'
import type { Reading } from '../../files/reading.ts'
import { externalIdOf, type Source } from '../../files/source.ts'
import { decisionOf, outcomesOf } from '../decision.ts'
import type { Note, ParsedAdr } from '../parse.ts'
import type { Translator } from '../translated/translator.ts'
import type { TreeRecord } from '../tree-record.ts'
import { datesOf, type Read } from './dates.ts'
import { readFiles } from './files.ts'
import { type Linked, linkAll } from './links.ts'
import { indexOf } from './resolve.ts'

/**
 * `folder`: path from the root; '' is the root itself. `only`: read only this file of the folder. Files are read in the
 * order of their paths, so the result is always the same.
 */
export async function readTree(
  source: Source,
  folder: string,
  { openTranslator, only }: { openTranslator(): Translator; only?: string },
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
  const read = await readFiles(source, folder, { openTranslator, only }, reading)
  const dates = await datesOf(source, folder, read, reading)
  const files = new Map(read.map(({ path, file }) => [path, file]))
  const note = (path: string, { line, message }: Note) =>
    reading.notes.push({ file: files.get(path) ?? path, line, message })
  const index = indexOf(
    read.map(({ path, file, adr, title, labels, inLog }) => ({
      path,
      title,
      number: adr.number,
      labels,
      ...(inLog && { inLog: { file, slug: inLog.slug } }),
    })),
    source.name,
  )
  const linked = linkAll(
    read.map(({ path, title, adr }) => ({ path, title, relations: adr.relations })),
    index,
    note,
  )
  const byPath = new Map(read.map((one) => [one.path, one]))
  for (const { path, file, adr, title, secretLine, inLog } of read) {
    const url = source.urlOf(file)
    const inTree: TreeRecord = {
      externalId: externalIdOf(source.name, path),
      path: `${source.name}/${file}`,
      url: url !== undefined && inLog ? `${url}#${encodeURIComponent(inLog.slug)}` : url,
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
    const idsOf = (paths: ReadonlySet<string> | undefined) =>
      [...(paths ?? [])].map((other) => externalIdOf(source.name, other))
    const [amends, amendedBy] = [idsOf(linked.amends.get(path)), idsOf(linked.amendedBy.get(path))]
    const line = secretLine ?? inLog?.line ?? 1
    if (decision) reading.items.push({ file, line, ...(datedBy && { datedBy }), decision, amends, amendedBy, outcomes })
    for (const one of adr.notes) note(path, one)
  }
  noteMissingStatus(read, reading)
  reading.notes.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return reading
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
  if (/^living\b/i.test(status.text))
    note({ line: status.line, message: 'the status "Living" says that the text still changes: taken as accepted' })
  if (status.partial) note({ line: status.line, message: 'superseded in part: it stays accepted' })
  if (status.word !== 'superseded' && status.word !== 'deprecated') return status.word
  const successors = [...(linked.successors.get(path) ?? [])]
    .map((successor) => byPath.get(successor))
    .filter((one) => one !== undefined)
  if (successors.some((one) => !['proposed', 'rejected', 'unknown'].includes(one.adr.status?.word ?? 'accepted')))
    return 'accepted'
  if (status.isToldInText && successors.length === 0) {
    note({ line: status.line, message: 'its text names a successor that was not found: it stays accepted' })
    return 'accepted'
  }
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
      path: `${name}/${byPath.get(other)?.file ?? other}`,
    }))
  return [...related('Amends', linked.amends.get(path)), ...related('Amended by', linked.amendedBy.get(path))]
}

/** Adds one note for all files without a status: in many trees no file has one. */
function noteMissingStatus(read: readonly Read[], reading: Reading): void {
  const without = read.filter(({ adr }) => adr.status === undefined)
  const logs = new Map<string, number[]>()
  for (const { file, inLog } of without) if (inLog) logs.set(file, [...(logs.get(file) ?? []), inLog.line])
  for (const [file, [line = 1, ...more]] of logs) {
    const told =
      more.length === 0 ? 'this decision states no status' : `${more.length + 1} of its decisions state no status`
    reading.notes.push({ file, line, message: `${told}: taken as accepted` })
  }
  const [first, ...others] = without.filter(({ inLog }) => !inLog).map(({ path }) => path)
  if (first === undefined) return
  const more = others.length
  const told =
    more === 0 ? '' : `, and ${more === 1 ? 'one other file does not either' : `${more} other files do not either`}`
  const alone = 'it states no status: taken as accepted'
  const message = `it states no status${told}: taken as accepted`
  reading.notes.push({ file: first, line: 1, message, ...(more > 0 && { others: { files: others, message: alone } }) })
}
