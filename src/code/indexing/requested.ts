/** Indexes the repositories that a hook or an operator asked for, without waiting for the next poll. */
import type { RepositorySettings } from '../../../config/operator/repository-settings.ts'
import { chunks } from '../../ports/chunks.ts'
import { instant } from '../../ports/clock.ts'
import { fetchRequests, requestFetch } from '../stored/fetch-request.ts'
import { codeRepositories } from '../stored/repository.ts'
import type { IndexingPorts } from './ports.ts'
import { indexAndLog, type Looking } from './work.ts'

const idsAtOnce = 200

export async function lookAtRequests(
  { connected }: Pick<RepositorySettings, 'connected'>,
  ports: IndexingPorts,
  looking: Looking,
): Promise<void> {
  const { documents, clock } = ports
  const byId = new Map(connected.map((one) => [one.id, one]))
  for (const ids of chunks([...byId.keys()], idsAtOnce)) {
    const requests = await documents.find(fetchRequests, { where: { id: { in: ids } }, limit: idsAtOnce })
    for (const { id, asked_at, trace } of requests) {
      if (looking.signal.aborted) return
      const repository = byId.get(id)
      // while an attempt is under way, the request waits for its end
      const row = await documents.get(codeRepositories, id, ['claimed_until'])
      if (repository === undefined || (row !== undefined && row.claimed_until > instant(clock))) continue
      // removed before the remote is asked, so that a later request is not lost. Of two workers, one goes on
      if ((await documents.delete(fetchRequests, [id], { asked_at })) === 0) continue
      const outcome = await indexAndLog(repository, ports, looking, trace)
      if (outcome === 'taken') await requestFetch(id, trace, ports)
    }
  }
}
