/** The newest run of a task: how it stands, its plan, what it does and did, and what a person can do about it. */
import { useRef } from 'preact/hooks'
import { Difference } from '../parts/difference.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Opens } from '../parts/form.tsx'
import { Instant, Outside } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Refused } from '../parts/told.tsx'
import type { Run, Task } from '../service/service.ts'
import { useNews } from './news.ts'
import { ApproveForm, CancelForm, draftOfCancelling, draftOfStart, StartForm } from './run-forms.tsx'
import { hasEnded, isClosed, runStatesTold } from './wording.ts'

/** `onDone`: the page shows what has happened by reading the task again. */
export function RunOf({ task, onDone }: { task: Task; onDone(): void }) {
  const { id, run } = task
  return (
    <section id="run">
      <h2>{run === null ? 'Run' : `Run ${run.number}`}</h2>
      {run === null ? <p class="hint">It never ran.</p> : <Newest key={run.id} {...{ task, run, onDone }} />}
      {(run === null || hasEnded(run)) &&
        (isClosed(task) ? (
          <p class="hint">A task that is done or cancelled can’t be run.</p>
        ) : (
          <Opens id="start" title={run === null ? 'Run it' : 'Run it again'} draft={draftOfStart(id)}>
            <StartForm task={task} onDone={onDone} />
          </Opens>
        ))}
    </section>
  )
}

function Newest({ task: { id }, run, onDone }: { task: Task; run: Run; onDone(): void }) {
  const { state, policy, stale, error, result, session } = run
  const isActive = !hasEnded(run)
  return (
    <>
      <p class={`standing ${state === 'failed' || state === 'expired' ? 'old' : 'good'}`}>
        <strong>{runStatesTold[state]}.</strong> {waitsFor(run)}
      </p>
      {stale && <p class="hint">The task has changed since: the run goes on with the task as it was at its start.</p>}
      {policy.because.length > 0 && (
        <ul class="hint">
          {policy.because.map((why) => (
            <li key={why}>{why}</li>
          ))}
        </ul>
      )}
      {error && (
        <p class="refusal">
          {error.message} <span class="hint">({error.code})</span>
        </p>
      )}
      {result && <Result {...result} />}
      {run.plan && <Plan plan={run.plan} isOpen={state === 'awaiting_approval'} />}
      {state === 'awaiting_approval' && (
        <ApproveForm key={run.plan?.revision ?? 0} task={id} run={run} onDone={onDone} />
      )}
      {isActive && (
        <Opens id="cancel" title="Cancel this run" draft={draftOfCancelling(id)}>
          <CancelForm task={id} onDone={onDone} />
        </Opens>
      )}
      <Milestones task={id} run={run} onChange={onDone} />
      {session && session.output_tail !== '' && (
        <details>
          <summary>The end of what its session printed</summary>
          <pre>{session.output_tail}</pre>
        </details>
      )}
      <Facts facts={factsOf(run)} />
    </>
  )
}

function waitsFor({ state, phase, fleet: { workers, position } }: Run): string {
  if (state !== 'queued') return ''
  const then = phase === 'plan' ? 'It will make a plan.' : 'It will be carried out.'
  if (workers === 0) return `${then} No worker has this executor now: an operator must start one.`
  return position === undefined ? then : `${then} It is number ${position} of those that wait.`
}

function factsOf({ mode, executor, policy, approval, attempts, created_at, ended_at, expires_at }: Run): Fact[] {
  const rule = policy.rule === null ? 'the default of the policy' : `the rule ${policy.rule}`
  return [
    ['Executor', executor],
    ['Mode', mode === 'plan' ? 'a plan first' : 'as the policy decides'],
    ['Policy', `${policy.verdict.replaceAll('_', ' ')}, by ${rule}`],
    [
      'Approved',
      approval && (
        <>
          by {approval.by}, <Instant at={approval.at} />
          {approval.note !== undefined && `: ${approval.note}`}
        </>
      ),
    ],
    ['Sessions', attempts > 1 ? `${attempts} have begun this phase` : undefined],
    ['Started', <Instant key="started" at={created_at} />],
    ['Ended', ended_at && <Instant at={ended_at} />],
    ['Expires', expires_at && <Instant at={expires_at} />],
  ]
}

function Result({ summary, links }: NonNullable<Run['result']>) {
  return (
    <>
      <h3>What it did</h3>
      <Markdown text={summary} top={4} />
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <li key={link}>
              <Outside url={link}>{link}</Outside>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type PlanOf = NonNullable<Run['plan']>

/** If the plan changes while the reader looks at it, what has changed is marked. */
function Plan({ plan, isOpen }: { plan: PlanOf; isOpen: boolean }) {
  const { revision, text, steps, at } = plan
  const seen = useRef<{ now: PlanOf; before?: PlanOf }>({ now: plan })
  if (seen.current.now.revision !== revision) seen.current = { now: plan, before: seen.current.now }
  const { before } = seen.current
  return (
    <details open={isOpen}>
      <summary>
        Plan{revision > 1 && ` ${revision}`}, made <Instant at={at} />
      </summary>
      {before && (
        <Difference
          change={{
            label: `What has changed since plan ${before.revision}, which you saw`,
            before: [before.text, ...before.steps].join('\n'),
            after: [text, ...steps].join('\n'),
          }}
        />
      )}
      <Markdown text={text} top={4} />
      {steps.length > 0 && (
        <ol>
          {steps.map((step, n) => (
            <li key={n}>{step}</li>
          ))}
        </ol>
      )}
    </details>
  )
}

function Milestones({ task, run, onChange }: { task: string; run: Run; onChange(): void }) {
  const { milestones, refusal, again } = useNews(task, run, onChange)
  return (
    <>
      {milestones.length > 0 && (
        <ol class="plain milestones" aria-live="polite">
          {milestones.map(({ number, at, title, text }) => (
            <li key={number}>
              <Instant at={at} /> {title}
              {text !== undefined && <Markdown text={text} top={4} />}
            </li>
          ))}
        </ol>
      )}
      <Refused refusal={refusal} again={again} />
    </>
  )
}
