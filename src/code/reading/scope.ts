/** The repositories that a search looks at, and how complete their indexes are. */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import type { Actor } from '../../access/actor.ts'
import { chunks } from '../../ports/chunks.ts'
import { invalid } from '../../problem.ts'
import { type CodeRepository, codeRepositories, nameKey } from '../stored/repository.ts'
import type { CodeReads, CodeStore } from '../stored/store.ts'
import { rowsOf, type ServedRepository, visibleRepositories } from './repositories.ts'

export interface Scope {
  /** Those with a commit that is served, by id. */
  served: Map<string, ServedRepository>
  coverage: { repos: number; behind: number }
}

export interface Named {
  /** Full names. undefined: all that the actor sees. */
  wanted: readonly string[] | undefined
  unwanted?: readonly string[]
}

/** Throws invalid_request if the actor sees no repository with a wanted name. `field` tells where it was given. */
export async function scopeOf(
  code: CodeReads | undefined,
  actor: Actor,
  { wanted, unwanted = [] }: Named,
  field: string,
): Promise<{ scope: Scope; store: CodeStore | undefined }> {
  const visible = visibleRepositories(code, actor)
  const left = new Set(unwanted.map(nameKey))
  const asked = (wanted === undefined ? visible : named(visible, wanted, field)).filter(
    ({ name }) => !left.has(nameKey(name)),
  )
  if (code === undefined || asked.length === 0) {
    return { scope: { served: new Map(), coverage: { repos: 0, behind: 0 } }, store: undefined }
  }
  const store = await code.open()
  const rows = await rowsOf(asked, store)
  const served = [...rows.values()].filter((row): row is ServedRepository => row.commit !== null)
  const behind = asked.filter(({ id }) => isBehind(rows.get(id))).length
  return {
    scope: { served: new Map(served.map((row) => [row.id, row])), coverage: { repos: asked.length, behind } },
    store,
  }
}

function named(visible: readonly ConnectedRepository[], names: readonly string[], field: string) {
  const byName = new Map(visible.map((one) => [nameKey(one.name), one]))
  const found = names.map((name) => {
    const one = byName.get(nameKey(name))
    if (one === undefined)
      throw invalid(field, `no connected repository is called ${name}: GET /api/v2/repos lists them`)
    return one
  })
  return [...new Set(found)]
}

/** Not indexed yet, or at another commit than its head. A repository without commits is not behind. */
function isBehind(row: CodeRepository | undefined): boolean {
  return row === undefined || row.commit !== row.head || (row.commit === null && row.state !== 'ready')
}

/** A read is repeated so often at most. */
export const mostReads = 3

/** A new commit was published meanwhile, and rows of the one before may have been deleted: then it is read again. */
export async function hasMoved({ served }: Scope, ids: Iterable<string>, { documents }: CodeStore): Promise<boolean> {
  for (const some of chunks([...new Set(ids)], rowsAtOnce)) {
    const where = { id: { in: some } }
    const rows = await documents.find(codeRepositories, { where, limit: rowsAtOnce, fields: ['id', 'commit'] })
    const commits = new Map(rows.map(({ id, commit }) => [id, commit]))
    if (some.some((id) => commits.get(id) !== served.get(id)?.commit)) return true
  }
  return false
}
const rowsAtOnce = 200
