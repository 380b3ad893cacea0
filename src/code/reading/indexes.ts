/**
 * The search indexes to ask. After an upgrade, each repository is searched in the index of the older version until all of
 * its documents are in that of the new one.
 */
import { inVersion } from '../../ports/index-versions.ts'
import { type CodeSearch, codeIndex } from '../stored/search-document.ts'
import type { Scope } from './scope.ts'

export interface AskedIndex {
  index: string
  /** Ids of those that are searched in it. */
  repositories: string[]
}

export async function indexesOf({ served }: Pick<Scope, 'served'>, search: CodeSearch): Promise<AskedIndex[]> {
  const isOther = (version: string) => version !== search.version
  const others = [...served.values()].filter(({ search_version }) => isOther(search_version))
  const usable = others.length === 0 ? [] : (await search.versions(codeIndex)).filter(isOther)
  const asked = new Map<string, AskedIndex>()
  for (const { id, search_version } of served.values()) {
    const index = usable.includes(search_version) ? inVersion(codeIndex, search_version) : codeIndex
    const one = asked.get(index) ?? { index, repositories: [] }
    one.repositories.push(id)
    asked.set(index, one)
  }
  return [...asked.values()]
}
