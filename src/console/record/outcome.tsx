/** How a decision worked out, and the form that records it. */
import { useState } from 'preact/hooks'
import { useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Field, Form } from '../parts/form.tsx'
import { Day, Sources } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { isOpen } from '../service/http.ts'
import type { Decision, OutcomeInput, Receipt } from '../service/service.ts'

export function Outcomes({ decision: { outcomes } }: { decision: Decision }) {
  const { items, count } = outcomes
  if (items.length === 0) return <p class="hint">Nobody has recorded yet how it worked out.</p>
  return (
    <>
      <ul class="plain">
        {items.map(({ id, outcome_status, outcome_notes, observed_at, sources }, at) => (
          <li key={id} class="outcome">
            <strong class={outcome_status}>{names[outcome_status]}</strong>, observed on <Day at={observed_at} />
            {at === 0 && count > 1 && <span class="hint"> (the latest of {count})</span>}
            {outcome_notes !== undefined && <Markdown text={outcome_notes} top={4} />}
            {sources.length > 0 && <Sources sources={sources} />}
          </li>
        ))}
      </ul>
      {count > items.length && <p class="hint">{count - items.length} older outcomes are not shown.</p>}
    </>
  )
}

const names = { success: 'Success', mixed: 'Mixed', failure: 'Failure' } as const
type Status = keyof typeof names

export const draftOfOutcome = (id: string) => `outcome ${id}`

/** `onDone`: the page shows the new outcome by reading the decision again. */
export function OutcomeForm({ decision: { id, visibility }, onDone }: { decision: Decision; onDone(): void }) {
  const [status, setStatus] = useState<Status>()
  const [notes, setNotes] = useDraft(draftOfOutcome(id), '')
  const [told, setTold] = useState('')
  const writing = useWriting<Receipt>()
  const submit = async () => {
    if (status === undefined) return
    const input: OutcomeInput = {
      outcome_status: status,
      ...(notes.trim() === '' ? {} : { outcome_notes: notes }),
    }
    setTold('')
    const receipt = await writing.send(
      (service, key) => service.recordOutcome(id, input, key),
      JSON.stringify([id, input]),
    )
    if (receipt === undefined) return
    setStatus(undefined)
    setNotes('')
    setTold(isOpen(receipt) ? 'Accepted. It will be recorded soon.' : 'The outcome is recorded.')
    onDone()
  }
  return (
    <>
      <Form writing={writing} submit="Record the outcome" onSubmit={submit}>
        <fieldset>
          <legend>How did it work out?</legend>
          <div class="row">
            {(Object.keys(names) as Status[]).map((one) => (
              <label key={one} class="choice">
                <input
                  type="radio"
                  name="outcome_status"
                  required
                  checked={status === one}
                  onChange={() => setStatus(one)}
                />
                {names[one]}
              </label>
            ))}
          </div>
        </fieldset>
        <Field
          label="Notes"
          name="outcome_notes"
          hint={`What happened, and what was learned.${visibility.scope === 'workspace' ? '' : ' Seen by the same people as the decision.'}`}
          rows={4}
          value={notes}
          onValue={setNotes}
        />
      </Form>
      <p role="status">{told}</p>
    </>
  )
}
