import { useId } from 'preact/hooks'
import type { FindInput } from '../../decisions/find-input.ts'
import { Choice } from '../parts/choice.tsx'
import { useFields } from '../parts/fields.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { type Asked, addressOf, isDay, type Kind } from './asked.ts'

type Values<Field extends keyof FindInput> = Extract<NonNullable<FindInput[Field]>, readonly unknown[]>[number] & string

const kinds: Record<Kind, string> = { all: 'Everything', decisions: 'Decisions', memories: 'Memories' }

const categories: Record<Values<'category'>, string> = {
  architecture: 'Architecture',
  compliance: 'Compliance',
  customer: 'Customer',
  domain: 'Domain',
  engineering: 'Engineering',
  finance: 'Finance',
  go_to_market: 'Go to market',
  hiring: 'Hiring',
  legal: 'Legal',
  market: 'Market',
  operations: 'Operations',
  partnership: 'Partnership',
  people: 'People',
  policy: 'Policy',
  pricing: 'Pricing',
  process: 'Process',
  product: 'Product',
  research: 'Research',
  sales: 'Sales',
  security: 'Security',
  strategy: 'Strategy',
  strategic: 'Strategic',
  support: 'Support',
  technical: 'Technical',
}

const significances: Record<Values<'significance'>, string> = {
  routine: 'Routine',
  significant: 'Significant',
  strategic: 'Strategic',
}

const surfaces: Record<Values<'surface'>, string> = {
  account: 'Account',
  adr: 'Decision record',
  backfill: 'Backfill',
  code: 'Code',
  correction: 'Correction',
  manual: 'By hand',
  marketing: 'Marketing',
  mcp: 'MCP',
  meeting: 'Meeting',
  session_debrief: 'Session debrief',
  strategy: 'Strategy',
  substrate: 'Substrate',
  supervisor: 'Supervisor',
  supervisor_decision: 'Supervisor decision',
  triage: 'Triage',
}

const standings = { true: 'In force', false: 'Not in force' }

interface SearchFormProps {
  asked: Asked
  onSearch(asked: Asked): void
}

export function SearchForm({ asked, onSearch }: SearchFormProps) {
  const { fields, set } = useFields(asked, addressOf(asked))
  const choice = (name: keyof Asked, text: string, options: Record<string, string>) => (
    <Choice text={text} options={{ '': 'Any', ...options }} value={fields[name]} onChange={set(name)} />
  )
  const day = (name: keyof Asked, text: string) => <Day text={text} value={fields[name]} onChange={set(name)} />
  return (
    <FilterForm onSubmit={() => onSearch({ ...fields, q: fields.q.trim() })}>
      <QueryField label="Search for" placeholder="Search for …" value={fields.q} onValue={set('q')} submit="Search" />
      <div class="filters">
        <Choice text="Kind" options={kinds} value={fields.kind} onChange={set('kind')} />
        {fields.kind === 'decisions' ? (
          <>
            {choice('in_force', 'In force', standings)}
            {choice('category', 'Category', categories)}
            {choice('significance', 'Significance', significances)}
            {choice('surface', 'Made or recorded in', surfaces)}
            {day('since', 'Decided from')}
            {day('until', 'Decided until')}
          </>
        ) : (
          day('as_of', 'As of (end of day, UTC)')
        )}
      </div>
    </FilterForm>
  )
}

interface FieldProps {
  text: string
  value: string
  onChange(value: string): void
}

/** An instant of an address, which a date field can't hold, stays a text. */
function Day({ text, value, onChange }: FieldProps) {
  const id = useId()
  const change = (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value)
  return (
    <div>
      <label for={id}>{text}</label>
      {value === '' || isDay(value) ? (
        <input id={id} type="date" value={value} onInput={change} />
      ) : (
        <input id={id} type="text" value={value} onInput={change} />
      )}
    </div>
  )
}
