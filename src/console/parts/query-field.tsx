import { longestQuery } from './limits.ts'

interface QueryFieldProps {
  label: string
  /** Shown while nothing is typed. Left out: the label. */
  placeholder?: string
  value: string
  onValue(value: string): void
  /** What the button of the form says. */
  submit: string
}

/** The field for a question, with the button that sends its form. */
export function QueryField({ label, placeholder = label, value, onValue, submit }: QueryFieldProps) {
  return (
    <div class="row">
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        maxLength={longestQuery}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <button type="submit">{submit}</button>
    </div>
  )
}
