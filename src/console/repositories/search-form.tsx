import { useState } from 'preact/hooks'
import { pathOfRepositories } from '../parts/addresses.ts'
import { Choice } from '../parts/choice.tsx'
import { useFields } from '../parts/fields.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { type Asked, addressOf, kindsTold } from './asked.ts'

interface SearchFormProps {
  asked: Asked
  onAsk(asked: Asked): void
}

export function SearchForm({ asked, onAsk }: SearchFormProps) {
  const { fields, set } = useFields(asked, addressOf(asked))
  const word = (name: keyof Asked, text: string) => (
    <label>
      {text}
      <input type="text" name={name} value={fields[name]} onInput={(event) => set(name)(event.currentTarget.value)} />
    </label>
  )
  const [isFiltered] = useState(
    () => addressOf({ ...asked, q: '', for: '', kind: '' }) !== pathOfRepositories && asked.q !== '',
  )
  const isForNames = fields.for === 'names'
  return (
    <FilterForm onSubmit={() => onAsk({ ...fields, q: fields.q.trim() })}>
      <QueryField
        label={isForNames ? 'A name, or the beginning of one' : 'Search the code for'}
        value={fields.q}
        onValue={set('q')}
        submit="Search"
      />
      <div class="filters">
        <Choice
          text="Look for"
          options={{ '': 'Places in the code', names: 'Definitions' }}
          value={fields.for}
          onChange={set('for')}
        />
      </div>
      <details open={isFiltered}>
        <summary>Where to look</summary>
        <div class="filters">
          {word('repo', 'Repository')}
          {word('language', 'Language')}
          {isForNames ? (
            <Choice text="Kind" options={{ '': 'Any', ...kindsTold }} value={fields.kind} onChange={set('kind')} />
          ) : (
            word('path', 'Folder, file or pattern')
          )}
        </div>
      </details>
    </FilterForm>
  )
}
