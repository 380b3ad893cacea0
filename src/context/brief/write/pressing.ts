/** What binds and cannot wait: a page that must be short tells more of it than of what has long been known. */
import { binds, type Item } from '../find/found.ts'
import { dueDay, isWithinMonth, lastsOrBeginsSoon, periodIn } from '../text/due.ts'

/**
 * A commitment that is due within a month or was due in the last month; what binds and was said in the last month; or a
 * decision for a period, such as a freeze, that lasts or begins soon. `now`: ISO 8601.
 */
export function isPressing(item: Item, text: string, now: string): boolean {
  if (item.kind === 'decision') {
    const period = periodIn(text)
    return period !== undefined && lastsOrBeginsSoon(period, now)
  }
  const due = item.kind === 'commitment' ? dueDay(text, item.record.valid_from) : undefined
  return binds(item) && (isWithinMonth(item.said_at, now) || (due !== undefined && isWithinMonth(due, now)))
}
