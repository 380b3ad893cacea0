/** What people are told of a record in a response: how it stands now, its day, and why it was decided so. */
import { undated as noDate } from './imported.ts'

/** How a record is shown that is in force, or is not, whatever the reason. */
export function standingOf({ in_force, status }: { in_force: boolean; status: string }): string {
  if (in_force) return 'in force'
  return status === 'accepted' ? 'not in force' : status
}

/** ` (private)` after the name of a record that only the reader sees, else nothing. */
export function privateMark({ visibility }: { visibility?: unknown }): string {
  const { scope } = (visibility ?? {}) as { scope?: unknown }
  return scope === 'private' ? privateTold : ''
}
export const privateTold = ' (private)'

interface Planned {
  planned_successors?: readonly { type: string; id: string; title: string; at: string }[]
}

/** `until 2027-01-01, then “Optimiser”`. Empty if no end is planned. */
export function untilTold({ planned_successors = [] }: Planned, inLine: (text: string) => string): string {
  const [next] = planned_successors
  return next === undefined ? '' : `until ${instantTold(next.at)}, then “${inLine(next.title)}”`
}

/** The same for a whole record, with the id of its successor. */
export function endTold({ planned_successors = [] }: Planned, inLine: (text: string) => string): string {
  const [next] = planned_successors
  if (next === undefined) return ''
  return `until ${instantTold(next.at)}, then replaced by “${inLine(next.title)}” (${inLine(`${next.type} ${next.id}`)})`
}

/** `takes effect on 2027-01-01`. undefined: its day is past, or something has taken its place before. */
export function beginTold(
  { superseded_by }: { superseded_by: readonly unknown[] },
  begins: string | undefined,
): string | undefined {
  const isAhead = begins !== undefined && begins > new Date().toISOString()
  return isAhead && superseded_by.length === 0 ? `takes effect on ${instantTold(begins)}` : undefined
}

/** Shows an instant to people: the day alone if it is the beginning of a day in UTC. */
export function instantTold(instant: string): string {
  return instant.replace(/T00:00:00(?:\.0+)?Z$/, '')
}

/** The day of a decision. The day of its import says nothing about one whose file has no date. */
export function dayTold({ decided_at, undated }: { decided_at?: string; undated?: true }): string | undefined {
  return undated ? noDate : decided_at?.slice(0, 10)
}

/** The rationale of a proposal that a person rejected speaks for it, so only the note of that person says why. */
export function reasonsTold(
  { rationale, dismissed, rejection_note }: { rationale?: string; dismissed?: true; rejection_note?: string },
  label: string,
): [label: string, reason: string | undefined][] {
  if (!dismissed) return [[label, rationale]]
  return [
    ['Rejected because', rejection_note],
    ['Proposed because', rationale],
  ]
}
