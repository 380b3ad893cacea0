/** All connected repositories of the workspace, whoever may see them. */
import { AsksOnce } from '../parts/asks-once.tsx'
import { type Reading, useReading, useWriting } from '../parts/context.ts'
import { Facts } from '../parts/facts.tsx'
import { Instant } from '../parts/link.tsx'
import { usePolling } from '../parts/poll.ts'
import { RepositoryState } from '../parts/repository-state.tsx'
import { Read } from '../parts/told.tsx'
import type { OperatedRepository } from '../service/service.ts'

export function OperatedRepositories() {
  const reading = useReading((service, signal) => service.operatedRepositories(signal), '')
  const items = reading.value?.items ?? []
  usePolling(
    reading,
    items.some(({ state }) => state === 'indexing' || state === 'pending'),
  )
  return (
    <section id="repositories">
      <h2>Repositories</h2>
      <Read reading={reading}>
        {() => (
          <>
            {items.length === 0 && <p class="hint">No repository is connected to this workspace.</p>}
            {items.map((repository) => (
              <One key={repository.full_name} repository={repository} reading={reading} />
            ))}
          </>
        )}
      </Read>
    </section>
  )
}

function One({ repository, reading }: { repository: OperatedRepository; reading: Reading<unknown> }) {
  const { full_name, audience, skipped, indexed_at, behind_since } = repository
  const writing = useWriting<unknown>()
  const reindex = async () => {
    const isAsked = (await writing.send((service) => service.reindexRepository(full_name), full_name)) !== undefined
    if (isAsked) reading.again()
    return isAsked
  }
  const reasons = Object.entries(skipped).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  return (
    <div class="card titled">
      <h3>{full_name}</h3>
      <RepositoryState repository={repository} />
      <Facts
        facts={[
          ['Seen by', audience],
          ['Indexed', indexed_at && <Instant at={indexed_at} />],
          ['Behind since', behind_since && <Instant at={behind_since} />],
          ['Skipped files', reasons.join(', ')],
        ]}
      />
      <AsksOnce
        label="Index it anew"
        asks="This writes all of its index again. Searches use the present one until then."
        writing={writing}
        onConfirm={reindex}
      />
    </div>
  )
}
