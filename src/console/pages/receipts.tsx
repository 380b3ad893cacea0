/** Receipts: what became of each write of the reader, and how far an import is. */
import { useLocation } from 'preact-iso/router'
import { useSurroundings } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { addressOf, askedIn } from '../receipt/asked.ts'
import { Filters } from '../receipt/filters.tsx'
import { ReceiptsFrom } from '../receipt/list.tsx'

export function ReceiptsPage() {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const asked = askedIn(query)
  return (
    <Page title="Receipts">
      <p class="hint">What became of your writes, newest first.</p>
      <Filters asked={asked} onAsk={(next) => route(root + addressOf(next))} />
      <ReceiptsFrom key={addressOf(asked)} asked={asked} />
    </Page>
  )
}
