/** Which tasks a list shows, and how, as its address says it. */
import { pathOfTasks, withQuery } from '../parts/addresses.ts'

export interface Asked {
  q: string
  /** Empty: those that are not closed. `any`: all. */
  status: string
  run_state: string
  priority: string
  assignee: string
  project: string
  label: string
  /** Not with q. */
  sort: string
  /** `board`: a column for each status. */
  view: string
}

const nothing: Asked = {
  q: '',
  status: '',
  run_state: '',
  priority: '',
  assignee: '',
  project: '',
  label: '',
  sort: '',
  view: '',
}
const names = Object.keys(nothing) as (keyof Asked)[]

const open = ['todo', 'in_progress', 'blocked']

export function askedIn(query: Readonly<Record<string, string>>): Asked {
  const given = names.map((name) => [name, query[name]?.trim() ?? ''])
  const { q, sort, ...rest }: Asked = { ...nothing, ...Object.fromEntries(given) }
  return { ...rest, q, sort: q === '' ? sort : '' }
}

export function addressOf(asked: Asked): string {
  return withQuery(pathOfTasks, asked)
}

/** The input of the list. Without a query and an order, the most urgent come first. */
export function listInputOf({ q, status, view: _, sort, ...filters }: Asked) {
  const statuses = status === '' ? open : status === 'any' ? undefined : [status]
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return {
    ...(q === '' ? { sort: sort === '' ? 'priority' : sort } : { q }),
    ...(statuses && { status: statuses }),
    ...Object.fromEntries(given.map(([name, value]) => [name, [value]])),
  }
}
