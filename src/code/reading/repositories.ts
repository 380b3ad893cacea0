/**
 * The connected repositories that a caller sees. The operator's file says which there are and who sees them: what it
 * says holds at once, even if the rows are older.
 */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { type Actor, audiencesOf } from '../../access/actor.ts'
import { chunks } from '../../ports/chunks.ts'
import { problem } from '../../problem.ts'
import { type CodeRepository, codeRepositories, nameKey } from '../stored/repository.ts'
import type { CodeReads, CodeStore } from '../stored/store.ts'

export function visibleRepositories(code: CodeReads | undefined, actor: Actor): ConnectedRepository[] {
  const audiences = audiencesOf(actor)
  return (code?.connected ?? []).filter(
    ({ workspace, audience }) => workspace === actor.workspace && audiences.includes(audience),
  )
}

/** Rows that were written for the audience that now holds. A repository without a row is pending. */
export async function rowsOf(
  connected: readonly ConnectedRepository[],
  { documents }: Pick<CodeStore, 'documents'>,
): Promise<Map<string, CodeRepository>> {
  const rows = new Map<string, CodeRepository>()
  const audiences = new Map(connected.map(({ id, audience }) => [id, audience]))
  for (const ids of chunks([...audiences.keys()], rowsAtOnce)) {
    for (const row of await documents.find(codeRepositories, { where: { id: { in: ids } }, limit: rowsAtOnce })) {
      if (audiences.get(row.id) === row.audience) rows.set(row.id, row)
    }
  }
  return rows
}
const rowsAtOnce = 200

/** A row with a commit that is served. */
export type ServedRepository = CodeRepository & { commit: string }

/**
 * Throws not_found if there is none of this name that the actor sees, and repository_not_ready if no commit of it is
 * indexed yet.
 */
export async function servedRepository(
  code: CodeReads | undefined,
  actor: Actor,
  name: string,
): Promise<{ row: ServedRepository; store: CodeStore }> {
  const connected = visibleRepositories(code, actor).find((one) => nameKey(one.name) === nameKey(name))
  if (code === undefined || connected === undefined) {
    throw problem('not_found', 'No connected repository has this name.')
  }
  const store = await code.open()
  const row = (await rowsOf([connected], store)).get(connected.id)
  if (row === undefined || row.commit === null) {
    const why =
      row?.state === 'ready'
        ? ': it has no commit.'
        : row?.state === 'failed' && row.error !== null
          ? `. The last attempt failed: ${row.error}`
          : '.'
    throw problem('repository_not_ready', `No commit of ${connected.name} is indexed yet${why}`)
  }
  return { row: { ...row, commit: row.commit }, store }
}
