/** Tasks as a list, or as a board with a column for each status. */
import { useState } from 'preact/hooks'
import { pathOfTask } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { Day, Link } from '../parts/link.tsx'
import { Read } from '../parts/told.tsx'
import type { ListedTask, Tasks } from '../service/service.ts'
import { type Asked, listInputOf } from './asked.ts'
import { hasEnded, isLate, prioritiesTold, runStatesTold, statusesTold } from './wording.ts'

const tasksOfPage = 30

/** One page, and below it the next ones once the reader wants them. */
export function TasksFrom({ asked, cursor }: { asked: Asked; cursor?: string }) {
  const input = { ...listInputOf(asked), limit: tasksOfPage, ...(cursor && { cursor }) }
  const reading = useReading((service, signal) => service.tasks(input, signal), JSON.stringify(input))
  return <Read reading={reading}>{(page) => <Shown {...{ page, asked }} isFirst={cursor === undefined} />}</Read>
}

function Shown({
  page: { items, has_more, next_cursor },
  asked,
  isFirst,
}: {
  page: Tasks
  asked: Asked
  isFirst: boolean
}) {
  const [wantsMore, setWantsMore] = useState(false)
  return (
    <>
      {items.length === 0 && <p role="status">{isFirst ? 'There is no such task.' : 'That was all.'}</p>}
      {asked.view === 'board' ? <Board tasks={items} /> : <List tasks={items} />}
      {has_more && !wantsMore && (
        <button type="button" class="other" onClick={() => setWantsMore(true)}>
          Show more
        </button>
      )}
      {wantsMore && next_cursor !== undefined && <TasksFrom asked={asked} cursor={next_cursor} />}
    </>
  )
}

export function List({ tasks }: { tasks: readonly ListedTask[] }) {
  return (
    <ul class="plain">
      {tasks.map((task) => (
        <li key={task.id} class="task">
          <Link to={pathOfTask(task.id)}>{task.name}</Link>
          <Facts task={task} hasStatus />
        </li>
      ))}
    </ul>
  )
}

function Board({ tasks }: { tasks: readonly ListedTask[] }) {
  const statuses = (Object.keys(statusesTold) as ListedTask['status'][]).filter((status) =>
    tasks.some((task) => task.status === status),
  )
  return (
    <div class="board">
      {statuses.map((status) => (
        <section key={status} aria-label={statusesTold[status]}>
          <h2>{statusesTold[status]}</h2>
          {tasks
            .filter((task) => task.status === status)
            .map((task) => (
              <div class="card" key={task.id}>
                <Link to={pathOfTask(task.id)}>{task.name}</Link>
                <Facts task={task} />
              </div>
            ))}
        </section>
      ))}
    </div>
  )
}

function Facts({ task, hasStatus = false }: { task: ListedTask; hasStatus?: boolean }) {
  const { status, priority, assignees, project, labels, due_at, run } = task
  return (
    <div class="facts hint">
      {hasStatus && <span class="tag">{statusesTold[status]}</span>}
      {priority !== 'none' && (
        <span class={priority === 'urgent' ? 'tag alert' : 'tag'}>{prioritiesTold[priority]}</span>
      )}
      {run && <RunTag run={run} />}
      {due_at !== undefined && (
        <span>
          {isLate(task) ? 'was due on ' : 'due on '}
          <Day at={due_at} />
        </span>
      )}
      {assignees.length > 0 && <span>{assignees.join(', ')}</span>}
      {project !== undefined && <span>{project}</span>}
      {labels.length > 0 && <span>{labels.join(', ')}</span>}
    </div>
  )
}

function RunTag({ run }: { run: NonNullable<ListedTask['run']> }) {
  const { number, state } = run
  const needsAPerson = state === 'awaiting_approval' || state === 'failed' || state === 'expired'
  const look = needsAPerson ? 'tag alert' : hasEnded(run) ? 'tag' : 'tag good'
  return (
    <span class={look}>
      Run {number}: {runStatesTold[state].split(':')[0]?.toLowerCase()}
    </span>
  )
}
