/** What binds and cannot wait: a page that must be short tells more of it than of what has long been known. */
import { binds, type Item } from '../find/found.ts'
import { dueDay, periodIn } from '../text/due.ts'

/** ms */
const month = 30 * 86_400_000

/**
 * It is due within a month, or was due in the last month, or it was said in the last month; or it is a decision whose
 * period, such as a freeze, includes today or begins within a month. `now`: ISO 8601.
 */
export function isPressing(item: Item, text: string, now: string): boolean {
  const isNear = (at: string) => Math.abs(Date.parse(now) - Date.parse(at)) <= month
  if (item.kind === 'decision') {
    const period = periodIn(text)
    return period !== undefined && period.to >= now.slice(0, 10) && (period.from <= now || isNear(period.from))
  }
  const due = item.kind === 'commitment' ? dueDay(text, item.record.valid_from) : undefined
  return binds(item) && (isNear(item.said_at) || (due !== undefined && isNear(due)))
}
