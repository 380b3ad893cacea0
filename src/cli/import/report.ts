/** What an import found and did, for a person and for a program. */
import { count, plain, table } from '../terminal.ts'
import type { Found } from './found.ts'
import type { Refusal } from './refusal.ts'
import type { Imported } from './run.ts'

const mostListed = 50

export interface Outcome {
  /** New or changed. undefined where it was not looked up what was there before. */
  imported: number | undefined
  unchanged: number | undefined
  applied: number
  accepted: number
  refused: Refusal[]
}

/** Decisions and memories together. `refused`: those of the service. */
export function outcomeOf({ decisions, memories, there }: Imported): Outcome {
  const applied = decisions.applied + there + memories.applied
  const unchanged = decisions.unchanged === undefined ? undefined : decisions.unchanged + there + memories.unchanged
  return {
    imported: unchanged === undefined ? undefined : applied - unchanged,
    unchanged,
    applied,
    accepted: decisions.accepted + there + memories.accepted + memories.unchanged,
    refused: [...decisions.refused, ...memories.refused].sort(byPlace),
  }
}

/** The table at the end. `waited`: until every receipt had ended. */
export function summary({ found }: Imported, outcome: Outcome, waited: boolean): string {
  const { imported, unchanged, applied, accepted, refused } = outcome
  const done: string[][] = !waited
    ? [['Accepted', accepted.toLocaleString('en'), 'not waited for']]
    : imported === undefined || unchanged === undefined
      ? [['Imported', applied.toLocaleString('en'), 'those that were there already among them']]
      : [
          ['Imported', imported.toLocaleString('en'), 'new or changed'],
          ['Unchanged', unchanged.toLocaleString('en'), 'there already'],
        ]
  const rows = [...foundRows(found), ...done]
  if (refused.length > 0) rows.push(['Refused', refused.length.toLocaleString('en'), 'listed above'])
  return table([...rows, ...restRows(found)].map((row) => ['', ...row]))
}

export function foundRows(found: Found): string[][] {
  const rows: string[][] = []
  if (found.decisions > 0 || found.memories === 0) rows.push(['Decisions found', found.decisions.toLocaleString('en')])
  if (found.memories > 0) rows.push(['Memories found', found.memories.toLocaleString('en')])
  return rows
}

export function restRows(found: Found): string[][] {
  const { links, linksElsewhere, notDecisions, unreadLines } = found
  const notes = found.notes.length + found.moreNotes
  const elsewhere = linksElsewhere
    ? `${linksElsewhere.toLocaleString('en')} of them to decisions outside this import`
    : ''
  const rows = [['Superseding links', links.toLocaleString('en'), elsewhere]]
  if (found.format === 'adr') {
    rows.push(['Not decisions', notDecisions.length.toLocaleString('en'), 'templates, indexes and other files'])
    rows.push(['To look at', notes.toLocaleString('en'), 'places that were not understood, or read with a guess'])
  } else {
    rows.push(['Not understood', unreadLines.toLocaleString('en'), 'lines, not imported'])
  }
  return rows
}

/** `file:line  message`, the first fifty. */
export function placesOf(
  places: readonly { file: string; line: number; message: string; code?: string }[],
  more = 0,
): string[] {
  const shown = places.slice(0, mostListed)
  const rest = places.length - shown.length + more
  return [
    ...shown.map(
      ({ file, line, code, message }) =>
        `  ${plain(file)}:${line}  ${code === undefined ? '' : `${code}: `}${plain(message)}`,
    ),
    ...(rest > 0 ? [`  … and ${count(rest, 'more', 'more')}: --json lists them`] : []),
  ]
}

function byPlace(a: Refusal, b: Refusal): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1
}
