/** The forms that start, approve and cancel a run. */
import { useState } from 'preact/hooks'
import { useReading, useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Field, Form } from '../parts/form.tsx'
import { Read } from '../parts/told.tsx'
import type { Policy, Receipt, Run, RunStart, Task } from '../service/service.ts'

export const draftOfStart = (task: string) => `run ${task}`
const draftOfApproval = (task: string) => `approve ${task}`
export const draftOfCancelling = (task: string) => `cancel ${task}`

const wouldTold: Readonly<Record<Policy['would'], string>> = {
  start: 'It starts at once.',
  plan: 'It makes a plan, and then waits for approval.',
  await_approval: 'It waits for approval first, without a plan.',
  be_refused: 'It is refused.',
}

interface FormProps {
  task: string
  /** The page shows what has happened by reading the task again. */
  onDone(): void
}

export function StartForm({ task, onDone }: { task: Task; onDone(): void }) {
  const { id, execution } = task
  const [instructions, setInstructions] = useDraft(draftOfStart(id), execution.instructions ?? '')
  const [mode, setMode] = useState<Run['mode']>(execution.mode === 'plan' ? 'plan' : 'auto')
  const [executor, setExecutor] = useState(execution.executor ?? '')
  const writing = useWriting<Receipt>()
  const chosen = { mode, ...(executor.trim() !== '' && { executor: executor.trim() }) }
  const policy = useReading((service, signal) => service.policy({ id, ...chosen }, signal), JSON.stringify(chosen))
  const submit = async () => {
    const input: RunStart = { ...chosen, ...(instructions.trim() !== '' && { instructions }) }
    const receipt = await writing.send((service, key) => service.startRun(id, input, key), JSON.stringify([id, input]))
    if (receipt === undefined) return
    setInstructions(execution.instructions ?? '')
    onDone()
  }
  return (
    <Form writing={writing} submit="Run it" onSubmit={submit}>
      <fieldset>
        <legend>How?</legend>
        <Mode text="As the policy decides" value="auto" chosen={mode} onChoose={setMode} />
        <Mode
          text="Make a plan first, and wait until somebody approves it"
          value="plan"
          chosen={mode}
          onChoose={setMode}
        />
      </fieldset>
      <Field
        label="Executor"
        name="executor"
        hint="Its name in the file of the operator. Not needed if there is only one."
        value={executor}
        onValue={setExecutor}
      />
      <Field
        label="Instructions"
        name="instructions"
        hint="What the executor should know or do besides the description."
        rows={3}
        value={instructions}
        onValue={setInstructions}
      />
      <Read reading={policy}>
        {({ would, because }) => (
          <>
            <p>{wouldTold[would]}</p>
            <ul class="hint">
              {because.map((why) => (
                <li key={why}>{why}</li>
              ))}
            </ul>
          </>
        )}
      </Read>
    </Form>
  )
}

interface ModeProps {
  text: string
  value: Run['mode']
  chosen: Run['mode']
  onChoose(mode: Run['mode']): void
}

function Mode({ text, value, chosen, onChoose }: ModeProps) {
  return (
    <label class="choice">
      <input type="radio" name="mode" checked={chosen === value} onChange={() => onChoose(value)} />
      {text}
    </label>
  )
}

export function ApproveForm({ task, run: { plan, number }, onDone }: FormProps & { run: Run }) {
  const [note, setNote] = useDraft(draftOfApproval(task), '')
  const writing = useWriting<Receipt>()
  const submit = async () => {
    const input = { plan_revision: plan?.revision ?? 0, ...(note.trim() !== '' && { note }) }
    const receipt = await writing.send(
      (service, key) => service.approveRun(task, input, key),
      JSON.stringify([task, number, input]),
    )
    if (receipt === undefined) return
    setNote('')
    onDone()
  }
  return (
    <Form writing={writing} submit={plan ? 'Approve this plan' : 'Approve this run'} onSubmit={submit}>
      {plan === undefined && <p>The executor makes no plans: you approve the task as it is.</p>}
      <Field label="Note" name="note" hint="What the executor should heed." rows={2} value={note} onValue={setNote} />
    </Form>
  )
}

export function CancelForm({ task, onDone }: FormProps) {
  const [reason, setReason] = useDraft(draftOfCancelling(task), '')
  const writing = useWriting<Receipt>()
  const submit = async () => {
    const input = reason.trim() === '' ? {} : { reason }
    const receipt = await writing.send(
      (service, key) => service.cancelRun(task, input, key),
      JSON.stringify([task, input]),
    )
    if (receipt === undefined) return
    setReason('')
    onDone()
  }
  return (
    <Form writing={writing} submit="Cancel the run" onSubmit={submit}>
      <Field
        label="Reason"
        name="reason"
        hint="The activity of the task shows it."
        value={reason}
        onValue={setReason}
      />
    </Form>
  )
}
