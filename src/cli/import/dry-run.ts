/** `precedent import --dry-run`: shows what would be imported and what was not understood. Sends nothing. */
import type { ImportedRow, ImportNote } from '../../import/files/reading.ts'
import { isOnlyProposed } from '../../records/revisions.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { count, inLine, plain, type Terminal, table } from '../terminal/terminal.ts'
import { type Found, findingsCollector } from './found.ts'
import type { ImportSource } from './import-source.ts'
import { placesOf, summaryOfFound, whatItLacks } from './report.ts'

type DecisionRow = Extract<ImportedRow, { kind: 'decision' }>
type TaskRow = Extract<ImportedRow, { kind: 'task' }>

/** Decisions, and tasks, of a file that are shown. A folder is shown completely. */
const mostShown = 1000

export async function dryRun(terminal: Terminal, source: ImportSource): Promise<ExitCode> {
  const findings = findingsCollector(source.name, source.format)
  const shown: DecisionRow[] = []
  const tasks: TaskRow[] = []
  for await (const row of source.rows) {
    findings.add(row)
    if (row.kind === 'decision' && (shown.length < mostShown || source.format === 'adr')) shown.push(row)
    if (row.kind === 'task' && tasks.length < mostShown) tasks.push(row)
  }
  const found = findings.found()
  const superseded = supersededAmong(shown)
  const ok = found.unreadLines === 0 ? exitCodes.ok : exitCodes.failed
  if (terminal.json) {
    terminal.printJson({
      dry_run: true,
      source: source.name,
      path: source.path,
      ...jsonOfFound(found),
      items: shown.map((row) => itemOf(row, superseded)),
      task_items: tasks.map(({ file, line, task }) => ({ file, line, ...task })),
    })
    return ok
  }
  const lacking = whatItLacks(found)
  if (lacking !== undefined) {
    terminal.print(lacking)
    return ok
  }
  terminal.print(`Source: ${plain(source.name)}\n`)
  if (shown.length > 0) {
    const rows = shown.flatMap((row) => rowsOf(row, superseded))
    terminal.print(table([['STATUS', 'DECIDED', 'TITLE', 'EXTERNAL ID'], ...rows]))
  }
  if (found.decisions > shown.length) terminal.print(`… and ${count(found.decisions - shown.length, 'more decision')}`)
  if (tasks.length > 0) terminal.print(table([['STATUS', 'DUE', 'NAME', 'EXTERNAL ID'], ...tasks.flatMap(rowsOfTask)]))
  if (found.tasks > tasks.length) terminal.print(`… and ${count(found.tasks - tasks.length, 'more task')}`)
  if (found.notDecisions.length > 0) {
    terminal.print('\nNot decisions:')
    for (const { file, reason } of found.notDecisions) terminal.print(`  ${plain(file)}  ${plain(reason)}`)
  }
  if (found.notes.length > 0) {
    terminal.print('\nTo check:')
    const places = found.notes.flatMap(eachPlace)
    for (const line of placesOf(places, mostShown, found.moreNotes)) terminal.print(line)
  }
  terminal.print(`\n${summaryOfFound(found)}`)
  terminal.print('\nThis was a dry run: nothing was sent.')
  return ok
}

/** A note about several files becomes one note for each of them. */
function eachPlace(note: ImportNote): ImportNote[] {
  const { files = [], message = '' } = note.others ?? {}
  return [note, ...files.map((file) => ({ file, line: 1, message }))]
}

/** The external_ids of the decisions that others of this import supersede. A proposed or rejected one ends nothing. */
function supersededAmong(rows: readonly DecisionRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ decision }) => (isOnlyProposed(decision) ? [] : decision.supersedes)))
}

function rowsOf(
  { decision, amends = [], outcomes, datedBy }: DecisionRow,
  superseded: ReadonlySet<string>,
): string[][] {
  const { decided_at, title, external_id = '', supersedes } = decision
  const status = superseded.has(external_id) ? 'superseded' : decision.status
  const guessed = datedBy === 'name' || datedBy === 'git' ? ` (${datedBy})` : ''
  return [
    [status, `${decided_at?.slice(0, 10) ?? '-'}${guessed}`, cut(plain(title)), plain(external_id)],
    ...supersedes.map((target) => ['', '', '', `  supersedes ${plain(target)}`]),
    ...amends.map((target) => ['', '', '', `  amends ${plain(target)}`]),
    ...outcomes.map(({ outcome_status, outcome_notes, observed_at }) => [
      '',
      observed_at?.slice(0, 10) ?? '-',
      cut(`  outcome: ${outcome_status}${outcome_notes === null ? '' : ` “${inLine(outcome_notes)}”`}`),
      '',
    ]),
  ]
}

function rowsOfTask({ task }: TaskRow): string[][] {
  const { status = '-', due_at, name, external_id, parent_id, decision_ids } = task
  const named = [...(parent_id ? [`a part of ${parent_id}`] : []), ...(decision_ids ?? []).map((one) => `see ${one}`)]
  return [
    [status, due_at?.slice(0, 10) ?? '-', cut(plain(name)), plain(external_id)],
    ...named.map((one) => ['', '', '', `  ${plain(one)}`]),
  ]
}

function itemOf({ file, line, decision, amends, outcomes, datedBy }: DecisionRow, superseded: ReadonlySet<string>) {
  const { status, decided_at, title, external_id, supersedes } = decision
  const dated = decided_at === undefined ? {} : { decided_at, ...(datedBy && { dated_by: datedBy }) }
  return {
    file,
    line,
    external_id,
    title,
    status,
    ...dated,
    ...(superseded.has(external_id ?? '') && { superseded: true }),
    supersedes,
    ...(amends && { amends }),
    ...(outcomes.length === 0 ? {} : { outcomes }),
  }
}

export function jsonOfFound(found: Found) {
  const {
    decisions,
    memories,
    tasks,
    outcomes,
    links,
    linksPending,
    linksElsewhere,
    amendments,
    amendmentsPending,
    amendmentsElsewhere,
    notDecisions,
    notes,
    unreadLines,
    dates,
    format,
  } = found
  return {
    decisions,
    memories,
    tasks,
    outcomes,
    superseding_links: links,
    superseding_links_pending: linksPending,
    ...(linksElsewhere === undefined ? {} : { superseding_links_elsewhere: linksElsewhere }),
    ...(format === 'adr'
      ? {
          amendments,
          amendments_pending: amendmentsPending,
          ...(amendmentsElsewhere === undefined ? {} : { amendments_elsewhere: amendmentsElsewhere }),
          dates,
        }
      : {}),
    not_decisions: notDecisions,
    notes: notes.map(({ others, ...note }) => ({ ...note, ...(others && { other_files: others.files }) })),
    unread_lines: unreadLines,
  }
}

/** Shortens a title, so that the next column stays on the screen. */
function cut(title: string): string {
  return title.length <= 60 ? title : `${title.slice(0, 59)}…`
}
