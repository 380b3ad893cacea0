/** The brief, about everything or about what was typed, and what needs a person. */

import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Asked } from '../home/asked.ts'
import { Briefing } from '../home/briefing.tsx'
import { NeedsAPerson } from '../home/needs-a-person.tsx'
import { pathOfSearch } from '../parts/addresses.ts'
import { useSurroundings } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { shortened } from '../parts/shortened.ts'

export function HomePage() {
  const { query } = useLocation()
  const asked = { q: query.q?.trim() ?? '', isHandoff: query.lens === 'handoff' }
  const isAboutAll = asked.q === ''
  return (
    <Page title={shortened(asked.q) || (asked.isHandoff ? 'Handoff' : 'What to know now')}>
      <Ask {...asked} />
      <div class={isAboutAll ? 'home' : undefined}>
        {isAboutAll && <NeedsAPerson />}
        <Briefing {...asked} />
      </div>
    </Page>
  )
}

function Ask(asked: Asked) {
  const { root } = useSurroundings()
  const { route } = useLocation()
  const [q, setQ] = useState(asked.q)
  const [isHandoff, setIsHandoff] = useState(asked.isHandoff)
  // the address changes without this form, for example by the Back button
  useEffect(() => setQ(asked.q), [asked.q])
  useEffect(() => setIsHandoff(asked.isHandoff), [asked.isHandoff])
  const submit = (event: Event) => {
    event.preventDefault()
    const wanted = new URLSearchParams()
    if (q.trim() !== '') wanted.set('q', q.trim())
    if (isHandoff) wanted.set('lens', 'handoff')
    route(wanted.size === 0 ? root : `${root}?${wanted}`)
  }
  return (
    <search>
      <form onSubmit={submit}>
        <QueryField label="What do you want to know?" value={q} onValue={setQ} submit="Brief me" />
        <div class="row">
          <label class="choice">
            <input
              type="checkbox"
              name="handoff"
              checked={isHandoff}
              onChange={(event) => setIsHandoff(event.currentTarget.checked)}
            />
            For a handoff: to somebody who takes over the work
          </label>
          {asked.q !== '' && <Link to={pathOfSearch(asked.q)}>Search the records for it</Link>}
          {asked.q !== '' && <Link to="">What to know now</Link>}
        </div>
      </form>
    </search>
  )
}
