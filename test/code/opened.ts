/** A repository, the ports to index it, and what its index holds. */
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { indexRepository } from '../../src/code/indexing/index-repository.ts'
import type { IndexingPorts } from '../../src/code/indexing/ports.ts'
import { codeFiles, currentFiles } from '../../src/code/stored/file.ts'
import { codeRepositories } from '../../src/code/stored/repository.ts'
import { type CodeSearch, codeIndex } from '../../src/code/stored/search-document.ts'
import { codeCollections } from '../../src/code/stored/store.ts'
import { codeSymbols } from '../../src/code/stored/symbol.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import { analyze } from '../../src/text/analyzer.ts'
import { openedParser } from '../adapters/code-parser/open.ts'
import { never, newMirrors, newRepository } from '../adapters/git/repositories.ts'
import { openEngines } from '../support/profile-engines.ts'

export const workspace = '0195b5a0-0000-7000-8000-000000000001' as WorkspaceId
export const silent = { info() {}, error() {} }

export async function opened() {
  const engines = await openEngines()
  onTestFinished(() => engines.close())
  await engines.documents.declare(codeCollections)
  const { mirrors } = newMirrors()
  const search = engines.search as unknown as CodeSearch
  const ports: IndexingPorts = {
    documents: engines.documents,
    search,
    mirrors,
    parser: openedParser(),
    clock: systemClock,
  }
  const repository = newRepository()
  const connected = {
    id: `${workspace}/acme/shop@1`,
    name: 'acme/shop',
    workspace,
    audience: 'workspace' as const,
    url: repository.path,
    include: [] as string[],
    exclude: [] as string[],
  }
  return {
    ports,
    /** The search engine as a service of another version opens it. */
    searchOf: (analysis: number) => engines.searchOf(analysis) as unknown as CodeSearch,
    repository,
    connected,
    /** A worker that died holds its claim for two minutes. */
    endClaim: () => ports.documents.update(codeRepositories, connected.id, { set: { claimed_until: '' } }),
    index: (with_: Partial<IndexingPorts> = {}) => indexRepository(connected, { ...ports, ...with_ }, never),
    row: () => ports.documents.get(codeRepositories, connected.id),
    async files() {
      const row = await ports.documents.get(codeRepositories, connected.id)
      const rows = await ports.documents.find(codeFiles, {
        where: { repository: connected.id },
        sort: [['path', 'asc']],
        limit: 1_000,
      })
      return currentFiles(rows, row?.published ?? [])
        .map(({ path }) => path)
        .sort()
    },
    async symbols() {
      const rows = await ports.documents.find(codeSymbols, { where: { repository: connected.id }, limit: 1_000 })
      return rows.map(({ name }) => name).sort()
    },
    async hits(q: string, ...tags: string[]) {
      const terms = [...new Set(analyze(q))]
      const filter = {
        workspace,
        audiences: ['workspace' as const],
        kinds: ['chunk' as const],
        tags: tags.map((tag) => [tag]),
      }
      const { items } = await search.candidates(codeIndex, filter, { terms, weights: terms.map(() => 1) }, 50)
      return items.length
    },
  }
}
