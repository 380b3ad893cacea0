import { Choice } from '../parts/choice.tsx'
import { useFields } from '../parts/fields.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { type Asked, addressOf } from './asked.ts'
import { operationsTold, statesTold } from './wording.ts'

const states = { '': 'Any', ...statesTold }
const operations = { '': 'Any', ...operationsTold }

interface FiltersProps {
  asked: Asked
  onAsk(asked: Asked): void
}

export function Filters({ asked, onAsk }: FiltersProps) {
  const { fields, set } = useFields(asked, addressOf(asked))
  return (
    <FilterForm onSubmit={() => onAsk({ ...fields, batch: fields.batch.trim() })}>
      <div class="filters">
        <Choice text="State" options={states} value={fields.state} onChange={set('state')} />
        <Choice text="Operation" options={operations} value={fields.operation} onChange={set('operation')} />
        <label>
          Batch of an import (id)
          <input
            type="text"
            name="batch"
            value={fields.batch}
            onInput={(event) => set('batch')(event.currentTarget.value)}
          />
        </label>
      </div>
      <div class="row">
        <button type="submit">Show</button>
      </div>
    </FilterForm>
  )
}
