/** Formats the report of an import for people. */
import { type ImportNote, isUnread } from '../../import/files/reading.ts'
import { count, plain, table } from '../terminal/terminal.ts'
import { type Found, folderOf } from './found.ts'
import type { Refusal } from './refusal.ts'
import type { Imported } from './run.ts'

/** Places that are listed. */
const mostListed = 50
/** A note that occurs more often is printed once, with the number of places. */
const mostAlike = 3

export interface Outcome {
  /** New or changed. Undefined if the import did not check which records were there before. */
  imported: number | undefined
  unchanged: number | undefined
  applied: number
  accepted: number
  /** Outcomes of decisions, which are in none of the numbers above. */
  outcomes_recorded: number
  /** Their decisions had them before. */
  outcomes_unchanged: number
  refused: Refusal[]
}

/** Adds up decisions, memories and tasks. */
export function outcomeOf({ decisions, memories, tasks, outcomes, alreadyThere }: Imported): Outcome {
  const applied = decisions.applied + alreadyThere + memories.applied + tasks.applied
  const unchanged =
    decisions.unchanged === undefined || tasks.unchanged === undefined
      ? undefined
      : decisions.unchanged + alreadyThere + memories.unchanged + tasks.unchanged
  return {
    imported: unchanged === undefined ? undefined : applied - unchanged,
    unchanged,
    applied,
    accepted: decisions.accepted + alreadyThere + memories.accepted + memories.unchanged + tasks.accepted,
    outcomes_recorded: outcomes.recorded,
    outcomes_unchanged: outcomes.unchanged,
    refused: [...decisions.refused, ...memories.refused, ...tasks.refused, ...outcomes.refused].sort(byPlace),
  }
}

/** The table at the end of an import. `waited`: every receipt has ended. */
export function summary(found: Found, outcome: Outcome, waited: boolean): string {
  const { imported, unchanged, applied, accepted, refused } = outcome
  const done = !waited
    ? [row('Accepted', accepted, 'see receipts for the outcome')]
    : imported === undefined || unchanged === undefined
      ? [row('Applied', applied, 'new, changed or already recorded')]
      : [row('Imported', imported, 'new or changed'), row('Unchanged', unchanged, 'already recorded')]
  return tableOf([
    ...foundRows(found),
    ...done,
    ...outcomeRows(found, outcome, waited),
    ...(refused.length > 0 ? [row('Refused', refused.length, 'listed above')] : []),
    ...restRows(found),
  ])
}

function outcomeRows({ outcomes }: Found, { outcomes_recorded, outcomes_unchanged }: Outcome, waited: boolean) {
  if (outcomes === 0) return []
  const rest = outcomes_unchanged === 0 ? '' : `${outcomes_unchanged.toLocaleString('en')} already recorded`
  return [[waited ? 'Outcomes recorded' : 'Outcomes accepted', outcomes_recorded.toLocaleString('en'), rest]]
}

/** The table of a dry run. */
export function summaryOfFound(found: Found): string {
  return tableOf([...foundRows(found), ...restRows(found)])
}

const tableOf = (rows: string[][]) => table(rows, 1).replace(/^/gm, '  ')

function foundRows({ decisions, memories, tasks, outcomes }: Found): string[][] {
  return [
    ...(decisions > 0 || memories + tasks === 0 ? [row('Decisions found', decisions)] : []),
    ...(memories > 0 ? [row('Memories found', memories)] : []),
    ...(tasks > 0 ? [row('Tasks found', tasks)] : []),
    ...(outcomes > 0 ? [row('Outcomes found', outcomes)] : []),
  ]
}

function restRows({
  format,
  decisions,
  links,
  linksPending,
  linksElsewhere,
  amendments,
  amendmentsPending,
  amendmentsElsewhere,
  notDecisions,
  unreadLines,
  notes,
  moreNotes,
  dates,
}: Found): string[][] {
  const linked = row(
    'Superseding links',
    links,
    remarksOf([
      [linksElsewhere ?? 0, 'of them to decisions outside this import'],
      [linksPending, 'of them wait until the proposal is accepted'],
    ]),
  )
  if (format !== 'adr')
    return [
      ...(links > 0 || decisions > 0 ? [linked] : []),
      row('Not understood', unreadLines, 'lines that were not imported'),
    ]
  const { text, name, git } = dates
  const unread = notDecisions.filter(isUnread).length
  const others = notDecisions.filter((one) => !isUnread(one))
  const dated = text + name + git
  const undated = decisions - dated
  const amended = remarksOf([
    [amendmentsElsewhere ?? 0, 'of them with decisions outside this import'],
    [amendmentsPending, 'of them by proposals'],
  ])
  const places = notes.reduce((sum, { others }) => sum + 1 + (others?.files.length ?? 0), moreNotes)
  return [
    linked,
    row(
      'Amendments',
      amendments,
      ['parts of older decisions that newer ones change', amended].filter(Boolean).join('; '),
    ),
    [
      'Dates',
      dated.toLocaleString('en'),
      [
        ...(dated > 0 ? [`${text} from the text, ${name} from names, ${git} from git`] : []),
        ...(undated > 0
          ? [`${count(undated, 'decision has none and counts', 'decisions have none and count')} from this import`]
          : []),
      ].join('; '),
    ],
    row('Not decisions', others.length, `${reasonsOf(others)} (--dry-run lists them)`),
    ...(unread > 0 ? [row('Not read', unread, 'they may be records; listed above')] : []),
    row('To check', places, 'not understood, or guessed'),
  ]
}

const remarksOf = (remarks: readonly (readonly [number, string])[]) =>
  remarks.flatMap(([count, what]) => (count > 0 ? `${count.toLocaleString('en')} ${what}` : [])).join(', ')

/** `2 template, 1 index, 4 no signs of a decision`: the most frequent reason first. */
function reasonsOf(files: readonly { reason: string }[]): string {
  const counts = new Map<string, number>()
  for (const { reason } of files) {
    const kind = reason.replace(/^template: .*/, 'template')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
  return sorted.map(([reason, number]) => `${number.toLocaleString('en')} ${reason}`).join(', ')
}

function row(name: string, number: number, remark = ''): string[] {
  return [name, number.toLocaleString('en'), number === 0 ? '' : remark]
}

interface Listed {
  file: string
  line: number
  message: string
  code?: string
}

/** Lists the first places as `file:line  message`. `more`: places that are not in `places`. */
export function placesOf(places: readonly Listed[], most = mostListed, more = 0): string[] {
  const shown = places.slice(0, most).map(({ file, line, code, message }) => {
    const what = code === undefined ? message : `${code}: ${message}`
    return `  ${plain(file)}:${line}  ${plain(what)}`
  })
  const rest = Math.max(0, places.length - most) + more
  return rest > 0 ? [...shown, `  … and ${count(rest, 'more', 'more')} (use --json to list them)`] : shown
}

/** A note that many places share is printed once, with the first place. */
export function groupedNotes(notes: readonly ImportNote[], more = 0): string[] {
  const alike = new Map<string, ImportNote[]>()
  for (const note of notes) alike.set(note.message, [...(alike.get(note.message) ?? []), note])
  const single = [...alike.values()].filter((some) => some.length <= mostAlike).flat()
  const shared = [...alike.values()].filter((some) => some.length > mostAlike)
  const grouped = shared.map((some) => {
    const [first] = some as [ImportNote]
    const others = count(some.length - 1, 'more place', 'more places')
    return `  ${plain(first.file)}:${first.line} and ${others}  ${plain(first.message)}`
  })
  const isHidden = grouped.length > 0 || notes.some(({ others }) => others !== undefined)
  const hint = isHidden ? ['  (--dry-run lists every place)'] : []
  return [...grouped, ...placesOf(single, mostListed, more), ...hint]
}

/** If the only file is no decision: why, and what to do. */
export function whatItLacks({ decisions, memories, tasks, notDecisions, notes }: Found): string | undefined {
  const [only, ...others] = notDecisions
  if (decisions + memories + tasks + notes.length > 0 || !only || others.length > 0) return undefined
  const { file, reason } = only
  return [
    `${plain(file)} was not imported as a decision (${plain(reason)}).`,
    ...(remedies[reason.replace(/^template: .*/, 'template')] ?? []),
  ].join('\n')
}

const named = 'for example adr-001-use-one-file.md'
const remedies: Record<string, string[]> = {
  'no signs of a decision': [
    'It lacks a section that says what was decided, such as “## Decision”, and beside it a status or a context.',
    `Add them, or give the file the name of a decision record, ${named}.`,
  ],
  template: ['Its name, its title or its fields are those of a template. Fill them in, or rename the file.'],
  readme: [`If it is a decision record, give it the name of one, ${named}.`],
  'page about the project': [`If it is a decision record, give it the name of one, ${named}.`],
  index: [`If it is a decision record, give it the name of one, ${named}.`],
  specification: [`If it is a decision record, give it the name of one, ${named}.`],
}

/** Files without signs of a decision, in folders from which decisions were imported: one of them may be a decision. */
export function leftOutFiles({ notDecisions, folders }: Found): string[] {
  const beside = notDecisions.filter(
    ({ file, reason }) => reason === 'no signs of a decision' && folders.has(folderOf(file)),
  )
  return groupedNotes(beside.map(({ file, reason }) => ({ file, line: 1, message: reason })))
}

/** Files that may be records but were not read, and why. */
export function unreadFiles({ notDecisions }: Found): string[] {
  return groupedNotes(
    notDecisions
      .filter(isUnread)
      .map(({ file, reason }) => ({ file, line: 1, message: reason.replace(/^not read: /, '') })),
  )
}

function byPlace(a: Refusal, b: Refusal): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1
}
