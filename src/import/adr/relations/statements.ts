/** Joins the lines in which relations are written, and leaves out words that are only an example. */
import type { Unit } from '../document/units.ts'
import { type Field, startsWithLabel } from '../metadata/field-line.ts'
import { withLabelOfList } from '../metadata/label-above-list.ts'
import { anyMarker, fold } from './markers.ts'

const withoutStruck = (source: string) => source.replace(/~~[^~]*~~/gu, ' ')

/** Without struck words, code, and quoted words that contain a marker: `"superseded by ADR 3"` is an example. */
export function withoutExamples(source: string): string {
  return withoutStruck(source).replace(/`[^`\n]{1,300}`|["“«][^"”»]{1,300}["”»]/gu, (quoted) =>
    anyMarker.test(fold(quoted)) ? ' ' : quoted,
  )
}

/** Joins the lines of a status: a sentence may continue on the next line. Struck words are left out. */
export function joinedLines(fields: readonly Field[]): Field[] {
  const whole: Field[] = []
  for (const field of fields) {
    const last = whole.at(-1)
    const goesOn = field.continues && field.kind === 'status' && last?.kind === 'status' && last.source.length < 4000
    if (goesOn) last.source += `\n${field.source}`
    else whole.push({ ...field })
  }
  return whole.map((field) => ({ ...field, source: withoutStruck(field.source) }))
}

/** Joins the lines of a paragraph or list item, because a sentence may continue on the next line. */
export function statements(units: readonly Unit[]): Unit[] {
  const whole: Unit[] = []
  for (const unit of withLabelOfList(units)) {
    const last = whole.at(-1)
    if (unit.continues && last && last.source.length < 4000 && !startsWithLabel(unit)) last.source += `\n${unit.source}`
    else whole.push({ ...unit })
  }
  return whole
}
