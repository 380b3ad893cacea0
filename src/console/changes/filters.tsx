import { Choice } from '../parts/choice.tsx'
import { useFields } from '../parts/fields.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { type Asked, addressOf, changesTold, feedsTold, firstDay } from './asked.ts'

interface FiltersProps {
  asked: Asked
  onAsk(asked: Asked): void
}

export function Filters({ asked, onAsk }: FiltersProps) {
  const { fields, set } = useFields(asked, addressOf(asked))
  const choice = (name: 'records' | 'change', text: string, options: Readonly<Record<string, string>>) => (
    <Choice text={text} options={{ '': 'All', ...options }} value={fields[name]} onChange={set(name)} />
  )
  return (
    <FilterForm onSubmit={() => onAsk(fields)}>
      <div class="filters">
        {choice('records', 'Records', feedsTold)}
        {choice('change', 'What happened', changesTold)}
        <label>
          From the day (UTC)
          <input type="date" value={firstDay(fields)} onInput={(event) => set('since')(event.currentTarget.value)} />
        </label>
      </div>
      <div class="row">
        <button type="submit">Show</button>
      </div>
    </FilterForm>
  )
}
