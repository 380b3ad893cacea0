import { pathOfRecord } from '../parts/addresses.ts'
import { useSurroundings } from '../parts/context.ts'
import { Copy } from '../parts/copy.tsx'
import { Day, Link, SourceLink } from '../parts/link.tsx'
import type { Hits } from '../service/service.ts'
import type { Asked } from './asked.ts'
import { Conflict } from './conflict.tsx'
import type { Found } from './found.ts'
import { Passage } from './passage.tsx'

/** The least score of a record that answers the query. */
const answers = 0.5

export function Hit({ found, conflicts, asked }: { found: Found; conflicts: Hits['conflicts']; asked: Asked }) {
  const { root } = useSurroundings()
  const { type, id, title, passage, outcome_notes } = found
  const path = pathOfRecord({ type, id })
  return (
    <li class="card hit">
      <h2>{path === undefined ? title : <Link to={path}>{title}</Link>}</h2>
      <p class="hint facts">
        <span>{kindOf(found)}</span>
        <Day at={found.day} undated={isUndated(found)} />
        <Tags found={found} asked={asked} />
        {path === undefined && type === 'task' && <code>precedent tasks show {id}</code>}
      </p>
      {conflicts.map((conflict, at) => (
        <Conflict key={at} conflict={conflict} shownAs={id} />
      ))}
      {conflicts.length === 0 && <Successors found={found} />}
      {outcome_notes !== undefined && <p>How it worked out: {outcome_notes}</p>}
      <Passage text={passage.trim() === title ? '' : passage}>
        {path !== undefined && <Copy text={citationOf(found, `${location.origin}${root}${path}`)}>Copy citation</Copy>}
      </Passage>
    </li>
  )
}

function Tags({ found: { record, score, outcome_status }, asked }: { found: Found; asked: Asked }) {
  return (
    <>
      {record && <Standing record={record} isOfThePast={asked.as_of !== ''} />}
      {record && 'category' in record && typeof record.category === 'string' && (
        <span class="tag">{record.category.replaceAll('_', ' ')}</span>
      )}
      {record?.visibility.scope === 'private' && <span class="tag">private</span>}
      {outcome_status && <span class={`tag ${looks[outcome_status]}`}>outcome: {outcome_status}</span>}
      {asked.q !== '' && score !== undefined && score < answers && <span class="tag old">may not answer</span>}
    </>
  )
}

const looks = { success: 'good', failure: 'alert', mixed: 'old' } as const

/** How it stands now, also in a search as of an earlier day. */
function Standing({ record, isOfThePast }: { record: NonNullable<Found['record']>; isOfThePast: boolean }) {
  if (record.in_force) return <span class="tag good">{isOfThePast ? 'still in force' : 'in force'}</span>
  const { status } = record as { status?: string }
  if (status !== undefined && status !== 'accepted') return <span class="tag old">{status}</span>
  const begins = beginOf(record)
  if (record.superseded_by.length > 0) return <span class="tag old">superseded</span>
  if (begins > new Date().toISOString()) return <span class="tag">from {begins.slice(0, 10)} on</span>
  return <span class="tag old">no longer in force</span>
}

/** A memory has a kind of its own, such as constraint. */
function kindOf({ type, record }: Found): string {
  return type === 'memory' && record !== undefined ? String(record.kind).replaceAll('_', ' ') : type
}

function beginOf(record: NonNullable<Found['record']>): string {
  return 'decided_at' in record ? record.decided_at : (record as { occurred_at: string }).occurred_at
}

function isUndated({ record }: Found): boolean {
  return record !== undefined && 'undated' in record && record.undated === true
}

function Successors({ found: { record } }: { found: Found }) {
  if (record === undefined || record.superseded_by.length === 0) return null
  return (
    <p class="conflict">
      Superseded by{' '}
      {record.superseded_by.map((source, at) => (
        <span key={at}>
          {at > 0 && ', '}
          <SourceLink source={source} />
          {source.occurred_at !== undefined && (
            <>
              {' '}
              (<Day at={source.occurred_at} />)
            </>
          )}
        </span>
      ))}
    </p>
  )
}

/** One line of Markdown. */
function citationOf(found: Found, url: string): string {
  const title = found.title.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]`*_<>]/g, '\\$&')
  return `[${title}](${url})${isUndated(found) || found.day === '' ? '' : ` (${found.day.slice(0, 10)})`}`
}
