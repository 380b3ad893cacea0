/** What became of the questions that were answered on this page. */
import { pathOfRecord } from '../addresses.ts'
import { Link } from '../link.tsx'
import type { Ended } from './answering.ts'
import { asked } from './wording.ts'

export function EndedQuestion({ ended: { question, told, entity, alsoClosed } }: { ended: Ended }) {
  const { asks, claim } = asked(question)
  const path = entity && entity.type !== 'question' ? pathOfRecord(entity) : undefined
  return (
    <>
      <span class="hint">{claim ?? (question.reason === 'contradiction' ? question.claim : asks)}</span>
      <br />
      {told} {path !== undefined && <Link to={path}>{entity?.label ?? 'Its record'}</Link>}
      {alsoClosed !== undefined && ` ${closedTold(alsoClosed)}`}
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

function closedTold(count: number): string {
  return count === 1
    ? 'One more question about these records is closed by that.'
    : `${count} more questions about these records are closed by that.`
}
