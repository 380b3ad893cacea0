/** The connected repositories, and what is in their code. */
import { useLocation } from 'preact-iso/router'
import { useSurroundings } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { shortened } from '../parts/shortened.ts'
import { addressOf, askedIn } from '../repositories/asked.ts'
import { Found } from '../repositories/found.tsx'
import { RepositoryList } from '../repositories/list.tsx'
import { SearchForm } from '../repositories/search-form.tsx'

export function RepositoriesPage() {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const asked = askedIn(query)
  return (
    <Page title={asked.q === '' ? 'Repositories' : `Code: ${shortened(asked.q)}`}>
      <SearchForm asked={asked} onAsk={(next) => route(root + addressOf(next))} />
      {asked.q === '' ? <RepositoryList /> : <Found key={addressOf(asked)} asked={asked} />}
    </Page>
  )
}
