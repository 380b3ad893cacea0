/** Records by a query, or the newest, each with its passage and how it stands. */
import { useLocation } from 'preact-iso/router'
import { useSurroundings } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { shortened } from '../parts/shortened.ts'
import { type Asked, addressOf, askedIn, isDay } from '../search/asked.ts'
import { SearchForm } from '../search/form.tsx'
import { HitsFrom } from '../search/hits.tsx'

export function SearchPage() {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const asked = askedIn(query)
  const address = addressOf(asked)
  return (
    <Page title={asked.q === '' ? 'Search' : `Search: ${shortened(asked.q)}`}>
      <SearchForm asked={asked} onSearch={(next) => route(root + addressOf(next))} />
      <WhatIsShown {...asked} />
      <HitsFrom key={address} asked={asked} />
    </Page>
  )
}

function WhatIsShown(asked: Asked) {
  const { q, kind, as_of } = asked
  if (as_of !== '') {
    return (
      <p class="card">
        What was in force {isDay(as_of) ? `at the end of ${as_of} (UTC)` : `at ${as_of}`}.{' '}
        <Link to={addressOf({ ...asked, as_of: '' })}>Show what is in force now</Link>
      </p>
    )
  }
  if (q !== '') return null
  return <p class="hint">{kind === 'decisions' ? 'The newest decisions.' : 'The newest records in force.'}</p>
}
