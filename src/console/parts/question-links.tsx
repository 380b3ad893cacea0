import type { Question } from '../service/service.ts'
import { pathOfQuestion } from './addresses.ts'
import { Link } from './link.tsx'

/** Links to open questions, each with the beginning of its claim. */
export function QuestionLinks({
  questions,
}: {
  questions: readonly Pick<Question, 'question_id' | 'claim' | 'priority'>[]
}) {
  return (
    <ul class="plain question-links">
      {questions.map(({ question_id, claim, priority }) => (
        <li key={question_id}>
          <Link to={pathOfQuestion(question_id)} class="clipped">
            {claim}
          </Link>
          {priority === 'blocking' && <span class="tag alert">blocking</span>}
        </li>
      ))}
    </ul>
  )
}
