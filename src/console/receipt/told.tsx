/** What a receipt says: what was written, or why not. */
import { pathOfProblem, taskOfRun } from '../parts/addresses.ts'
import { Instant, Link } from '../parts/link.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import type { Receipt } from '../service/service.ts'
import { lookOf, statesTold } from './wording.ts'

export function State({ receipt }: { receipt: Receipt }) {
  return <span class={lookOf(receipt)}>{statesTold[receipt.state]}</span>
}

/** The record that was written, or the error in words. Nothing while it is open. */
export function Result({ receipt }: { receipt: Receipt }) {
  const { state, entity, error } = receipt
  if (error) return <Refusal error={error} />
  if (entity) return <Written entity={entity} />
  if (state === 'applied') return <p class="hint">Your key may not see what it wrote.</p>
  if (state === 'expired') return <p>It expired: it was not carried out in time. Send it again.</p>
  return null
}

function Written({ entity }: { entity: NonNullable<Receipt['entity']> }) {
  const { type, id, label, url = '' } = entity
  // a run and a comment are shown by their task
  const task = taskOfRun(url)
  return (
    <p>
      <span class="hint">Wrote the {type} </span>
      {task === undefined ? (
        <RecordLink type={type} id={id} title={label ?? id} />
      ) : (
        <RecordLink type="task" id={task} title={label ?? id} />
      )}
    </p>
  )
}

function Refusal({ error: { code, message, retryable } }: { error: NonNullable<Receipt['error']> }) {
  return (
    <div class="refusal">
      <p>{message}</p>
      <p class="hint">
        <Link to={pathOfProblem(code)}>{code}</Link>
        {retryable ? '. Sent again, it may succeed.' : '. Sent again unchanged, it will be refused again.'}
      </p>
    </div>
  )
}

export function AcceptedAt({ receipt: { accepted_at } }: { receipt: Receipt }) {
  return (
    <span>
      accepted <Instant at={accepted_at} />
    </span>
  )
}
