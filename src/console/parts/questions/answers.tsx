/** The answers that a question can be given. */
import { useId, useState } from 'preact/hooks'
import type { Question } from '../../service/service.ts'
import { Refused } from '../told.tsx'
import { type Action, actionsFor } from './actions.ts'
import type { Answering } from './answering.ts'
import { seenBy } from './wording.ts'

interface AnswersProps {
  question: Question
  answering: Answering
}

export function Answers({ question, answering }: AnswersProps) {
  const id = question.question_id
  const [chosen, choose] = useState<Action['id'] | undefined>(undefined)
  // stays if the form is closed or the answer is refused
  const [texts, setTexts] = useState<Partial<Record<Action['id'], string>>>({})
  const isSending = answering.isSending(id)
  return (
    <div class="answers">
      <Refused refusal={answering.refusalOf(id)} />
      {actionsFor(question).map((action, at) => {
        const needsMore = typeof action.note === 'object' || action.asks === true
        const act = () => {
          if (isSending) return
          if (needsMore) choose(chosen === action.id ? undefined : action.id)
          else void answering.answer(question, action)
        }
        return (
          <div class="answer" key={action.id}>
            <ActionButton
              action={action}
              number={at + 1}
              onAct={act}
              {...(needsMore && { isChosen: chosen === action.id })}
            />
            {needsMore && chosen === action.id && (
              <MoreForm
                {...{ action, isSending }}
                text={texts[action.id] ?? ''}
                seen={seenBy(question)}
                onText={(text) => setTexts((before) => ({ ...before, [action.id]: text }))}
                onSend={(text) => void answering.answer(question, action, text)}
                onLeave={(form) => {
                  form.closest('.answer')?.querySelector('button')?.focus()
                  choose(undefined)
                }}
              />
            )}
          </div>
        )
      })}
      {isSending && (
        <p class="hint" role="status">
          Sending …
        </p>
      )}
    </div>
  )
}

interface ActionButtonProps {
  action: Action
  number: number
  /** Left out: it answers at once. */
  isChosen?: boolean
  onAct(): void
}

function ActionButton({ action, number, isChosen, onAct }: ActionButtonProps) {
  const effect = useId()
  return (
    <div class="action">
      <button
        type="button"
        class="other"
        data-action={action.id}
        data-number={number}
        aria-describedby={effect}
        aria-expanded={isChosen}
        aria-keyshortcuts={String(number)}
        onClick={onAct}
      >
        <kbd>{number}</kbd> {action.label}
      </button>
      <span class="hint" id={effect}>
        {action.effect}
      </span>
    </div>
  )
}

interface MoreFormProps {
  action: Action
  isSending: boolean
  text: string
  seen: string
  onText(text: string): void
  onSend(text: string | undefined): void
  onLeave(form: Element): void
}

/** Takes the text of an answer, or asks once more. */
function MoreForm({ action, isSending, text, seen, onText, onSend, onLeave }: MoreFormProps) {
  const needsText = typeof action.note === 'object'
  const send = (event: Event) => {
    event.preventDefault()
    if (isSending || (needsText && text.trim() === '')) return
    onSend(needsText ? text.trim() : undefined)
  }
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
    if (event.key !== 'Escape') return
    event.preventDefault()
    onLeave(event.currentTarget as Element)
  }
  return (
    <form onSubmit={send} onKeyDown={keyDown}>
      {typeof action.note === 'object' ? (
        <label>
          {action.note.label}
          <textarea
            ref={focused}
            rows={3}
            required
            maxLength={20_000}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <span class="hint">{seen}</span>
        </label>
      ) : (
        <p>{action.label}? This can’t be undone here.</p>
      )}
      <div class="row">
        <button type="submit" aria-disabled={isSending} ref={needsText ? null : focused}>
          {needsText ? 'Send' : action.label}
        </button>
        <button type="button" class="other" onClick={(event) => onLeave(event.currentTarget)}>
          Cancel
        </button>
      </div>
    </form>
  )
}

const focused = (element: HTMLElement | null) => element?.focus()
