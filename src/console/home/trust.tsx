import type { Brief } from '../service/service.ts'

type Trust = NonNullable<Brief['trust']>

/** What a person needs to know of the trust of a brief; its questions are told elsewhere. */
export function HowFarToTrust({ trust }: { trust: Trust }) {
  const { confidence, freshness, is_stale, contradiction_count, quarantined_held_count = 0 } = trust
  return (
    <details>
      <summary>
        Confidence {percent(confidence)}
        {is_stale && ', mostly old'}
        {contradiction_count > 0 && `, ${count(contradiction_count, 'contradiction')}`}
      </summary>
      <dl>
        <dt>Confidence {percent(confidence)}</dt>
        <dd>How far you can rely on it: by its sources, by who confirmed it, and by open questions.</dd>
        <dt>Freshness {percent(freshness)}</dt>
        <dd>How recent the records are, by how long their kind usually stays true.</dd>
        <Counted
          many={contradiction_count}
          what="contradiction"
          means="Open questions about records that contradict each other."
        />
        <Counted
          many={quarantined_held_count}
          what="proposal"
          means="No proposal has force until a person accepts it."
        />
        <Evidence mix={trust.evidence_mix ?? {}} />
      </dl>
    </details>
  )
}

function Counted({ many, what, means }: { many: number; what: string; means: string }) {
  if (many === 0) return null
  return (
    <>
      <dt>{count(many, what)}</dt>
      <dd>{means}</dd>
    </>
  )
}

const classes: Record<keyof NonNullable<Trust['evidence_mix']>, string> = {
  decision_directive: 'decisions and constraints',
  primary_observation: 'facts and commitments',
  synthesis: 'derived from other records',
  speculation: 'not sure',
}

function Evidence({ mix }: { mix: NonNullable<Trust['evidence_mix']> }) {
  const names = Object.keys(classes) as (keyof typeof classes)[]
  const told = names.flatMap((name) => (mix[name] ? [`${percent(mix[name])} ${classes[name]}`] : []))
  if (told.length === 0) return null
  return (
    <>
      <dt>Evidence</dt>
      <dd>{told.join(', ')}</dd>
    </>
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const count = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`
