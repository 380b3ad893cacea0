/** What changed lately, by day. */
import { useLocation } from 'preact-iso/router'
import { type Asked, addressOf, askedIn, firstDay } from '../changes/asked.ts'
import { latestOf } from '../changes/feed.ts'
import { Filters } from '../changes/filters.tsx'
import { List } from '../changes/list.tsx'
import { useLookedUntil } from '../changes/looked.ts'
import { type Changes, useChanges } from '../changes/reading.ts'
import { useSurroundings } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { Refused } from '../parts/told.tsx'

export function ChangesPage() {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const asked = askedIn(query)
  const changes = useChanges(firstDay(asked))
  const lookedUntil = useLookedUntil(changes.isComplete ? latestOf(changes.changes) : undefined)
  const wanted = changes.changes.filter(
    ({ feed, change_type }) =>
      (asked.records === '' || asked.records === feed) && (asked.change === '' || asked.change === change_type),
  )
  const unseen = lookedUntil === undefined ? 0 : wanted.filter(({ changed_at }) => changed_at > lookedUntil).length
  return (
    <Page title="Changes">
      <p class="hint">Each record is shown once, at its last change. Days and times are in UTC.</p>
      <Filters asked={asked} onAsk={(next) => route(root + addressOf(next))} />
      <p role="status">{told(changes, wanted.length, unseen, asked)}</p>
      <Refused refusal={changes.refusal} again={changes.readOn} />
      {!changes.isComplete && !changes.isLoading && changes.refusal === undefined && (
        <button type="button" class="other" onClick={changes.readOn}>
          Read on
        </button>
      )}
      <List key={addressOf(asked)} changes={wanted} lookedUntil={lookedUntil} />
    </Page>
  )
}

function told({ isComplete, isLoading, refusal, read, upTo }: Changes, count: number, unseen: number, asked: Asked) {
  if (isComplete) {
    const since = `since ${firstDay(asked)}`
    if (count === 0) return `Nothing of this kind has changed ${since}.`
    const counted = `${count === 1 ? '1 record has' : `${count} records have`} changed ${since}.`
    return unseen === 0 ? counted : `${counted} ${unseen} since you last looked.`
  }
  if (read === 0) return isLoading ? 'Loading …' : ''
  const soFar = `${read} changes are read, up to ${upTo?.slice(0, 10)}`
  if (isLoading) return `${soFar} …`
  if (refusal) return `${soFar}.`
  return `${soFar}. The service lists the oldest first, so the newest are not reached yet.`
}
