/** How a record stands now: the first that its page says. */
import type { ComponentChildren } from 'preact'
import { beginTold, instantTold } from '../../records/standing.ts'
import { audienceTold } from '../parts/audience.ts'
import { Day, SourceLink } from '../parts/link.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import type { Decision, Memory, Source } from '../service/service.ts'

export function DecisionStanding({ decision }: { decision: Decision }) {
  const { status, decided_at, undated, recorded_at, in_force, superseded_by } = decision
  const begins = status === 'accepted' ? decided_at : undefined
  return (
    <Standing record={decision} begins={begins} status={status}>
      {in_force &&
        (undated ? <> It was imported on {instantDay(recorded_at)}; its file has no date.</> : since(decided_at))}
      {!in_force && superseded_by.length === 0 && <Undecided decision={decision} />}
      <NewerRevision decision={decision} />
    </Standing>
  )
}

export function MemoryStanding({ memory }: { memory: Memory }) {
  const { occurred_at, valid_to, in_force, confirmed_at } = memory
  return (
    <Standing record={memory} begins={valid_to === undefined ? occurred_at : undefined} status="accepted">
      {in_force && since(occurred_at)}
      {confirmed_at !== undefined && (
        <>
          {' '}
          Last confirmed on <Day at={confirmed_at} />.
        </>
      )}
    </Standing>
  )
}

/** Says why a record can't be replaced; shows `children` if it can. */
export function IfReplaceable({
  record: { in_force, superseded_by },
  children,
}: {
  record: Pick<Decision, 'in_force' | 'superseded_by'>
  children: ComponentChildren
}) {
  if (in_force) return <>{children}</>
  if (superseded_by.length === 0) return <p class="hint">Only what is in force can be replaced.</p>
  return (
    <p class="hint">
      It was superseded already. Open the newer one to replace that: <All sources={superseded_by} />.
    </p>
  )
}

type Shown = Pick<
  Decision,
  'in_force' | 'superseded_by' | 'planned_successors' | 'valid_to' | 'superseded_claims' | 'visibility'
>

interface StandingProps {
  record: Shown
  /** When it comes into force, if nothing ends it before. */
  begins: string | undefined
  status: Decision['status']
  children: ComponentChildren
}

function Standing({ record, begins, status, children }: StandingProps) {
  const { in_force, superseded_by, valid_to, superseded_claims, planned_successors = [], visibility } = record
  return (
    <div class={`standing ${in_force ? 'good' : 'old'}`}>
      <p>
        <strong>{nameOf()}</strong>
        {superseded_by.length > 0 && (
          <>
            {' '}
            by <All sources={superseded_by} />
            {valid_to !== undefined && (
              <>
                {' '}
                on <Day at={valid_to} />
              </>
            )}
            . Rely on the newer one.
          </>
        )}
        {children}
        {visibility.scope !== 'workspace' && ` Seen by ${audienceTold(visibility)}.`}
      </p>
      {planned_successors.map(({ type, id, title, at }) => (
        <p key={id}>
          From {instantTold(at)} on, <RecordLink type={type} id={id} title={title} /> takes its place.
        </p>
      ))}
    </div>
  )

  function nameOf(): string {
    if (in_force) return superseded_claims.length > 0 ? 'In force, except for what no longer holds.' : 'In force.'
    if (superseded_by.length > 0) return 'Superseded'
    const begin = beginTold(record, begins)
    if (begin !== undefined) return `Not in force yet: it ${begin}.`
    if (status === 'accepted') {
      return valid_to === undefined ? 'Not in force.' : `Not in force any more, since ${instantTold(valid_to)}.`
    }
    return names[status]
  }
}

const names = {
  proposed: 'Proposed: not decided, and not in force.',
  rejected: 'Rejected: not in force.',
  deprecated: 'Deprecated: not in force any more.',
} as const

const instantDay = (at: string) => <Day at={at} />

function since(at: string): ComponentChildren {
  return (
    <>
      {' '}
      Since <Day at={at} />.
    </>
  )
}

function All({ sources }: { sources: readonly Source[] }) {
  return (
    <>
      {sources.map((source, at) => (
        <span key={source.id}>
          {at > 0 && ', '}“<SourceLink source={source} />”
        </span>
      ))}
    </>
  )
}

function Undecided({ decision: { status, dismissed, rejection_note } }: { decision: Decision }) {
  if (status === 'proposed') {
    return (
      <>
        {' '}
        <a href="#decide">Accept or reject it</a>.
      </>
    )
  }
  if (!dismissed) return null
  return <> A person rejected this proposal{rejection_note === undefined ? '.' : `: ${rejection_note}`}</>
}

/** A revision that is only proposed, or dated ahead, is not what holds. */
function NewerRevision({ decision: { revisions } }: { decision: Decision }) {
  const [newest] = revisions
  const shown = revisions.find((one) => one.shown)
  if (newest === undefined || shown === undefined || newest === shown) return null
  return (
    <>
      {' '}
      This page shows revision {shown.revision}. Revision {newest.revision} is newer, but{' '}
      {newest.status === 'accepted' ? `takes effect on ${instantTold(newest.decided_at)}` : newest.status}: see{' '}
      <a href="#revisions">its differences</a>.
    </>
  )
}

/** The text is shown as it was written, so this says which parts of it are not true any more. */
export function Retracted({ claims }: { claims: Decision['superseded_claims'] }) {
  if (claims.length === 0) return null
  return (
    <section class="standing old">
      <h2>What no longer holds</h2>
      <ul>
        {claims.map(({ claim, by, since: ended }, at) => (
          <li key={at}>
            <s class="text">{claim}</s> Replaced by “<SourceLink source={by} />”
            {ended !== undefined && (
              <>
                {' '}
                on <Day at={ended} />
              </>
            )}
            .
          </li>
        ))}
      </ul>
    </section>
  )
}
