/** Accepts or rejects a proposal, also one that is asked about only together with other old proposals. */
import { useState } from 'preact/hooks'
import { type Answering, useAnswering } from '../parts/questions/answering.ts'
import { Answers } from '../parts/questions/answers.tsx'
import type { Decision, Question } from '../service/service.ts'

/** `onDone`: the page shows what was decided by reading the decision again. */
export function Decide({ decision, onDone }: { decision: Decision; onDone(): void }) {
  const [told, setTold] = useState('')
  const answering: Answering = useAnswering({
    onEnd: (ended) => {
      setTold(ended.told)
      onDone()
    },
    onChange: onDone,
  })
  const [newest] = decision.revisions
  const isProposed = newest?.status === 'proposed'
  if (!isProposed && told === '') return null
  return (
    <section id="decide">
      <h2>{newest?.shown === false ? `Decide revision ${newest.revision}` : 'Decide it'}</h2>
      <p role="status">{told}</p>
      {isProposed && <Answers question={judgmentOf(decision)} answering={answering} hasKeys={false} />}
    </section>
  )
}

/** The question that every proposal has. */
function judgmentOf({ id, title, visibility }: Decision): Question {
  return {
    question_id: `judgment:${id}`,
    claim: title,
    reason: 'pending_judgment',
    priority: 'tracking',
    confidence: 0.5,
    records: [],
    visibility,
    answer_visibility: visibility,
  }
}
