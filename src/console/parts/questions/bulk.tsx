/** Gives all selected questions one answer, one after the other. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../service/http.ts'
import type { Question } from '../../service/service.ts'
import { type Action, actionsFor } from './actions.ts'
import type { Answering } from './answering.ts'

type BulkId = 'confirm' | 'older' | 'dismiss'

const bulk: Readonly<Record<BulkId, { label: string; asks(count: string): string }>> = {
  confirm: { label: 'Confirm', asks: (count) => `Confirm ${count}?` },
  older: { label: 'The older hold', asks: (count) => `Keep the older claim of ${count}?` },
  dismiss: { label: 'Dismiss', asks: (count) => `Dismiss ${count}?` },
}
const ids = Object.keys(bulk) as BulkId[]

interface BulkProps {
  selected: readonly Question[]
  answering: Answering
  onClear(): void
}

export function Bulk({ selected, answering, onClear }: BulkProps) {
  const [asking, ask] = useState<BulkId | undefined>(undefined)
  const { running, told, run, stop } = useRun(answering)
  const count = questions(selected.length)
  const isAsking = asking !== undefined && selected.length > 0 && running === undefined
  return (
    <section class="bulk" aria-label="Selected questions">
      {running && <Progress {...running} onStop={stop} />}
      <p role="status" id="bulk-told" tabIndex={-1}>
        {running === undefined && told}
      </p>
      {isAsking && (
        <Asking
          {...{ selected, count }}
          action={asking}
          onAnswer={() => {
            ask(undefined)
            void run(selected, asking)
          }}
          onLeave={() => ask(undefined)}
        />
      )}
      {!isAsking && running === undefined && selected.length > 0 && (
        <div class="row">
          <strong>{count} selected</strong>
          {ids.map((id) => (
            <button type="button" key={id} data-bulk={id} disabled={!fits(selected, id)} onClick={() => ask(id)}>
              {bulk[id].label}
            </button>
          ))}
          <button type="button" class="other" onClick={onClear}>
            Select none
          </button>
          {!fits(selected, 'confirm') && (
            <span class="hint">Some of them need a text, so they can’t be confirmed here.</span>
          )}
        </div>
      )}
    </section>
  )
}

interface AskingProps {
  selected: readonly Question[]
  count: string
  action: BulkId
  onAnswer(): void
  onLeave(): void
}

function Asking({ selected, count, action, onAnswer, onLeave }: AskingProps) {
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onLeave()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus
    <div onKeyDown={keyDown}>
      <p>
        <strong>{bulk[action].asks(count)}</strong>
      </p>
      <ul>
        {effects(selected, action).map(([effect, times]) => (
          <li key={effect}>
            {times === selected.length ? '' : `${questions(times)}: `}
            {effect}
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="button" ref={first} data-bulk-answer onClick={onAnswer}>
          {bulk[action].label} {count}
        </button>
        <button type="button" class="other" onClick={onLeave}>
          Cancel
        </button>
      </div>
    </div>
  )
}

function Progress({ done, of, onStop }: { done: number; of: number; onStop(): void }) {
  return (
    <div class="row">
      <label class="row">
        Answered {done} of {of}
        <progress value={done} max={of} />
      </label>
      <button type="button" class="other" onClick={onStop}>
        Stop
      </button>
    </div>
  )
}

function useRun(answering: Answering) {
  const [running, setRunning] = useState<{ done: number; of: number } | undefined>(undefined)
  const [told, tell] = useState('')
  const isStopped = useRef(false)
  const latest = useRef(answering)
  latest.current = answering
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  // the button that had the focus is gone
  useLayoutEffect(() => {
    if (told !== '' && document.activeElement === document.body) document.getElementById('bulk-told')?.focus()
  }, [told])

  const run = async (selected: readonly Question[], id: BulkId) => {
    isStopped.current = false
    tell('')
    const counts = { answered: 0, closed: 0, refused: 0 }
    let failure: Refusal | undefined
    let done = 0
    for (const question of selected) {
      if (isStopped.current || failure) break
      setRunning({ done, of: selected.length })
      const action = actionOf(question, id)
      const result = action && (await latest.current.answer(question, action))
      if (result instanceof Refusal) {
        counts.refused += 1
        if (concernsAll(result)) failure = result
      } else if (result?.wasClosed) counts.closed += 1
      else if (result) counts.answered += 1
      done += 1
    }
    setRunning(undefined)
    tell(summary(counts, selected.length - done, failure))
  }
  const stop = () => {
    isStopped.current = true
  }
  return { running, told, run, stop }
}

/** The service can't be reached, does not accept the key, or has no time: the other answers would be refused too. */
function concernsAll({ status }: Refusal): boolean {
  return status === 0 || status === 401 || status === 403 || status === 429 || status >= 500
}

function summary(
  counts: { answered: number; closed: number; refused: number },
  left: number,
  failure?: Refusal,
): string {
  const { answered, closed, refused } = counts
  return [
    `${questions(answered)} answered.`,
    ...(closed > 0 ? [`${questions(closed)} had been closed already.`] : []),
    ...(refused > 0 ? [`${questions(refused)} refused: the reason is told beside each.`] : []),
    ...(failure ? [failure.message] : []),
    ...(left > 0 ? [`${questions(left)} not answered.`] : []),
  ].join(' ')
}

function actionOf(question: Question, id: BulkId): Action | undefined {
  return actionsFor(question).find((action) => action.id === id && typeof action.note !== 'object')
}

function fits(selected: readonly Question[], id: BulkId): boolean {
  return selected.every((question) => actionOf(question, id) !== undefined)
}

/** What the answer does, with the number of questions that it does that for. */
function effects(selected: readonly Question[], id: BulkId): [string, number][] {
  const counts = new Map<string, number>()
  for (const question of selected) {
    const effect = actionOf(question, id)?.effect ?? ''
    counts.set(effect, (counts.get(effect) ?? 0) + 1)
  }
  return [...counts]
}

const questions = (count: number) => (count === 1 ? '1 question' : `${count} questions`)
