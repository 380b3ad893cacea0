/** What people and agents say about a task, and what has happened to it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useReading, useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Field, Form } from '../parts/form.tsx'
import { Instant } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Read } from '../parts/told.tsx'
import type { GetTask, Receipt, Task } from '../service/service.ts'
import { runStatesTold } from './wording.ts'

type Comments = Task['comments']
type Activity = Task['activity']

export function Comments({ task, onDone }: { task: Task; onDone(): void }) {
  const { id, comments } = task
  return (
    <section>
      <h2>Comments</h2>
      <CommentForm task={id} onDone={onDone} />
      {comments.items.length === 0 && <p class="hint">There are none.</p>}
      <CommentList page={comments} task={id} />
    </section>
  )
}

function CommentForm({ task, onDone }: { task: string; onDone(): void }) {
  const [body, setBody] = useDraft(`comment ${task}`, '')
  const writing = useWriting<Receipt>()
  const submit = async () => {
    const receipt = await writing.send((service, key) => service.comment(task, body, key), JSON.stringify([task, body]))
    if (receipt === undefined) return
    setBody('')
    onDone()
  }
  return (
    <Form writing={writing} submit="Comment" onSubmit={submit}>
      <Field
        label="Your comment"
        name="body"
        hint="In Markdown. It can’t be changed later."
        required
        rows={3}
        value={body}
        onValue={setBody}
      />
    </Form>
  )
}

function CommentList({ page: { items, next_cursor }, task }: { page: Comments; task: string }) {
  return (
    <>
      <ul class="plain">
        {items.map(({ id, body, created_at, created_by }) => (
          <li key={id} class="card">
            <div class="hint">
              {created_by}, <Instant at={created_at} />
            </div>
            <Markdown text={body} top={4} />
          </li>
        ))}
      </ul>
      {next_cursor !== undefined && (
        <Older of={{ id: task, comments_cursor: next_cursor }}>
          {({ comments }) => <CommentList page={comments} task={task} />}
        </Older>
      )}
    </>
  )
}

export function ActivityOf({ task: { id, activity } }: { task: Task }) {
  return (
    <section>
      <h2>Activity</h2>
      {activity.items.length === 0 && <p class="hint">Nothing has happened yet.</p>}
      <ActivityList page={activity} task={id} />
    </section>
  )
}

function ActivityList({ page: { items, next_cursor }, task }: { page: Activity; task: string }) {
  return (
    <>
      <ul class="plain">
        {items.map((one) => (
          <li key={one.id}>
            <span class="hint">
              <Instant at={one.at} /> {one.by}
            </span>{' '}
            <Happened {...one} />
          </li>
        ))}
      </ul>
      {next_cursor !== undefined && (
        <Older of={{ id: task, activity_cursor: next_cursor }}>
          {({ activity }) => <ActivityList page={activity} task={task} />}
        </Older>
      )}
    </>
  )
}

interface OlderProps {
  of: Pick<GetTask, 'id' | 'comments_cursor' | 'activity_cursor'>
  children(task: Task): ComponentChildren
}

/** A button in whose place the older ones come. */
function Older({ of, children }: OlderProps) {
  const [isWanted, want] = useState(false)
  if (isWanted) return <OlderPage of={of}>{children}</OlderPage>
  return (
    <button type="button" class="other" onClick={() => want(true)}>
      Show older ones
    </button>
  )
}

function OlderPage({ of, children }: OlderProps) {
  const reading = useReading(
    (service, signal) => service.task({ ...of, enrichment: 'none' }, signal),
    JSON.stringify(of),
  )
  return <Read reading={reading}>{children}</Read>
}

function Happened({ changes, run, note, revision }: Activity['items'][number]) {
  if (run) {
    return (
      <>
        Run {run.number}:{' '}
        {run.from === 'awaiting_approval' && run.state === 'queued'
          ? 'approved'
          : runStatesTold[run.state].toLowerCase()}
        {note !== undefined && <span class="text">: {note}</span>}
      </>
    )
  }
  if (revision === 1) return <>created it</>
  return (
    <>
      changed{' '}
      {(changes ?? []).map(({ field, from, to }, at) => (
        <span key={field}>
          {at > 0 && ', '}
          {field.replaceAll('_', ' ')}
          {field !== 'description' && (
            <span class="hint">
              {' '}
              ({told(from)} → {told(to)})
            </span>
          )}
        </span>
      ))}
    </>
  )
}

const told = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value.join(', ') : value?.replaceAll('_', ' ')) || 'none'
