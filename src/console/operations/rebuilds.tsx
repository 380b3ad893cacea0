/** Rebuilds of the search index of records. */
import { AsksOnce } from '../parts/asks-once.tsx'
import { type Reading, useWriting } from '../parts/context.ts'
import { Instant } from '../parts/link.tsx'
import { usePolling } from '../parts/poll.ts'
import { Read } from '../parts/told.tsx'
import type { Rebuild } from '../service/service.ts'

const statesTold: Record<Rebuild['state'], string> = {
  asked: 'Waits for the process that maintains',
  filling: 'Copies records into the new index',
  live: 'The new index serves',
  done: 'Done',
  dropping: 'Was given up; its index is being removed',
}

const mostShown = 20

export function Rebuilds({ reading }: { reading: Reading<{ items: Rebuild[] }> }) {
  const items = reading.value?.items ?? []
  usePolling(
    reading,
    items.some(({ state }) => state !== 'done'),
  )
  const writing = useWriting<unknown>()
  const rebuild = async () => {
    const isAsked = (await writing.send((service) => service.rebuild(), 'rebuild')) !== undefined
    if (isAsked) reading.again()
    return isAsked
  }
  return (
    <section id="rebuilds">
      <h2>Search index</h2>
      <Read reading={reading}>
        {() => (
          <>
            {items.length === 0 && <p class="hint">It was not rebuilt in the last day.</p>}
            <ul class="plain" aria-live="polite">
              {items.slice(0, mostShown).map(({ index, workspace, state, asked_at, copied }) => (
                <li key={`${workspace} ${index}`}>
                  <span class={state === 'done' ? 'tag good' : 'tag'}>{statesTold[state]}</span>{' '}
                  {copied.toLocaleString()} records copied
                  <div class="hint">
                    asked for on <Instant at={asked_at} />, workspace <code>{workspace}</code>
                  </div>
                </li>
              ))}
            </ul>
            {items.length > mostShown && <p class="hint">{items.length - mostShown} earlier ones.</p>}
            <AsksOnce
              label="Rebuild it"
              asks="This copies all records into a new index. Searches use the present one until then. An admin of the first workspace rebuilds those of all workspaces."
              writing={writing}
              onConfirm={rebuild}
            />
          </>
        )}
      </Read>
    </section>
  )
}
