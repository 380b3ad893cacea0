import type { ComponentChildren } from 'preact'

interface FilterFormProps {
  onSubmit(): void
  children: ComponentChildren
}

/** A form whose fields say what its page shows. */
export function FilterForm({ onSubmit, children }: FilterFormProps) {
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <search>
      <form onSubmit={submit}>{children}</form>
    </search>
  )
}
