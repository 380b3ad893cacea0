/** What a decision superseded, will supersede, or was to supersede in vain. */
import type { ComponentChildren } from 'preact'
import { instantTold } from '../../records/standing.ts'
import { Day } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import type { Decision, Graph } from '../service/service.ts'

interface ReplacesProps {
  decision: Decision
  /** Has the titles of records that the decision names only by their ids. */
  graph: Graph | undefined
}

export function Replaces({ decision, graph }: ReplacesProps) {
  const { pending_supersedes = [], prior_positions = [], void_links, supersessions } = decision
  const priors = new Set(prior_positions.map(({ id }) => id))
  // of a memory, for which a decision has taken the place
  const others = supersessions.filter(({ id }) => !priors.has(id))
  if (pending_supersedes.length + prior_positions.length + void_links.length + others.length === 0) return null
  const nodes = new Map(graph?.nodes.map((node) => [node.id, node]))
  const named = (id: string) => {
    const node = nodes.get(id)
    return <RecordLink type={node?.type ?? 'decision'} id={id} title={node?.title} />
  }
  const direct = new Map(supersessions.map((one) => [one.id, one]))
  return (
    <section>
      <h2>What it replaces</h2>
      <ul>
        {pending_supersedes.map(({ id, at, reason }) => (
          <li key={id}>
            {at === undefined ? 'Once it is accepted: ' : `From ${instantTold(at)} on: `}
            {named(id)}
            <Why reason={reason} />
          </li>
        ))}
        {others.map(({ id, at, reason }) => (
          <li key={id}>
            {named(id)}, since <Day at={at} />
            <Why reason={reason} />
          </li>
        ))}
        {prior_positions.map((prior) => {
          const supersession = direct.get(prior.id)
          return supersession && <Prior key={prior.id} prior={prior} supersession={supersession} />
        })}
        {void_links.map(({ target, reason }) => (
          <li key={target}>
            It was to replace <code>{target}</code>, but does not: {voidReasons[reason]}.
          </li>
        ))}
      </ul>
      <Indirect priors={prior_positions.filter(({ id }) => !direct.has(id))} />
    </section>
  )
}

/** What those that it replaces had replaced before. There may be hundreds. */
function Indirect({ priors }: { priors: readonly PriorPosition[] }) {
  if (priors.length === 0) return null
  return (
    <details>
      <summary>What these had replaced before ({priors.length})</summary>
      <ul>
        {priors.map((prior) => (
          <Prior key={prior.id} prior={prior} />
        ))}
      </ul>
    </details>
  )
}

const voidReasons = {
  narrower_audience: 'some who see that one do not see this one',
  would_cycle: 'that one replaces this one, directly or in several steps',
} as const

type Supersession = Decision['supersessions'][number]
type PriorPosition = NonNullable<Decision['prior_positions']>[number]

/** `supersession`: undefined for what it supersedes only through others. */
function Prior({ prior, supersession }: { prior: PriorPosition; supersession?: Supersession }) {
  const { id, title, judgment, decided_at, undated, supersession_reason, outcome_status, outcome_notes } = prior
  return (
    <li>
      <RecordLink type="decision" id={id} title={title} />
      {supersession !== undefined && (
        <>
          , since <Day at={supersession.at} />
        </>
      )}
      <Why reason={supersession === undefined ? supersession_reason : supersession.reason} />
      <details>
        <summary>What it said</summary>
        {decided_at !== undefined && (
          <p class="hint">
            Decided: <Day at={decided_at} undated={undated} />
          </p>
        )}
        {judgment !== undefined && <Markdown text={judgment} top={4} />}
        {outcome_status !== undefined && (
          <p class="text">
            Outcome: {outcome_status}
            {outcome_notes === undefined ? '' : `: ${outcome_notes}`}
          </p>
        )}
      </details>
    </li>
  )
}

function Why({ reason }: { reason: string | undefined }): ComponentChildren {
  return reason === undefined ? null : <span class="text">: {reason}</span>
}
