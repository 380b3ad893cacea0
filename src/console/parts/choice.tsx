interface ChoiceProps {
  text: string
  value: string
  /** What is shown of each value. */
  options: Readonly<Record<string, string>>
  onChange(value: string): void
}

/** A value that is not among the options stays in the address: it is an option then. */
export function Choice({ text, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {text}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(Object.hasOwn(options, value) ? options : { ...options, [value]: value }).map(
          ([name, shown]) => (
            <option key={name} value={name}>
              {shown}
            </option>
          ),
        )}
      </select>
    </label>
  )
}
