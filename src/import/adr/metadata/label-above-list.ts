/** Reads a label with a list below it: `Supersedes:` above two links. */
import { wordKey } from '../document/dictionary.ts'
import type { Unit } from '../document/units.ts'
import { labels, relationKinds } from './field-line.ts'

const nouns = '(?:adrs?|records?|decisions?|documents?|rfcs?|ones?)'
/** What may stand around the label of a relation: `This record supersedes the following ADRs:`. */
const label = new RegExp(
  `^[*_]{0,3}(?:(?:this|it)(?: ${nouns})? )?(?:(?:is|was|has been|also) )?(.{3,40}?)(?: (?:the following|these))?(?: ${nouns})?[*_]{0,3}\\s*[:：][*_]{0,3}$`,
  'iu',
)

function isLabel(source: string): boolean {
  const kind = labels.get(wordKey(label.exec(source.trim())?.[1] ?? ''))
  return kind !== undefined && relationKinds.has(kind)
}

/** Gives the label to each item of the list, and to each line directly below it: `Supersedes: [ADR 3]`. */
export function withLabelOfList(units: readonly Unit[]): Unit[] {
  let open: Unit | undefined
  return units.flatMap((unit, at) => {
    if (open && !unit.continues && (unit.lists ?? 0) <= (open.lists ?? 0)) open = undefined
    if (open)
      return [isBelow(unit, open) ? { ...unit, source: `${open.source} ${unit.source}`, continues: false } : unit]
    const next = units[at + 1]
    if (next === undefined || !isBelow(next, unit) || !isLabel(unit.source)) return [unit]
    open = unit
    return []
  })
}

function isBelow(unit: Unit, above: Unit): boolean {
  const isLine = unit.continues && unit.offset === above.offset
  return isLine || (unit.isItem === true && unit.lists === (above.lists ?? 0) + 1)
}
