/** Reads a label with a list below it: `Supersedes:` above two links. */
import type { Unit } from '../document/units.ts'
import { fold, markerPattern } from '../relations/markers.ts'

/** Of a relation, with nothing but its own subject around it: `This record supersedes the following ADRs:`. */
const label = new RegExp(
  `^[*_]{0,3}(?:(?:this|it)(?: (?:adr|record|decision|document|rfc))? )?(?:(?:is|was|has been|also) )?(?:${markerPattern.source})(?: (?:the following|these))?(?: (?:adrs?|records?|decisions?|documents?|rfcs?|ones?))?[*_]{0,3}\\s*[:：][*_]{0,3}$`,
  'u',
)

/** Gives the label to each item of the list, and to each line directly below it: `Supersedes: [ADR 3]`. */
export function withLabelOfList(units: readonly Unit[]): Unit[] {
  let open: Unit | undefined
  return units.flatMap((unit, at) => {
    if (open && !unit.continues && (unit.lists ?? 0) <= (open.lists ?? 0)) open = undefined
    if (open)
      return [isBelow(unit, open) ? { ...unit, source: `${open.source} ${unit.source}`, continues: false } : unit]
    const next = units[at + 1]
    if (next === undefined || !isBelow(next, unit) || !label.test(fold(unit.source))) return [unit]
    open = unit
    return []
  })
}

function isBelow(unit: Unit, above: Unit): boolean {
  const isLine = unit.continues && unit.offset === above.offset
  return isLine || (unit.isItem === true && unit.lists === (above.lists ?? 0) + 1)
}
