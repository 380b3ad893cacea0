import { pathOfRecord } from '../parts/addresses.ts'
import { Link } from '../parts/link.tsx'
import type { Hits, Source } from '../service/service.ts'

/** What was superseded, with links to both records; without one to the record `shownAs`, below which it stands. */
export function Conflict({ conflict, shownAs }: { conflict: Hits['conflicts'][number]; shownAs?: string }) {
  const { message, source, superseded_by } = conflict
  return (
    <p class="conflict">
      {message}
      {source.id !== shownAs && <To source={source} text="Open the older one" />}
      {superseded_by.id !== shownAs && <To source={superseded_by} text="Open the newer one" />}
    </p>
  )
}

function To({ source, text }: { source: Source; text: string }) {
  const path = pathOfRecord(source)
  if (path === undefined) return null
  return (
    <>
      {' '}
      <Link to={path}>{text}</Link>
    </>
  )
}
