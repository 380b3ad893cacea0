/** One task: what is to be done, how its run stands, what bears on it, and what people say about it. */
import { useRef, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { pathOfTask, pathOfTasks } from '../parts/addresses.ts'
import { audienceTold } from '../parts/audience.ts'
import { textOfBrief } from '../parts/brief-text.ts'
import { type Reading, useReading, useSurroundings } from '../parts/context.ts'
import { Copies, Facts } from '../parts/facts.tsx'
import { Opens, ToForm, wasJustMade } from '../parts/form.tsx'
import { Day, Instant, Link } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { orUnknown } from '../parts/or-unknown.ts'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Read, Refused } from '../parts/told.tsx'
import type { Task } from '../service/service.ts'
import { draftOfTask, EditForm } from '../task/edit.tsx'
import { List } from '../task/list.tsx'
import { RunOf } from '../task/run.tsx'
import { ActivityOf, Comments } from '../task/talk.tsx'
import { isLate, prioritiesTold, statusesTold } from '../task/wording.ts'

export function TaskPage() {
  const id = useRoute().params.id ?? ''
  return <WithId key={id} id={id} />
}

function WithId({ id }: { id: string }) {
  const reading = useReading((service, signal) => orUnknown(service.task({ id }, signal)), id)
  // what is being typed stays if reading it again fails
  const last = useRef(reading.value)
  last.current = reading.value ?? last.current
  const task = last.current
  const title = task === 'unknown' ? 'There is no such task' : (task?.name ?? 'A task')
  return (
    <Page title={title} above={<Link to={pathOfTasks}>All tasks</Link>}>
      {typeof task === 'object' ? (
        <Shown task={task} reading={reading} />
      ) : (
        <Read reading={reading}>
          {() => (
            <p>
              No task has the id <code>{id}</code>, or your key may not see it.
            </p>
          )}
        </Read>
      )}
    </Page>
  )
}

function Shown({ task, reading }: { task: Task; reading: Reading<unknown> }) {
  const { id, name, description, revision, subtasks, enrichment } = task
  const { root } = useSurroundings()
  const path = pathOfTask(id)
  const [told, setTold] = useState(() => (wasJustMade(root + path) ? 'The task is created. This page shows it.' : ''))
  const onEdited = (text: string) => {
    setTold(text)
    reading.again()
  }
  return (
    <>
      <p role="status">{told}</p>
      <Refused refusal={reading.refusal} again={reading.again} />
      <Standing task={task} />
      <Copies type="task" id={id} title={name} path={path}>
        <ToForm id="edit">Edit it</ToForm>
      </Copies>
      {description === '' ? <p class="hint">It has no description.</p> : <Markdown text={description} />}
      <RunOf task={task} onDone={reading.again} />
      {subtasks.count > 0 && (
        <section>
          <h2>Subtasks</h2>
          <List tasks={subtasks.items} />
          {subtasks.count > subtasks.items.length && <p class="hint">{subtasks.count} in all.</p>}
        </section>
      )}
      {enrichment && <BearsOn enrichment={enrichment} />}
      <Comments task={task} onDone={reading.again} />
      <ActivityOf task={task} />
      <About task={task} />
      <section>
        <h2>Edit it</h2>
        <Opens id="edit" title="Change this task" draft={draftOfTask(id)}>
          <EditForm key={revision} task={task} onDone={onEdited} />
        </Opens>
      </section>
    </>
  )
}

function Standing({ task }: { task: Task }) {
  const { status, priority, assignees, due_at, visibility } = task
  const late = isLate(task)
  return (
    <p class={`standing ${late || status === 'blocked' ? 'old' : 'good'}`}>
      <strong>{statusesTold[status]}.</strong>
      {priority !== 'none' && ` Priority: ${prioritiesTold[priority].toLowerCase()}.`}
      {assignees.length > 0 ? ` Assigned to ${assignees.join(', ')}.` : ' Assigned to nobody.'}
      {due_at !== undefined && (
        <>
          {late ? ' It was due on ' : ' Due on '}
          <Day at={due_at} />.
        </>
      )}
      {visibility.scope !== 'workspace' && ` Seen by ${audienceTold(visibility)}.`}
    </p>
  )
}

/** The brief that an agent gets with the task. */
function BearsOn({ enrichment: { markdown, citations, degraded } }: { enrichment: NonNullable<Task['enrichment']> }) {
  return (
    <section>
      <h2>What bears on it</h2>
      {degraded && <p class="refusal">Search is not complete now, so something may be missing here.</p>}
      {citations.length === 0 ? (
        <p class="hint">Nothing that is recorded bears on it.</p>
      ) : (
        <Markdown text={textOfBrief(markdown)} citations={citations} top={3} />
      )}
    </section>
  )
}

function About({ task }: { task: Task }) {
  const { id, project, labels, start_at, parent_id, repo_full_name, decision_ids, external_id } = task
  const { created_at, created_by, updated_at, visibility } = task
  return (
    <section>
      <h2>About it</h2>
      <Facts
        facts={[
          ['Project', project],
          ['Labels', labels.join(', ')],
          ['Starts', start_at && <Day at={start_at} />],
          ['A part of', parent_id && <RecordLink type="task" id={parent_id} title="another task" />],
          ['Repository', repo_full_name],
          [
            'Decisions',
            decision_ids.length === 0
              ? undefined
              : decision_ids.map((decision) => (
                  <div key={decision}>
                    <RecordLink type="decision" id={decision} />
                  </div>
                )),
          ],
          [
            'Created',
            <>
              by {created_by}, <Instant at={created_at} />
            </>,
          ],
          ['Last changed', <Instant key="changed" at={updated_at} />],
          ['Who sees it', audienceTold(visibility)],
          ['External id', external_id],
          ['Id', <code key="id">{id}</code>],
        ]}
      />
    </section>
  )
}
