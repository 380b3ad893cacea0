/** Collects what an import finds in its source: counts, and the places that a person should check. */
import type { DateOrigin, Format, ImportedRow, ImportNote } from '../../import/files/reading.ts'

export interface Found {
  source: string
  format: Format
  decisions: number
  memories: number
  tasks: number
  outcomes: number
  /** Number of times that a decision names a decision that it supersedes. */
  links: number
  /** Of `links`: those of proposals, which supersede nothing until they are accepted. */
  linksPending: number
  /** Of `links`: those to decisions outside this import. Undefined if there are too many to count. */
  linksElsewhere: number | undefined
  /** How many amendments the decision records name. */
  amendments: number
  /** Of `amendments`: those by proposals, which change nothing until they are accepted. */
  amendmentsPending: number
  /** Of `amendments`: those of or by decisions outside this import. Undefined if there are too many to count. */
  amendmentsElsewhere: number | undefined
  /** Decision records by where their date was found. */
  dates: Record<DateOrigin, number>
  notDecisions: { file: string; reason: string }[]
  /** The folders with a decision record. */
  folders: ReadonlySet<string>
  notes: ImportNote[]
  /** Number of notes beyond those in `notes`. */
  moreNotes: number
  /** Lines of a file that could not be imported. */
  unreadLines: number
}

export interface FindingsCollector {
  add(row: ImportedRow): void
  found(): Found
}

const mostNotes = 10_000
const mostTargets = 200_000

export function findingsCollector(source: string, format: Format): FindingsCollector {
  const found: Found = {
    source,
    format,
    decisions: 0,
    memories: 0,
    tasks: 0,
    outcomes: 0,
    links: 0,
    linksPending: 0,
    linksElsewhere: undefined,
    amendments: 0,
    amendmentsPending: 0,
    amendmentsElsewhere: undefined,
    dates: { text: 0, name: 0, git: 0 },
    notDecisions: [],
    folders: new Set(),
    notes: [],
    moreNotes: 0,
    unreadLines: 0,
  }
  const externalIds = new Set<string>()
  const folders = new Set<string>()
  const targets: string[] = []
  const amended: string[] = []
  const amending: string[] = []
  let lastUnread = 0

  function note({ file, line, message, remark, others }: ImportNote): void {
    if (found.notes.length < mostNotes) found.notes.push({ file, line, message, ...(others && { others }) })
    else found.moreNotes += 1
    if (remark) return
    // in a folder, notes are only remarks; in CSV, line 1 is the header
    const isRow = format === 'jsonl' || (format === 'csv' && line > 1)
    if (isRow && line !== lastUnread) found.unreadLines += 1
    if (isRow) lastUnread = line
  }

  return {
    add(row) {
      if (row.kind === 'memory') found.memories += 1
      else if (row.kind === 'task') found.tasks += 1
      else if (row.kind === 'not_decision') found.notDecisions.push({ file: row.file, reason: row.reason })
      else if (row.kind === 'note') note(row)
      else {
        const { external_id, status, supersedes } = row.decision
        found.decisions += 1
        if (format === 'adr') folders.add(folderOf(row.file))
        if (row.datedBy) found.dates[row.datedBy] += 1
        found.outcomes += row.outcomes.length
        found.links += supersedes.length
        const amends = row.amends ?? []
        found.amendments += amends.length
        if (status === 'proposed') {
          found.linksPending += supersedes.length
          found.amendmentsPending += amends.length
        }
        if (amended.length < mostTargets) amended.push(...amends)
        if (amending.length < mostTargets) amending.push(...(row.amendedBy ?? []))
        if (external_id !== undefined && externalIds.size < mostTargets) externalIds.add(external_id)
        if (targets.length < mostTargets) targets.push(...supersedes)
      }
    },
    found() {
      const counted = [externalIds.size, targets.length, amended.length, amending.length]
      const known = counted.every((count) => count < mostTargets)
      const outside = (ids: readonly string[]) => ids.filter((id) => !externalIds.has(id)).length
      if (!known) return { ...found, folders, linksElsewhere: undefined, amendmentsElsewhere: undefined }
      // an amendment by a decision of this import is already counted
      const byOthers = outside(amending)
      return {
        ...found,
        folders,
        linksElsewhere: outside(targets),
        amendments: found.amendments + byOthers,
        amendmentsElsewhere: outside(amended) + byOthers,
      }
    },
  }
}

/** The folder of a file, with `/` at its end; empty: the root. */
export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)
