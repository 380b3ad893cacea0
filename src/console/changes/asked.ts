/** Which changes are shown. The address of the page tells it. */
import { pathOfChanges, withQuery } from '../parts/addresses.ts'
import type { Change, ChangesPage } from '../service/service.ts'

export interface Asked {
  /** Empty: all records. */
  records: Feed | ''
  /** Empty: all kinds of changes. */
  change: Change['change_type'] | ''
  /** The first day, in UTC. Empty: a week ago. */
  since: string
}

export type Feed = keyof ChangesPage['changes']

export const feedsTold: Record<Feed, string> = {
  knowledge: 'Memories',
  decisions: 'Decisions',
  work: 'Tasks',
}

export const changesTold: Record<Change['change_type'], string> = {
  upsert: 'New or changed',
  superseded: 'Superseded',
  invalidated: 'Withdrawn or rejected',
}

const usualDays = 7

/** Leaves out values that do not exist. */
export function askedIn(query: Readonly<Record<string, string>>): Asked {
  const { records = '', change = '', since = '' } = query
  return {
    records: Object.hasOwn(feedsTold, records) ? (records as Feed) : '',
    change: Object.hasOwn(changesTold, change) ? (change as Change['change_type']) : '',
    since: /^\d{4}-\d{2}-\d{2}$/.test(since) && !Number.isNaN(Date.parse(since)) ? since : '',
  }
}

export const addressOf = (asked: Asked): string => withQuery(pathOfChanges, asked)

export function firstDay({ since }: Asked): string {
  return since === '' ? new Date(Date.now() - (usualDays - 1) * 86_400_000).toISOString().slice(0, 10) : since
}
