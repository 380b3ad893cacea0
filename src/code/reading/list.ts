/** repository.list: the connected repositories that the caller sees, by name. */
import { pathToFileURL } from 'node:url'
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { openList } from '../../access/list.ts'
import { defineQuery } from '../../operation.ts'
import { type CodeRepository, nameKey } from '../stored/repository.ts'
import { rowsOf, visibleRepositories } from './repositories.ts'
import {
  type ListRepositoriesInput,
  type ListRepositoriesOutput,
  listRepositoriesInput,
  listRepositoriesOutput,
} from './schema.ts'

type Item = ListRepositoriesOutput['items'][number]

/** The name_key of the last repository that was listed. */
interface Position {
  after: string
}

export const listRepositories = defineQuery<ListRepositoriesInput, ListRepositoriesOutput>({
  name: 'repository.list',
  scope: 'repos:read',
  summary: 'The connected git repositories: which commit of each is indexed, and which is its newest.',
  input: listRepositoriesInput,
  output: listRepositoriesOutput,

  async run({ input, actor, reads }) {
    const list = openList<Position>(reads, actor, 'repository.list', input)
    const part = nameKey(input.q ?? '')
    const after = list.position?.after ?? ''
    const named = visibleRepositories(reads.code, actor)
      .map((connected) => ({ connected, key: nameKey(connected.name) }))
      .filter(({ key }) => key > after && key.includes(part))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ connected }) => connected)
    if (named.length === 0 || reads.code === undefined) return list.page([], undefined)
    const rows = await rowsOf(named, await reads.code.open())
    const items = named
      .map((connected) => itemOf(connected, rows.get(connected.id)))
      .filter(({ state }) => input.state?.includes(state) ?? true)
    const page = items.slice(0, input.limit)
    const last = page.at(-1)
    const hasMore = items.length > page.length && last !== undefined
    return list.page(page, hasMore ? { after: nameKey(last.full_name) } : undefined)
  },
})

export function itemOf({ name, url, branch }: ConnectedRepository, row: CodeRepository | undefined): Item {
  const defaultBranch = row?.branch ?? branch
  return {
    full_name: name,
    ...(defaultBranch === undefined ? {} : { default_branch: defaultBranch }),
    head: at(row?.head, row?.head_at),
    indexed: at(row?.commit, row?.commit_at),
    state: row?.state ?? 'pending',
    ...(row?.error ? { error: row.error } : {}),
    languages: row?.languages ?? {},
    counts: {
      files: row?.files ?? 0,
      symbols: row?.symbols ?? 0,
      skipped: Object.values(row?.skipped ?? {}).reduce((sum, count) => sum + count, 0),
    },
    url: url.startsWith('/') ? pathToFileURL(url).href : url,
  }
}

function at(commit: string | null | undefined, instant: string | null | undefined): Item['head'] {
  return commit && instant ? { commit, at: instant } : null
}
