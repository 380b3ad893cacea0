/** Connected repositories as admins of their workspace see them: all of them, whatever their audience. */
import { z } from 'zod'
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { type Actor, requireScope } from '../../access/actor.ts'
import type { Clock } from '../../ports/clock.ts'
import { problem } from '../../problem.ts'
import { text } from '../../validation/schema.ts'
import { validated } from '../../validation/validated.ts'
import { itemOf } from '../reading/list.ts'
import { rowsOf } from '../reading/repositories.ts'
import { repositoryItem } from '../reading/schema.ts'
import { requestFetch } from '../stored/fetch-request.ts'
import { type CodeRepository, codeRepositories, nameKey } from '../stored/repository.ts'
import type { CodeReads } from '../stored/store.ts'
import { type HookCall, hookCalled } from './hooks.ts'

const count = z.int().min(0)
const instant = z.iso.datetime().nullable()

export const operatedRepository = repositoryItem.extend({
  audience: z.string(),
  skipped: z.record(z.string(), count).describe('Skipped files by reason.'),
  indexed_at: instant.describe('When the indexed commit was complete.'),
  behind_since: instant.describe(
    'Since when the newest commit is known and not indexed. null: the index is not behind.',
  ),
})
export type OperatedRepository = z.infer<typeof operatedRepository>
export const operatedList = z.strictObject({ items: z.array(operatedRepository) })

export const reindexRequest = z.strictObject({ repository: text(1, 300).describe('Its full name, such as acme/shop.') })

export interface OperatedRepositories {
  /** By name. */
  list(by: Actor): Promise<OperatedRepository[]>
  /** Asks for a complete new index. The present one serves until then. Throws invalid_request or not_found. */
  reindex(by: Actor, request: unknown): Promise<OperatedRepository>
  /** false: there is no hook of this name with this secret. */
  hook(call: HookCall): Promise<boolean>
}

export function operatedRepositories(code: CodeReads | undefined, clock: Clock): OperatedRepositories {
  return {
    async list(by) {
      requireScope(by, 'admin')
      const connected = (code?.connected ?? []).filter(({ workspace }) => workspace === by.workspace)
      if (code === undefined || connected.length === 0) return []
      const rows = await rowsOf(connected, await code.open())
      return connected.map((one) => shown(one, rows.get(one.id))).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    },

    async reindex(by, request) {
      requireScope(by, 'admin')
      const key = nameKey(validated(reindexRequest, request).repository)
      const found = code?.connected.find((one) => one.workspace === by.workspace && nameKey(one.name) === key)
      if (code === undefined || found === undefined) {
        throw problem('not_found', 'No connected repository of this workspace has this name.')
      }
      const store = await code.open()
      // no index has these settings, so the next attempt writes all of it anew. An attempt under way can't be published
      const set = { settings: '', claimed_until: '', state: 'indexing' as const, error: null }
      const anew = { set, inc: { generation: 1 } }
      await store.documents.update(codeRepositories, found.id, anew)
      await requestFetch(found.id, null, { documents: store.documents, clock })
      return shown(found, (await rowsOf([found], store)).get(found.id))
    },

    hook: (call) => hookCalled(code, call, clock),
  }
}

const keyOf = ({ full_name }: OperatedRepository) => nameKey(full_name)

function shown(connected: ConnectedRepository, row: CodeRepository | undefined): OperatedRepository {
  return {
    ...itemOf(connected, row),
    audience: connected.audience,
    skipped: row?.skipped ?? {},
    indexed_at: row?.indexed_at ?? null,
    behind_since: row?.behind_since ?? null,
  }
}
