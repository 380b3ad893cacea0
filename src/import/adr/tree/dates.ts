/** Dates the records of a folder. */
import { posix } from '../../../text/posix.ts'
import type { DateOrigin, Reading } from '../../files/reading.ts'
import type { Source } from '../../files/source.ts'
import { dayComesFirst, findDate } from '../metadata/dates.ts'
import type { WrittenDate } from '../metadata/written-dates.ts'
import type { Note, ParsedAdr } from '../parse.ts'

/** A file that was read as a decision record. */
export interface Read {
  /** Names the record in this import: path of its file from the repository's root, and in a decision log its anchor. */
  path: string
  /** The path of its file. */
  file: string
  /** Only of a decision in a decision log: its heading. */
  inLog?: { slug: string; line: number }
  adr: ParsedAdr
  title: string
  /** The line of its first credential, for which the service will refuse it. */
  secretLine: number | undefined
  /** Labels by which other files refer to it. */
  labels: readonly string[]
}

export interface Dated {
  iso: string
  from: DateOrigin
}

/**
 * Dates by path: from the text, else the file name, else a folder name, else the day of the last change in the text, else
 * the first commit of the text.
 */
export async function datesOf(
  source: Source,
  folder: string,
  read: readonly Read[],
  reading: Reading,
): Promise<Map<string, Dated>> {
  const dates = new Map<string, Dated>()
  /** Why the text gives no date: `only a year is given ("2019")`. */
  const unread = new Map<string, Note>()
  const noteOrigin = ({ path, file, inLog }: Read, nowhere: string, origin: string) => {
    const { line, message } = unread.get(path) ?? { line: inLog?.line ?? 1, message: `no date in ${nowhere}` }
    reading.notes.push({ file, line, message: `${message}: ${origin}`, remark: true })
  }
  const orders = new Map<string, { dayFirst: boolean; sure: boolean }>()
  const texts = (within?: string) =>
    read
      .filter(({ path }) => within === undefined || posix.dirname(path) === within)
      .flatMap(({ adr }) => adr.dates.slice(0, 1).map(({ text }) => text))
  const everywhere = dayComesFirst(texts())
  for (const one of read) {
    const { path, file, adr } = one
    const near = posix.dirname(path)
    const order = orders.get(near) ?? dayComesFirst(texts(near))
    orders.set(near, order)
    const noteOf = (note: Note) => reading.notes.push({ file, ...note })
    const others: Note[] = []
    const inText = (isChange: boolean) =>
      dateOf(
        adr.dates.filter((one) => (one.isChange === true) === isChange),
        order.sure ? order : everywhere,
        noteOf,
        others,
      )
    const decided = inText(false)
    const named = decided === undefined ? dateInPath(file) : undefined
    const found = decided ?? (named === undefined ? inText(true) : undefined)
    const [other] = others
    if (found !== undefined) {
      dates.set(path, { iso: found, from: 'text' })
      others.forEach(noteOf)
    } else if (other) unread.set(path, other)
    if (found === undefined && named !== undefined) {
      dates.set(path, { iso: named, from: 'name' })
      noteOrigin(one, 'the text', 'dated by the name of the file or its folder')
    }
  }
  const without = read.filter(({ path }) => !dates.has(path))
  // the first commit of a decision log is older than most of its decisions
  const commits = without.some(({ inLog }) => !inLog) ? await source.firstCommits?.(folder) : undefined
  for (const one of without) {
    const { path, inLog } = one
    const date = commits?.dates.get(path)
    if (date === undefined) {
      const where = inLog ? 'its section' : source.placesOfDates
      noteOrigin(one, where, 'its date is the day of the import')
      continue
    }
    dates.set(path, { iso: date, from: 'git' })
    noteOrigin(one, 'the text or the file name', 'dated by the first commit of its text in git')
  }
  if (commits?.isShallow && read.some(({ path, inLog }) => !inLog && !dates.has(path))) {
    const message = 'the git history is shallow, so it does not date every record: run git fetch --unshallow first'
    reading.notes.push({ file: '.', line: 1, message })
  }
  return dates
}

/** `others`: gets the texts in front of the date that are none. */
function dateOf(
  written: readonly WrittenDate[],
  order: { dayFirst: boolean; sure: boolean },
  note: (note: Note) => void,
  others: Note[],
): string | undefined {
  for (const { text, line, lastEntry } of written) {
    const found = findDate(text, order.dayFirst)
    if (!found) {
      const quoted = JSON.stringify(text.slice(0, 100))
      const isYear = /^\D{0,3}(?:19|20)\d\d\D{0,3}$/.test(text)
      others.push({
        line,
        message: isYear ? `only a year is given (${quoted})` : `${quoted} is no date of the calendar`,
      })
      continue
    }
    const guess = order.dayFirst ? 'the day' : 'the month'
    if (found.eitherOrder && !order.sure)
      note({ line, message: `${JSON.stringify(text.slice(0, 40))}: read with ${guess} first` })
    if (found.dayUnknown)
      note({ line, message: `${JSON.stringify(text.slice(0, 40))} names no day of its month: read as the first` })
    if (lastEntry !== undefined) {
      const last = findDate(lastEntry, order.dayFirst)?.iso.slice(0, 10)
      const updated = found.iso.startsWith(last ?? '') ? '' : `; by its last entry, the text was updated on ${last}`
      note({ line, message: `dated by the first entry of its changelog${updated}` })
    }
    return found.iso
  }
  return undefined
}

function dateInPath(path: string): string | undefined {
  for (const part of path.split('/').reverse()) {
    // also with a time, as in `20240516132303-use-one-file`
    const match =
      /(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)/.exec(part) ??
      /(?<!\d)(\d{4})(\d{2})(\d{2})(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)/.exec(part)
    const found = match ? findDate(`${match[1]}-${match[2]}-${match[3]}`) : undefined
    if (found) return found.iso
  }
  return undefined
}
