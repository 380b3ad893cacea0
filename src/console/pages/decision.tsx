/** One decision: how it stands, what was decided and why, what came before and after it, and how it worked out. */
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { pathOfRecord } from '../parts/addresses.ts'
import { audienceTold } from '../parts/audience.ts'
import { type Reading, useSurroundings } from '../parts/context.ts'
import { Copies, Facts } from '../parts/facts.tsx'
import { Opens, ToForm, wasJustMade } from '../parts/form.tsx'
import { Day, Sources } from '../parts/link.tsx'
import { Refused } from '../parts/told.tsx'
import { Decide } from '../record/decide.tsx'
import { DecisionTexts } from '../record/decision-texts.tsx'
import { FoundPage } from '../record/found.tsx'
import { GraphAround, useGraph } from '../record/graph.tsx'
import { draftOfOutcome, OutcomeForm, Outcomes } from '../record/outcome.tsx'
import { Answers, OpenQuestions } from '../record/questions.tsx'
import { Replaces } from '../record/replaces.tsx'
import { Revisions } from '../record/revisions.tsx'
import { DecisionStanding, IfReplaceable, Retracted } from '../record/standing.tsx'
import { draftOfSuccessor, SupersedeForm } from '../record/supersede-form.tsx'
import type { Decision } from '../service/service.ts'

export function DecisionPage() {
  const id = useRoute().params.id ?? ''
  return (
    <FoundPage key={id} type="decision" id={id} kind={() => 'Decision'}>
      {(decision, reading) => <Shown decision={decision} reading={reading} />}
    </FoundPage>
  )
}

function Shown({ decision, reading }: { decision: Decision; reading: Reading<unknown> }) {
  const { id, title, status, in_force, outcomes, sources, revisions, superseded_claims, answers } = decision
  const path = pathOfRecord({ type: 'decision', id }) as string
  const { root } = useSurroundings()
  const [isNew] = useState(() => wasJustMade(root + path))
  const graph = useGraph(id)
  const isDecided = !isUndecided(status)
  return (
    <>
      {isNew && <p role="status">The decision is recorded. This page shows it.</p>}
      <Refused refusal={reading.refusal} again={reading.again} />
      <DecisionStanding decision={decision} />
      <Retracted claims={superseded_claims} />
      <Copies type="decision" id={id} title={title} path={path}>
        {in_force && <ToForm id="supersede">Supersede it</ToForm>}
        {isDecided && <ToForm id="outcome">Record an outcome</ToForm>}
      </Copies>
      <DecisionTexts decision={decision} />
      <Decide decision={decision} onDone={reading.again} />
      <OpenQuestions type="decision" id={id} />
      <Answers answers={answers} kind="decision" />
      {(isDecided || outcomes.count > 0) && (
        <section>
          <h2>Outcome</h2>
          <Outcomes decision={decision} />
          {isDecided && (
            <Opens id="outcome" title="Record an outcome" draft={draftOfOutcome(id)}>
              <OutcomeForm decision={decision} onDone={reading.again} />
            </Opens>
          )}
        </section>
      )}
      <About decision={decision} />
      <section>
        <h2>Sources</h2>
        <Sources sources={sources} />
      </section>
      <Replaces decision={decision} graph={graph.value} />
      <GraphAround reading={graph} />
      <Revisions revisions={revisions} />
      <section>
        <h2>Supersede it</h2>
        <IfReplaceable record={decision}>
          <Opens id="supersede" title="Record a decision that replaces this one" draft={draftOfSuccessor(id)}>
            <SupersedeForm decision={decision} />
          </Opens>
        </IfReplaceable>
      </section>
    </>
  )
}

/** It was never in force, so nothing came of it. */
const isUndecided = (status: Decision['status']) => status === 'proposed' || status === 'rejected'

function About({ decision }: { decision: Decision }) {
  const { id, status, decided_at, undated, decided_by, category, significance, surface, entities } = decision
  const { visibility, recorded_at, updated_at, revision, external_id, supersession_reason, supersessions } = decision
  return (
    <section>
      <h2>About it</h2>
      <Facts
        facts={[
          [isUndecided(status) ? 'Dated' : 'Decided', <Day key="decided" at={decided_at} undated={undated} />],
          ['By', decided_by.join(', ')],
          ['Status', `${status}, revision ${revision}`],
          ['Who sees it', audienceTold(visibility)],
          // else it is told of each record that it replaces
          ['Why it replaces others', supersessions.length === 0 ? supersession_reason : undefined],
          ['Category', category?.replaceAll('_', ' ')],
          ['Significance', significance],
          ['About', entities.map(({ type, id, name }) => `${name ?? id ?? ''} (${type})`).join(', ')],
          ['Made or recorded in', surface?.replaceAll('_', ' ')],
          ['Recorded', <Day key="recorded" at={recorded_at} />],
          ['Last changed', updated_at === recorded_at ? undefined : <Day key="changed" at={updated_at} />],
          ['External id', external_id],
          ['Id', <code key="id">{id}</code>],
        ]}
      />
    </section>
  )
}
