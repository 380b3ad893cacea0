/**
 * Since which version of the text analysis (text/version.ts) search documents hold what a filter looks for. While an
 * index of an older version serves, a search with a newer filter must not answer: it would find nothing, or everything.
 */
import type { SearchFilter } from '../ports/search.ts'
import type { TagName } from './search-document.ts'
import type { TaskFilter } from './task.ts'

const always = 0

/** A new tag gets the version that it comes with. */
const tagsSince: Record<TagName | TaskFilter, number> = {
  category: always,
  significance: always,
  surface: always,
  status: always,
  entity_type: always,
  entity: always,
  decided_by: always,
  outcome: 3,
  // only tasks have them, and every version that indexed tasks has written these
  priority: always,
  assignee: always,
  project: always,
  label: always,
  parent_id: always,
  inbox_status: always,
  run_state: 4,
}

/** A new filter that looks at a new field of search documents gets the version that it comes with. */
const filtersSince: Record<Exclude<keyof SearchFilter, 'tags' | 'except'>, number> = {
  workspace: always,
  audiences: always,
  kinds: always,
  as_of: always,
  category: always,
  significance: always,
  surface: always,
  entity_type: always,
  // they look at the date of the document, which older documents lack
  since: 3,
  until: 3,
}

/** The lowest version of the text analysis whose documents this filter can be asked of. */
export function analysisNeededBy({ tags = [], except, ...filters }: SearchFilter): number {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name as keyof typeof filters)
  const wanted = [...tags.flat(), ...(except === undefined ? [] : [except.tag])]
  return Math.max(...names.map((name) => filtersSince[name]), ...wanted.map(sinceOf))
}

function sinceOf(tag: string): number {
  return tagsSince[tag.slice(0, tag.indexOf(':')) as TagName | TaskFilter]
}
