/** One open question: what is asked, about which records, and the answers that it can be given. */
import { useEffect } from 'preact/hooks'
import type { Question } from '../../service/service.ts'
import { pathOfQuestion } from '../addresses.ts'
import { Link } from '../link.tsx'
import type { Answering } from './answering.ts'
import { Answers } from './answers.tsx'
import { idOfCard } from './focus.ts'
import { Claim, RecordsOf } from './records.tsx'
import { asked, reasonsTold } from './wording.ts'

interface CardProps {
  question: Question
  answering: Answering
  isOpen: boolean
  /** Left out: it is always open. */
  onToggle?: () => void
  /** Left out: it can't be selected. */
  selecting?: { isSelected: boolean; onSelect(isSelected: boolean): void }
}

export function QuestionCard({ question, answering, isOpen, onToggle, selecting }: CardProps) {
  const { question_id: id, reason } = question
  const { asks, claim } = asked(question)
  const card = idOfCard(id)
  // in the list it stands under the heading of its priority
  const Heading = onToggle ? 'h3' : 'h2'
  useEffect(() => {
    if (isOpen && onToggle) document.getElementById(card)?.scrollIntoView({ block: 'nearest' })
    // only when it is opened
  }, [isOpen])
  const [heading, content] = [`${card}-asks`, `${card}-about`]
  return (
    <article
      class={isOpen ? 'card question opened-question' : 'card question'}
      id={card}
      data-question={id}
      tabIndex={-1}
      aria-labelledby={`${heading} ${content}`}
    >
      <div class="question-head">
        {selecting && (
          <input
            type="checkbox"
            data-select
            aria-label={`Select: ${asks}`}
            checked={selecting.isSelected}
            onChange={(event) => selecting.onSelect(event.currentTarget.checked)}
          />
        )}
        <Heading id={heading}>{asks}</Heading>
        {reason && <span class="tag">{reasonsTold[reason]}</span>}
      </div>
      <div id={content}>
        {claim !== undefined && <Claim text={claim} />}
        <RecordsOf question={question} isOpen={isOpen} />
      </div>
      {isOpen && <Answers question={question} answering={answering} />}
      {!isOpen && answering.refusalOf(id) && (
        <p class="refusal" role="alert">
          {answering.refusalOf(id)?.message}
        </p>
      )}
      {onToggle && (
        <div class="row">
          <button type="button" class="other" data-toggle aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? 'Close' : 'Answer'}
          </button>
          <Link to={pathOfQuestion(id)}>Its page</Link>
        </div>
      )}
    </article>
  )
}
