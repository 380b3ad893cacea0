/** What the forms of a record share. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { isOpen } from '../service/http.ts'
import type { Receipt } from '../service/service.ts'
import { pathOfReceipt, pathOfRecord } from './addresses.ts'
import { useSurroundings, type Writing } from './context.ts'
import { hasDraft } from './draft.ts'
import { Link } from './link.tsx'
import { Refused } from './told.tsx'

interface FieldProps {
  label: string
  name: string
  value: string
  onValue(value: string): void
  required?: boolean
  hint?: string
  rows?: number
}

/** A text of several lines; of one, without `rows`. The service checks its length: a browser would cut what is pasted. */
export function Field({ label, name, value, onValue, required = false, hint, rows }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const attributes = {
    id,
    name,
    value,
    required,
    'aria-describedby': hint === undefined ? undefined : hintId,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  return (
    <div>
      <label htmlFor={id}>
        {label}
        {!required && <span class="hint"> (optional)</span>}
      </label>
      {rows === undefined ? <input type="text" {...attributes} /> : <textarea rows={rows} {...attributes} />}
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  )
}

interface FormProps {
  writing: Pick<Writing<unknown>, 'isSending' | 'refusal'>
  submit: string
  onSubmit(): void
  children: ComponentChildren
}

export function Form({ writing: { isSending, refusal }, submit, onSubmit, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Refused refusal={refusal} />
      {refusal?.code === 'already_superseded' && (
        <p>Your text is still here. Copy it, then load this page again to see what has replaced the record.</p>
      )}
      <div class="row">
        {/* a disabled button loses the focus. Sent again meanwhile, it does nothing */}
        <button type="submit" aria-disabled={isSending}>
          {isSending ? 'Sending …' : submit}
        </button>
      </div>
    </form>
  )
}

/** A link to a form of this page, which it opens. */
export function ToForm({ id, children }: { id: string; children: string }) {
  const open = () => {
    const form = document.getElementById(id)
    if (form instanceof HTMLDetailsElement) form.open = true
  }
  return (
    <a href={`#${id}`} onClick={open}>
      {children}
    </a>
  )
}

interface OpensProps {
  id: string
  title: string
  /** It is open at first if this draft was not sent. */
  draft: string
  children: ComponentChildren
}

/** A form that opens below its title, so that a page is for reading first. */
export function Opens({ id, title, draft, children }: OpensProps) {
  const [isOpen] = useState(() => hasDraft(draft))
  return (
    <details class="opens" id={id} open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

/** Leads to the record that was made; `false`: the write is accepted, but its record is not there yet. */
export function useLeading(): (receipt: Receipt) => boolean {
  const { root } = useSurroundings()
  const { route } = useLocation()
  return ({ entity }) => {
    const path = entity && pathOfRecord(entity)
    if (path === undefined) return false
    say(root + path)
    route(root + path)
    return true
  }
}

/** Of a write that takes longer than the page waits. */
export function Accepted({ receipt }: { receipt: Receipt | undefined }) {
  if (receipt === undefined) return null
  return (
    <p role="status">
      {isOpen(receipt)
        ? 'The service has accepted it, but has not recorded it yet. '
        : 'It is recorded, but your key may not see the new record. '}
      <Link to={pathOfReceipt(receipt.receipt_id)}>Its receipt</Link> says what becomes of it.
    </p>
  )
}

let made: string | undefined

function say(path: string): void {
  made = path
}

/** Whether the reader has just made the record of this page. True once. */
export function wasJustMade(path: string): boolean {
  const isIt = made === path
  made = undefined
  return isIt
}
