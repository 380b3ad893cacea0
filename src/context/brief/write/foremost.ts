/** Which records a page without a query tells more of, because it must be short. */
import { isImported } from '../../../records/imported.ts'
import type { Material } from '../choose/material.ts'
import { binds, type Item } from '../find/found.ts'
import { dueDay, isWithinMonth, lastsOrBeginsSoon, periodIn } from '../text/due.ts'
import type { Asked } from './write.ts'

/** `pressing`: what cannot wait. `others`: the others that are worth a whole line. Both begin with the foremost. */
export function foremostFirst(
  { used, first, texts, outdated }: Material,
  { now, lens }: Pick<Asked, 'now' | 'lens'>,
): { pressing: Item[]; others: Item[] } {
  const newestFirst = [...used].sort((a, b) => (a.said_at < b.said_at ? 1 : -1))
  const isHandoff = lens === 'handoff'
  const isOutdated = ({ record }: Item) => outdated.has(record.record_id)
  const reports = isHandoff ? newestFirst.filter(({ kind }) => kind === 'session_outcome') : []
  // a mark may be wrong, so what such a report says was left is told too
  const left = [...reports.filter((item) => !isOutdated(item)), ...reports.filter(isOutdated)]
  const isDue = (item: Item) => isPressing(item, texts.get(item.record.id) ?? '', now)
  const sinceThem = new Set(reports.flatMap(({ record }) => outdated.get(record.record_id) ?? []))
  const pressing = new Set([...left, ...newestFirst.filter((item) => isDue(item) || sinceThem.has(item))])
  const newer = new Set(outdated.values())
  const isDecision = (item: Item) => item.kind === 'decision' && first.has(item)
  const isOwnDecision = (item: Item) => isDecision(item) && !isImported(item.record)
  const holds = (item: Item) => !isOutdated(item)
  const groups: ((item: Item) => boolean)[] = [
    // they are few. A successor needs them less than the rules
    (item) => !isHandoff && isOwnDecision(item) && holds(item),
    // a reader may know only what it was before
    (item) => binds(item) && newer.has(item) && holds(item),
    (item) => binds(item) && holds(item),
    (item) => isOwnDecision(item) && holds(item),
    // a mark may be wrong: a rule comes before what only informs
    binds,
    isOwnDecision,
    (item) => newer.has(item),
    // they can be read in their repository
    isDecision,
  ]
  const groupOf = (item: Item) => groups.findIndex((isOf) => isOf(item))
  const others = newestFirst.filter((item) => groupOf(item) >= 0 && !pressing.has(item))
  others.sort((a, b) => groupOf(a) - groupOf(b))
  return { pressing: [...pressing], others }
}

/**
 * A commitment that is due within a month or was due in the last month; what binds and was said in the last month; or a
 * decision for a period, such as a freeze, that lasts or begins soon. `now`: ISO 8601.
 */
function isPressing(item: Item, text: string, now: string): boolean {
  if (item.kind === 'decision') {
    const period = periodIn(text)
    return period !== undefined && lastsOrBeginsSoon(period, now)
  }
  const due = item.kind === 'commitment' ? dueDay(text, item.record.valid_from) : undefined
  return binds(item) && (isWithinMonth(item.said_at, now) || (due !== undefined && isWithinMonth(due, now)))
}
