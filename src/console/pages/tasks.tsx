/** Tasks: which are open, who has them, and how their runs stand. */
import { useLocation } from 'preact-iso/router'
import { useSurroundings } from '../parts/context.ts'
import { Opens } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { addressOf, askedIn } from '../task/asked.ts'
import { CreateForm, draftOfTask } from '../task/edit.tsx'
import { Filters } from '../task/filters.tsx'
import { TasksFrom } from '../task/list.tsx'

export function TasksPage() {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const asked = askedIn(query)
  return (
    <Page title="Tasks">
      <Opens id="new-task" title="New task" draft={draftOfTask()}>
        <CreateForm />
      </Opens>
      <Filters asked={asked} onAsk={(next) => route(root + addressOf(next))} />
      <TasksFrom key={addressOf(asked)} asked={asked} />
    </Page>
  )
}
