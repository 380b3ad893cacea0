/** Indexes the repositories that a hook or an operator asked for, without waiting for the next poll. */
import type { RepositorySettings } from '../../../config/operator/repository-settings.ts'
import { chunks } from '../../ports/chunks.ts'
import { fetchRequests } from '../stored/fetch-request.ts'
import { codeRepositories } from '../stored/repository.ts'
import { isTaken } from './attempt.ts'
import type { IndexingPorts } from './ports.ts'
import { indexAndLog, type Looking } from './work.ts'

const idsAtOnce = 200

export async function lookAtRequests(
  { connected }: Pick<RepositorySettings, 'connected'>,
  ports: IndexingPorts,
  looking: Looking,
): Promise<void> {
  const { documents } = ports
  const byId = new Map(connected.map((one) => [one.id, one]))
  for (const ids of chunks([...byId.keys()], idsAtOnce)) {
    const requests = await documents.find(fetchRequests, { where: { id: { in: ids } }, limit: idsAtOnce })
    for (const { id, asked_at, trace } of requests) {
      if (looking.signal.aborted) return
      const repository = byId.get(id)
      // while an attempt is under way, the request waits for its end
      const row = await documents.get(codeRepositories, id, ['id', 'generation', 'claimed_until'])
      if (repository === undefined || (row !== undefined && isTaken(row, ports))) continue
      const outcome = await indexAndLog(repository, ports, looking, trace)
      // the request stays, so that the next look tries again. It also stays if this process dies
      if (outcome === undefined || outcome === 'taken') continue
      // a request that arrived meanwhile has a later time, so it is not deleted
      await documents.delete(fetchRequests, [id], { asked_at })
    }
  }
}
