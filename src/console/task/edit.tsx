/** The forms that create and change a task. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { audienceTold } from '../parts/audience.ts'
import { Choice } from '../parts/choice.tsx'
import { useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Accepted, Field, Form, useLeading } from '../parts/form.tsx'
import { isOpen } from '../service/http.ts'
import type { NewTask, Receipt, Task, TaskChange } from '../service/service.ts'
import { prioritiesTold, statusesTold } from './wording.ts'

/** What the fields of a form hold. Lists are separated by commas, and a day means its end in UTC. */
interface Texts {
  name: string
  description: string
  status: Task['status']
  priority: Task['priority']
  assignees: string
  project: string
  labels: string
  due: string
  repo: string
}

const empty: Texts = {
  name: '',
  description: '',
  status: 'todo',
  priority: 'none',
  assignees: '',
  project: '',
  labels: '',
  due: '',
  repo: '',
}

export const draftOfTask = (id = 'new') => `task ${id}`

export function CreateForm() {
  const [texts, setTexts] = useDraft(draftOfTask(), empty)
  const [isPrivate, setIsPrivate] = useState(false)
  const [accepted, setAccepted] = useState<Receipt>()
  const writing = useWriting<Receipt>()
  const lead = useLeading()
  const submit = async () => {
    const { name, ...others } = valuesOf(texts)
    const given = Object.entries(others).filter(
      ([field, value]) => value !== null && value !== valuesOf(empty)[field as 'project'],
    )
    const input: NewTask = {
      name,
      ...Object.fromEntries(given),
      ...(isPrivate && { visibility: { scope: 'private' } }),
    }
    const receipt = await writing.send((service, key) => service.createTask(input, key), JSON.stringify(input))
    if (receipt === undefined) return
    setTexts(empty)
    if (!lead(receipt)) setAccepted(receipt)
  }
  if (accepted) return <Accepted receipt={accepted} />
  return (
    <Form writing={writing} submit="Create the task" onSubmit={submit}>
      <Fields texts={texts} onTexts={setTexts} />
      <label class="choice">
        <input type="checkbox" checked={isPrivate} onChange={(event) => setIsPrivate(event.currentTarget.checked)} />
        Only I see it. This can’t be changed later.
      </label>
    </Form>
  )
}

interface EditFormProps {
  task: Task
  /** The page shows the change by reading the task again. */
  onDone(told: string): void
}

/** Made anew for each revision. What was typed belongs to the revision that the reader saw then. */
export function EditForm({ task, onDone }: EditFormProps) {
  const shown = textsOf(task)
  const unchanged = { revision: task.revision, before: shown, texts: shown }
  const [draft, setDraft] = useDraft(draftOfTask(task.id), unchanged)
  const writing = useWriting<Receipt>()
  const submit = async () => {
    const { revision, before, texts } = draft
    const change = changed(valuesOf(before), valuesOf(texts))
    if (Object.keys(change).length === 0) return onDone('Nothing has changed.')
    const receipt = await writing.send(
      (service, key) => service.changeTask(task.id, change, revision, key),
      JSON.stringify([task.id, change, revision]),
    )
    if (receipt === undefined) return undefined
    setDraft(unchanged)
    return onDone(isOpen(receipt) ? 'Accepted. It will be changed soon.' : 'The task is changed.')
  }
  return (
    <Form writing={writing} submit="Save the changes" onSubmit={() => void submit()}>
      <Fields texts={draft.texts} onTexts={(texts) => setDraft({ ...draft, texts })} />
      {draft.revision !== task.revision && (
        <p class="refusal">
          The task was changed meanwhile, so this can’t be saved. Copy your text, then{' '}
          <button type="button" class="other" onClick={() => setDraft(unchanged)}>
            begin again with the task as it is now
          </button>
        </p>
      )}
      <p class="hint">Seen by {audienceTold(task.visibility)}.</p>
    </Form>
  )
}

function Fields({ texts, onTexts }: { texts: Texts; onTexts(texts: Texts): void }): ComponentChildren {
  const set = (name: keyof Texts) => (value: string) => onTexts({ ...texts, [name]: value })
  const field = (name: keyof Texts) => ({ name, value: texts[name], onValue: set(name) })
  const choice = (name: 'status' | 'priority', text: string, options: Readonly<Record<string, string>>) => (
    <Choice text={text} options={options} value={texts[name]} onChange={set(name)} />
  )
  return (
    <>
      <Field label="Name" hint="What is to be done, in a few words." required {...field('name')} />
      <Field label="Description" hint="In Markdown." rows={6} {...field('description')} />
      <div class="filters">
        {choice('status', 'Status', statusesTold)}
        {choice('priority', 'Priority', prioritiesTold)}
        <label>
          Due (end of day, UTC)
          <input type="date" name="due" value={texts.due} onInput={(event) => set('due')(event.currentTarget.value)} />
        </label>
      </div>
      <Field label="Assignees" hint="Users or agents, separated by commas. me: you." {...field('assignees')} />
      <Field label="Project" {...field('project')} />
      <Field label="Labels" hint="Separated by commas." {...field('labels')} />
      <Field label="Repository" hint="Such as owner/name." {...field('repo')} />
    </>
  )
}

function textsOf(task: Task): Texts {
  const {
    name,
    description,
    status,
    priority,
    assignees,
    project = '',
    labels,
    due_at = '',
    repo_full_name = '',
  } = task
  const lists = { assignees: assignees.join(', '), labels: labels.join(', ') }
  return { name, description, status, priority, project, ...lists, due: due_at.slice(0, 10), repo: repo_full_name }
}

/** null: none. */
function valuesOf({ name, description, status, priority, assignees, project, labels, due, repo }: Texts) {
  const orNone = (text: string) => (text.trim() === '' ? null : text.trim())
  return {
    name: name.trim(),
    description: orNone(description),
    status,
    priority,
    assignees: listIn(assignees),
    project: orNone(project),
    labels: listIn(labels),
    due_at: due === '' ? null : `${due}T23:59:59.000Z`,
    repo_full_name: orNone(repo),
  }
}

const listIn = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

type Values = ReturnType<typeof valuesOf>

function changed(before: Values, after: Values): TaskChange {
  const names = Object.keys(after) as (keyof Values)[]
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(differing.map((name) => [name, after[name]]))
}
