import { useState } from 'preact/hooks'
import { pathOfTasks } from '../parts/addresses.ts'
import { Choice } from '../parts/choice.tsx'
import { useFields } from '../parts/fields.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { type Asked, addressOf } from './asked.ts'
import { prioritiesTold, runStatesTold, statusesTold } from './wording.ts'

const statuses = { '': 'Not closed', any: 'Any', ...statusesTold }
const priorities = { '': 'Any', ...prioritiesTold }
const runStates = { '': 'Any', ...runStatesTold, expired: 'Expired', none: 'Never ran' }
const sorts = {
  '': 'Most urgent first',
  due: 'Due first',
  updated: 'Changed longest ago first',
  created: 'Oldest first',
}

interface FiltersProps {
  asked: Asked
  onAsk(asked: Asked): void
}

export function Filters({ asked, onAsk }: FiltersProps) {
  const { fields, set } = useFields(asked, addressOf(asked))
  const choice = (name: keyof Asked, text: string, options: Readonly<Record<string, string>>) => (
    <Choice text={text} options={options} value={fields[name]} onChange={set(name)} />
  )
  const word = (name: keyof Asked, text: string) => (
    <label>
      {text}
      <input type="text" name={name} value={fields[name]} onInput={(event) => set(name)(event.currentTarget.value)} />
    </label>
  )
  const [isFiltered] = useState(() => addressOf({ ...asked, q: '' }) !== pathOfTasks)
  return (
    <FilterForm onSubmit={() => onAsk(fields)}>
      <QueryField label="Words of the name or the description" value={fields.q} onValue={set('q')} submit="Show" />
      <details open={isFiltered}>
        <summary>Filters and order</summary>
        <div class="filters">
          {choice('status', 'Status', statuses)}
          {choice('run_state', 'Newest run', runStates)}
          {choice('priority', 'Priority', priorities)}
          {word('assignee', 'Assignee (me: you)')}
          {word('project', 'Project')}
          {word('label', 'Label')}
          {fields.q.trim() === '' && choice('sort', 'Order', sorts)}
          {choice('view', 'Shown as', { '': 'List', board: 'Board' })}
        </div>
      </details>
    </FilterForm>
  )
}
