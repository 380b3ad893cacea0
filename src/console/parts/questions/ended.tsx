/** What became of the questions that were answered on this page. */
import { pathOfRecord } from '../addresses.ts'
import { Link } from '../link.tsx'
import type { Ended } from './answering.ts'
import { asked } from './wording.ts'

export function EndedQuestion({ ended: { question, told, entity } }: { ended: Ended }) {
  const { asks, claim } = asked(question)
  const path = entity && entity.type !== 'question' ? pathOfRecord(entity) : undefined
  return (
    <>
      <span class="hint">{claim ?? (question.reason === 'contradiction' ? question.claim : asks)}</span>
      <br />
      {told} {path !== undefined && <Link to={path}>{entity?.label ?? 'Its record'}</Link>}
    </>
  )
}

export function EndedQuestions({ all }: { all: readonly Ended[] }) {
  if (all.length === 0) return null
  return (
    <details class="ended">
      <summary>Answered here ({all.length})</summary>
      <ul class="plain">
        {all.map((ended) => (
          <li key={ended.question.question_id}>
            <EndedQuestion ended={ended} />
          </li>
        ))}
      </ul>
    </details>
  )
}
