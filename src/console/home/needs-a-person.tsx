import type { ComponentChildren } from 'preact'
import { pathOfQuestions, pathOfTask, pathOfTasks } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'
import { QuestionLinks } from '../parts/question-links.tsx'
import { Read } from '../parts/told.tsx'
import { Refusal } from '../service/http.ts'
import type { Questions, Service, Tasks } from '../service/service.ts'

const mostShown = 5
/** Questions that are counted. */
const mostCounted = 50

/** Open questions, plans that wait for approval, and runs that failed. */
export function NeedsAPerson() {
  const reading = useReading(read, '')
  return (
    <section aria-labelledby="needs-a-person" class="needs">
      <h2 id="needs-a-person">Needs a person</h2>
      <Read reading={reading}>
        {({ questions, waiting, failed }) => (
          <>
            {[questions, waiting, failed].every(({ items }) => items.length === 0) && <p>Nothing now.</p>}
            <OpenQuestions {...questions} />
            <TaskList tasks={waiting} title="Plans to approve" runState="awaiting_approval" />
            <TaskList tasks={failed} title="Runs that failed" runState="failed" />
          </>
        )}
      </Read>
    </section>
  )
}

async function read(service: Service, signal: AbortSignal) {
  const tasksIn = (run_state: ('awaiting_approval' | 'failed' | 'expired')[]) => {
    const status = ['todo', 'in_progress', 'blocked'] as const
    return unlessForbidden(
      service.tasks({ run_state, status: [...status], sort: 'priority', limit: mostShown }, signal),
    )
  }
  const [questions, waiting, failed] = await Promise.all([
    service.questions({ limit: mostCounted }, signal),
    tasksIn(['awaiting_approval']),
    tasksIn(['failed', 'expired']),
  ])
  return { questions, waiting, failed }
}

/** A key may lack the scope for tasks. */
async function unlessForbidden(tasks: Promise<Tasks>): Promise<Tasks> {
  try {
    return await tasks
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return { items: [], has_more: false }
    throw error
  }
}

function OpenQuestions({ items, has_more }: Questions) {
  if (items.length === 0) return null
  const many =
    items.length === 1 ? 'The open question' : `All ${has_more ? `${items.length}+` : items.length} questions`
  return (
    <>
      <QuestionLinks questions={items.slice(0, mostShown)} />
      <p>
        <Link to={pathOfQuestions}>{many}</Link>
      </p>
    </>
  )
}

interface TaskListProps {
  tasks: Tasks
  title: string
  /** Of the runs of the tasks. */
  runState: string
}

function TaskList({ tasks: { items, has_more }, title, runState }: TaskListProps): ComponentChildren {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="plain">
        {items.map(({ id, name }) => (
          <li key={id}>
            <Link to={pathOfTask(id)} class="clipped">
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {has_more && (
        <p>
          <Link to={`${pathOfTasks}?run_state=${runState}`}>All of them</Link>
        </p>
      )}
    </>
  )
}
