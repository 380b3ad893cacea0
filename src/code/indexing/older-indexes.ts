/** Drops the search index of an older version once all repositories are served from that of this version. */
import { chunks } from '../../ports/chunks.ts'
import { codeRepositories } from '../stored/repository.ts'
import { type CodeSearch, codeIndex } from '../stored/search-document.ts'
import type { IndexingPorts } from './ports.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'search' | 'clock'>

/** ms. Processes of the older version may still search it. */
const olderKeptFor = 15 * 60_000
const repositoriesAtOnce = 200

/** Since when this process knows that no repository needs an older index, by the engine. Infinity: it has dropped all. */
const unneededSince = new WeakMap<CodeSearch, number>()

/** A process does so once. */
export async function dropOlderIndexes(repositories: readonly string[], ports: Ports): Promise<void> {
  const { search, clock } = ports
  const since = unneededSince.get(search)
  if (since === Number.POSITIVE_INFINITY) return
  if (await isOlderNeeded(repositories, ports)) {
    unneededSince.delete(search)
    return
  }
  if (since === undefined) unneededSince.set(search, clock.now())
  if (since === undefined || clock.now() - since < olderKeptFor) return
  await search.dropOlder(codeIndex)
  unneededSince.set(search, Number.POSITIVE_INFINITY)
}

async function isOlderNeeded(repositories: readonly string[], { documents, search }: Ports): Promise<boolean> {
  for (const ids of chunks(repositories, repositoriesAtOnce)) {
    const where = { id: { in: ids } }
    const fields = ['commit', 'search_version'] as const
    const rows = await documents.find(codeRepositories, { where, limit: repositoriesAtOnce, fields })
    if (rows.some(({ commit, search_version }) => commit !== null && search_version !== search.version)) return true
  }
  return false
}
