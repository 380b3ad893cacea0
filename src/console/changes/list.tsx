/** Changes by day, the newest first. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { RecordLink } from '../parts/record-link.tsx'
import { changesTold } from './asked.ts'
import type { Changed } from './feed.ts'

const shownAtOnce = 100

interface ListProps {
  changes: readonly Changed[]
  /** Changes after this time are new to the reader. */
  lookedUntil: string | undefined
}

export function List({ changes, lookedUntil }: ListProps) {
  const [most, setMost] = useState(shownAtOnce)
  const titles = new Map(changes.map(({ id, title }) => [id, title]))
  return (
    <>
      {byDay(changes.slice(0, most)).map(([day, some]) => (
        <section key={day}>
          <h2>
            <time dateTime={day}>{day}</time>
          </h2>
          <ul class="plain changes">
            {some.map((change) => (
              <li key={change.id}>
                <time class="hint" dateTime={change.changed_at} title={change.changed_at}>
                  {change.changed_at.slice(11, 16)}
                </time>
                <Shown {...{ change, titles }} isNew={lookedUntil !== undefined && change.changed_at > lookedUntil} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {changes.length > most && (
        <button type="button" class="other" onClick={() => setMost(most + shownAtOnce)}>
          Show more
        </button>
      )}
    </>
  )
}

interface ShownProps {
  change: Changed
  isNew: boolean
  /** By id. */
  titles: ReadonlyMap<string, string>
}

function Shown({ change, isNew, titles }: ShownProps) {
  const { id, kind, title, change_type, replacement_id, supersedes = [], supersession_reason } = change
  const other = (of: string) => <RecordLink type={kind} id={of} title={titles.get(of) ?? `another ${kind}`} />
  return (
    <div>
      <RecordLink type={kind} id={id} title={title} />
      <div class="facts hint">
        <span class="tag">{kind}</span>
        {change_type !== 'upsert' && <span class="tag old">{changesTold[change_type].toLowerCase()}</span>}
        {isNew && <span class="tag good">new</span>}
        {replacement_id !== undefined && <span>by {other(replacement_id)}</span>}
        {supersedes.length > 0 && <span>supersedes {listed(supersedes.map(other))}</span>}
        {supersession_reason !== undefined && <span class="clipped">{supersession_reason}</span>}
      </div>
    </div>
  )
}

function listed(items: readonly ComponentChildren[]): ComponentChildren {
  return items.map((item, at) => [at > 0 && ', ', item])
}

/** In their order. */
function byDay(changes: readonly Changed[]): [string, Changed[]][] {
  const days = new Map<string, Changed[]>()
  for (const change of changes) {
    const day = change.changed_at.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), change])
  }
  return [...days]
}
