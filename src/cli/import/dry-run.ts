/** `precedent import --dry-run`: shows what would be imported and what was not understood. Sends nothing. */
import type { ImportedRow } from '../../import/files/reading.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { count, inLine, plain, type Terminal, table } from '../terminal/terminal.ts'
import { type Found, findingsCollector } from './found.ts'
import { placesOf, summaryOfFound } from './report.ts'
import type { ImportSource } from './source.ts'

type DecisionRow = Extract<ImportedRow, { kind: 'decision' }>

/** Decisions of a file that are shown. A folder is shown completely. */
const mostShown = 1000

export async function dryRun(terminal: Terminal, source: ImportSource): Promise<ExitCode> {
  const findings = findingsCollector(source.name, source.format)
  const shown: DecisionRow[] = []
  for await (const row of source.rows) {
    findings.add(row)
    if (row.kind === 'decision' && (shown.length < mostShown || source.format === 'adr')) shown.push(row)
  }
  const found = findings.found()
  const ok = found.unreadLines === 0 ? exitCodes.ok : exitCodes.failed
  if (terminal.json) {
    terminal.printJson({
      dry_run: true,
      source: source.name,
      path: source.path,
      ...jsonOfFound(found),
      items: shown.map(itemOf),
    })
    return ok
  }
  terminal.print(`Source: ${plain(source.name)}\n`)
  if (shown.length > 0) terminal.print(table([['STATUS', 'DECIDED', 'TITLE', 'EXTERNAL ID'], ...shown.flatMap(rowsOf)]))
  if (found.decisions > shown.length) terminal.print(`… and ${count(found.decisions - shown.length, 'more decision')}`)
  if (found.notDecisions.length > 0) {
    terminal.print('\nNot decisions:')
    for (const { file, reason } of found.notDecisions) terminal.print(`  ${plain(file)}  ${plain(reason)}`)
  }
  if (found.notes.length > 0) {
    terminal.print('\nTo check:')
    for (const line of placesOf(found.notes, mostShown, found.moreNotes)) terminal.print(line)
  }
  terminal.print(`\n${summaryOfFound(found)}`)
  terminal.print('\nThis was a dry run: nothing was sent.')
  return ok
}

function rowsOf({ decision, outcomes }: DecisionRow): string[][] {
  const { status, decided_at, title, external_id = '', supersedes } = decision
  return [
    [status, decided_at?.slice(0, 10) ?? '-', cut(plain(title)), plain(external_id)],
    ...supersedes.map((target) => ['', '', '', `  supersedes ${plain(target)}`]),
    ...outcomes.map(({ outcome_status, outcome_notes, observed_at }) => [
      '',
      observed_at?.slice(0, 10) ?? '-',
      cut(`  outcome: ${outcome_status}${outcome_notes === null ? '' : ` “${inLine(outcome_notes)}”`}`),
      '',
    ]),
  ]
}

function itemOf({ file, line, decision, outcomes }: DecisionRow) {
  const { status, decided_at, title, external_id, supersedes } = decision
  const dated = decided_at === undefined ? {} : { decided_at }
  return {
    file,
    line,
    external_id,
    title,
    status,
    ...dated,
    supersedes,
    ...(outcomes.length === 0 ? {} : { outcomes }),
  }
}

export function jsonOfFound(found: Found) {
  const { decisions, memories, outcomes, links, linksElsewhere, notDecisions, notes, unreadLines } = found
  return {
    decisions,
    memories,
    outcomes,
    superseding_links: links,
    ...(linksElsewhere === undefined ? {} : { superseding_links_elsewhere: linksElsewhere }),
    not_decisions: notDecisions,
    notes,
    unread_lines: unreadLines,
  }
}

/** Shortens a title, so that the next column stays on the screen. */
function cut(title: string): string {
  return title.length <= 60 ? title : `${title.slice(0, 59)}…`
}
