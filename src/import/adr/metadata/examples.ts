/** Finds the quotations of a section that are only examples. */
import type { Unit } from '../document/units.ts'
import { startsWithLabel } from './field-line.ts'

/** `[!NOTE]` or `**Note**`: the quotation that begins with it is a note of the record itself. */
export const alertMark = /^(?:\[![A-Z]+\]|\*\*(?:note|update|important|warning):?\*\*:?)\s*/i

/** Whether such a note begins at the offset. */
export const isAlert = (text: string, offset: number) =>
  alertMark.test(text.slice(offset, offset + 30).replace(/^> ?/, ''))

/**
 * The lines of a section that are only examples: quotations beside other text that are neither an alert nor labelled, as
 * `> **Note:** …` is. If all its text is a quotation, none are.
 */
export function examplesIn(text: string, units: readonly Unit[]): ReadonlySet<Unit> {
  const quoted = units.filter((unit) => unit.quoted)
  if (quoted.length === units.length) return new Set()
  const notes = new Set(
    quoted
      .filter((unit) => !unit.continues && (isAlert(text, unit.offset) || startsWithLabel(unit)))
      .map(({ offset }) => offset),
  )
  return new Set(quoted.filter(({ offset }) => !notes.has(offset)))
}
