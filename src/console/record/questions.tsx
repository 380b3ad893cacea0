/** The open questions about a record, and the answers to former ones. */
import { pathOfQuestion } from '../parts/addresses.ts'
import { audienceTold } from '../parts/audience.ts'
import { useReading } from '../parts/context.ts'
import { Day, Link } from '../parts/link.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Read } from '../parts/told.tsx'
import type { Decision } from '../service/service.ts'

interface About {
  type: 'decision' | 'memory'
  id: string
}

/** The most open questions in one answer of the service. */
const mostQuestions = 10

export function OpenQuestions({ type, id }: About) {
  const reading = useReading((service, signal) => service.questionsAbout({ type, id }, signal), `${type} ${id}`)
  return (
    <section>
      <h2>Open questions</h2>
      <Read reading={reading}>
        {(questions) => (
          <>
            {questions.length === 0 && <p class="hint">No question about it is open.</p>}
            <ul>
              {questions.map(({ question_id, claim, priority }) => (
                <li key={question_id}>
                  <span class={priority === 'blocking' ? 'tag alert' : 'tag'}>{priority}</span>{' '}
                  <Link to={pathOfQuestion(question_id)}>{claim}</Link>
                </li>
              ))}
            </ul>
            {questions.length >= mostQuestions && (
              <p class="hint">
                These are the first {mostQuestions}. <Link to="questions">All open questions</Link> may have more.
              </p>
            )}
          </>
        )}
      </Read>
    </section>
  )
}

const resolutions = {
  confirm: 'Confirmed',
  correct: 'Corrected',
  dismiss: 'Dismissed',
  answer: 'Answered',
} as const

/** `kind`: what an answer about such a record makes. */
export function Answers({ answers, kind }: { answers: Decision['answers']; kind: About['type'] }) {
  if (answers.length === 0) return null
  return (
    <section>
      <h2>Answers to former questions</h2>
      <ul>
        {answers.map(({ question_id, claim, resolution, note, answered_by, answered_at, made, visibility }) => (
          <li key={`${question_id} ${answered_at}`}>
            <span class="text">{claim}</span>
            <div>
              <strong>{resolutions[resolution]}</strong> by {answered_by}, <Day at={answered_at} />
              {note !== undefined && (
                <>
                  : <span class="text">{note}</span>
                </>
              )}
            </div>
            {made !== undefined && (
              <div class="hint">
                It made <RecordLink type={kind} id={made} title="a new record" />
                {visibility !== undefined && `, seen by ${audienceTold(visibility)}`}.
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
