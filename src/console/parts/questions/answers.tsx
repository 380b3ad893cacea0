/** The answers that a question can be given. */

import { useId, useState } from 'preact/hooks'
import { Refusal } from '../../service/http.ts'
import type { Question } from '../../service/service.ts'
import { useDraft } from '../draft.ts'
import { focused } from '../focused.ts'
import { Refused } from '../told.tsx'
import { type Action, actionsFor, canBeNarrower, type Written } from './actions.ts'
import type { Answering } from './answering.ts'
import { seenBy } from './wording.ts'

interface AnswersProps {
  question: Question
  answering: Answering
  /** The keys of the pages of questions work here. */
  hasKeys?: boolean
}

/** What is typed for each action. */
type Texts = Partial<Record<Action['id'], string>>

export function Answers({ question, answering, hasKeys = true }: AnswersProps) {
  const id = question.question_id
  // stays if the form is closed or the answer is refused
  const [texts, setTexts] = useDraft<Texts>(`answer ${id}`, {})
  const [chosen, choose] = useState(() => actionsFor(question).find((action) => texts[action.id] !== undefined)?.id)
  const isSending = answering.isSending(id)
  const send = async (action: Action, written?: Written) => {
    const result = await answering.answer(question, action, written)
    if (result && !(result instanceof Refusal)) setTexts({})
  }
  return (
    <div class="answers">
      <Refused refusal={answering.refusalOf(id)} />
      {actionsFor(question).map((action, at) => {
        const needsMore = typeof action.note === 'object' || action.asks === true
        const act = () => {
          if (isSending) return
          if (needsMore) choose(chosen === action.id ? undefined : action.id)
          else void send(action)
        }
        return (
          <div class="answer" key={action.id}>
            <ActionButton
              action={action}
              onAct={act}
              {...(hasKeys && { number: at + 1 })}
              {...(needsMore && { isChosen: chosen === action.id })}
            />
            {needsMore && chosen === action.id && (
              <MoreForm
                {...{ question, action, isSending }}
                text={texts[action.id] ?? ''}
                onText={(text) => setTexts(withText(texts, action.id, text))}
                onSend={(written) => void send(action, written)}
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

function withText(texts: Texts, id: Action['id'], text: string): Texts {
  const { [id]: _, ...others } = texts
  return text === '' ? others : { ...others, [id]: text }
}

interface ActionButtonProps {
  action: Action
  /** The key that moves to it. */
  number?: number
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
        aria-keyshortcuts={number === undefined ? undefined : String(number)}
        onClick={onAct}
      >
        {number !== undefined && <kbd>{number}</kbd>} {action.label}
      </button>
      <span class="hint" id={effect}>
        {action.effect}
      </span>
    </div>
  )
}

interface MoreFormProps {
  question: Question
  action: Action
  isSending: boolean
  text: string
  onText(text: string): void
  onSend(written: Written | undefined): void
  onLeave(form: Element): void
}

/** Takes the text of an answer, or asks once more. */
function MoreForm({ question, action, isSending, text, onText, onSend, onLeave }: MoreFormProps) {
  const [isNarrow, setNarrow] = useState(false)
  const needsText = typeof action.note === 'object'
  const send = (event: Event) => {
    event.preventDefault()
    if (isSending || (needsText && text.trim() === '')) return
    const narrower = isNarrow ? { visibility: question.visibility } : {}
    onSend(needsText ? { text: text.trim(), ...narrower } : undefined)
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
          <span class="hint">{seenBy(isNarrow ? question.visibility : question.answer_visibility)}</span>
        </label>
      ) : (
        <p>{action.label}? This can’t be undone here.</p>
      )}
      {canBeNarrower(question, action) && (
        <label class="choice">
          <input type="checkbox" checked={isNarrow} onChange={(event) => setNarrow(event.currentTarget.checked)} />
          {question.visibility.scope === 'private' ? 'Only for me' : 'Only for the team'}. Then the record that others
          see stays in force.
        </label>
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
