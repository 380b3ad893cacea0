/** Tasks as a list, or as a board with a column for each status. */
import { pathOfTask } from '../parts/addresses.ts'
import { Day, Link } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import type { ListedTask } from '../service/service.ts'
import { type Asked, listInputOf } from './asked.ts'
import { hasEnded, isLate, prioritiesTold, runStatesTold, statusesTold } from './wording.ts'

const tasksOfPage = 30

export function TasksFrom({ asked }: { asked: Asked }) {
  const input = { ...listInputOf(asked), limit: tasksOfPage }
  return (
    <Pages of={input} read={(service, signal, cursor) => service.tasks({ ...input, ...cursor }, signal)}>
      {({ items }, isFirst) => (
        <>
          {items.length === 0 && <p role="status">{isFirst ? 'There is no such task.' : 'That was all.'}</p>}
          {asked.view === 'board' ? <Board tasks={items} /> : <List tasks={items} />}
        </>
      )}
    </Pages>
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
