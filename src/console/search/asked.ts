/** What a search asks, as its address says it. */
export type Kind = 'all' | 'decisions' | 'memories'

export interface Asked {
  q: string
  kind: Kind
  /** A day, which means its end in UTC, or an instant. Not with decisions. */
  as_of: string
  /** The rest only with decisions. */
  category: string
  significance: string
  surface: string
  in_force: string
  since: string
  until: string
}

const decisionFilters = ['category', 'significance', 'surface', 'in_force', 'since', 'until'] as const
const nothing: Asked = {
  q: '',
  kind: 'all',
  as_of: '',
  category: '',
  significance: '',
  surface: '',
  in_force: '',
  since: '',
  until: '',
}

const names = Object.keys(nothing) as (keyof Asked)[]

export function askedIn(query: Readonly<Record<string, string>>): Asked {
  const given = names.map((name) => [name, query[name]?.trim() ?? ''])
  const { kind, ...rest } = { ...nothing, ...Object.fromEntries(given) }
  return applying({ ...rest, kind: kind === 'decisions' || kind === 'memories' ? kind : 'all' })
}

export function addressOf(asked: Asked): string {
  const wanted = applying(asked)
  const given = names.filter((name) => wanted[name] !== nothing[name])
  return given.length === 0 ? 'search' : `search?${new URLSearchParams(given.map((name) => [name, wanted[name]]))}`
}

/** Without the filters that the kind does not have. */
function applying(asked: Asked): Asked {
  if (asked.kind === 'decisions') return { ...asked, as_of: '' }
  const dropped = Object.fromEntries(decisionFilters.map((name) => [name, '']))
  return { ...asked, ...dropped }
}

/** The input of a search for decisions. The service refuses values that a filter does not have. */
export function findInputOf({ q, category, significance, surface, in_force, since, until }: Asked) {
  const filters = {
    ...(q && { q }),
    ...(category && { category }),
    ...(significance && { significance }),
    ...(surface && { surface }),
    ...(in_force && { in_force }),
    // the service leaves out the instant itself, and many decisions are dated to the beginning of a day
    ...(since && { since: isDay(since) ? endOfDay(dayBefore(since)) : since }),
    ...(until && { until: endOfDay(until) }),
  }
  // without a question the service wants a filter: no decision is later than this
  return Object.keys(filters).length > 0 ? filters : { until: '9999-12-31T00:00:00.000Z' }
}

export function endOfDay(date: string): string {
  return isDay(date) ? `${date}T23:59:59.999Z` : date
}

function dayBefore(day: string): string {
  const before = new Date(`${day}T00:00:00Z`)
  before.setUTCDate(before.getUTCDate() - 1)
  return before.toISOString().slice(0, 10)
}

export function isDay(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))
}
