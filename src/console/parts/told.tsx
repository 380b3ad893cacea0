import type { ComponentChildren } from 'preact'
import type { Refusal } from '../service/http.ts'
import type { Reading } from './context.ts'

interface RefusedProps {
  /** Without a `status`, it is no answer of the service. */
  refusal: (Pick<Refusal, 'message'> & Partial<Pick<Refusal, 'status'>>) | undefined
  again?: () => void
}

/** What was refused, as an alert. */
export function Refused({ refusal, again }: RefusedProps) {
  if (refusal === undefined) return null
  // it would be refused again
  const isFinal = refusal.status === 403 || refusal.status === 404
  return (
    <div class="refusal" role="alert">
      <p>{refusal.message}</p>
      {again && !isFinal && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The value of a reading once it is there; before that, that it is loading, or why it can't be read. */
export function Read<Value>({
  reading,
  children,
}: {
  reading: Reading<Value>
  children: (value: Value) => ComponentChildren
}) {
  const { value, refusal, isLoading, again } = reading
  if (refusal) return <Refused refusal={refusal} again={again} />
  if (value !== undefined) return <div aria-busy={isLoading}>{children(value)}</div>
  return (
    <p class="hint" role="status">
      Loading …
    </p>
  )
}
