/** The feed of changes from a day on, page by page. It begins with the oldest change and goes forward only. */
import { Refusal } from '../service/http.ts'
import type { Change, ChangesPage, Service } from '../service/service.ts'
import type { Feed } from './asked.ts'
import type { Places } from './places.ts'

/** The last change of a record. Of each record, the feed has only this one. */
export interface Changed extends Change {
  feed: Feed
}

export interface Progress {
  /** Newest first. */
  changes: readonly Changed[]
  /** How many changes were read, also earlier ones. */
  read: number
  /** When the last of them was made. */
  upTo: string | undefined
  /** The end of the feed is reached. */
  isComplete: boolean
}

const pageLength = 200

/** Returns a function that reads the next page and returns all changes so far. `day`: the first day that is wanted. */
export function openFeed(day: string, places: Places, service: Service) {
  const found = new Map<string, Changed>()
  let cursor = places.before(day)
  let [read, upTo]: [number, string | undefined] = [0, undefined]

  const startOver = () => {
    places.clear()
    found.clear()
    read = 0
    upTo = undefined
  }

  return async (signal: AbortSignal): Promise<Progress> => {
    const page = await service.changes({ cursor, limit: pageLength }, signal).catch((error: unknown) => {
      // such as the cursor of another workspace
      if (cursor === undefined || !(error instanceof Refusal) || error.code !== 'invalid_request') throw error
      startOver()
      return service.changes({ limit: pageLength }, signal)
    })
    // what this key may see has changed, so this page is the first one again
    if (page.reset_required) startOver()
    const changes = changesOf(page)
    for (const change of changes) {
      if (change.changed_at >= day) found.set(`${change.kind} ${change.id}`, change)
    }
    cursor = page.cursor
    read += changes.length
    upTo = latestOf(changes) ?? upTo
    if (changes.length > 0 && upTo !== undefined) places.add({ at: upTo, cursor })
    return { changes: [...found.values()].sort(newestFirst), read, upTo, isComplete: !page.has_more }
  }
}

function changesOf({ changes }: ChangesPage): Changed[] {
  return (Object.keys(changes) as Feed[]).flatMap((feed) => changes[feed].map((change) => ({ ...change, feed })))
}

export function latestOf(changes: readonly Change[]): string | undefined {
  return changes.map(({ changed_at }) => changed_at).reduce((a, b) => (a > b ? a : b), '') || undefined
}

const newestFirst = (a: Change, b: Change) => (a.changed_at < b.changed_at ? 1 : a.changed_at > b.changed_at ? -1 : 0)
