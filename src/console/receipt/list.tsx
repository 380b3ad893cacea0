/** Receipts, newest first, and the progress of a batch. */
import { pathOfReceipt } from '../parts/addresses.ts'
import { Link } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import { Progress } from '../parts/progress.tsx'
import { isOpen } from '../service/http.ts'
import type { Receipt, Receipts } from '../service/service.ts'
import { type Asked, addressOf, listInputOf } from './asked.ts'
import { AcceptedAt, Result, State } from './told.tsx'
import { operationTold, statesTold } from './wording.ts'

const receiptsOfPage = 50

/** A page of them is read again while it has an open receipt. */
export function ReceiptsFrom({ asked }: { asked: Asked }) {
  const input = { ...listInputOf(asked), limit: receiptsOfPage }
  return (
    <Pages
      of={input}
      read={(service, signal, cursor) => service.receipts({ ...input, ...cursor }, signal)}
      goesOn={hasOpen}
    >
      {({ items, counts, next_cursor }, isFirst) => (
        <>
          {isFirst && counts && <BatchProgress counts={counts} asked={asked} />}
          {items.length === 0 && <Nothing isFirst={isFirst} hasMore={next_cursor !== undefined} asked={asked} />}
          <ul class="plain">
            {items.map((receipt) => (
              <Item key={receipt.receipt_id} receipt={receipt} />
            ))}
          </ul>
        </>
      )}
    </Pages>
  )
}

function hasOpen({ items, counts }: Receipts): boolean {
  return counts === undefined ? items.some(isOpen) : counts.accepted + counts.processing > 0
}

function Nothing({ isFirst, hasMore, asked }: { isFirst: boolean; hasMore: boolean; asked: Asked }) {
  if (hasMore) return <p role="status">None among these; there may be more.</p>
  if (!isFirst) return <p role="status">That was all.</p>
  if (addressOf(asked) === addressOf({ state: '', operation: '', batch: '' })) {
    return <p role="status">You have written nothing yet, or it is so long ago that its receipts are deleted.</p>
  }
  return <p role="status">You have no such receipt.</p>
}

function Item({ receipt }: { receipt: Receipt }) {
  return (
    <li class="receipt">
      <div class="facts hint">
        <State receipt={receipt} />
        <Link to={pathOfReceipt(receipt.receipt_id)}>{operationTold(receipt)}</Link>
        <AcceptedAt receipt={receipt} />
      </div>
      <Result receipt={receipt} />
    </li>
  )
}

/** How many writes of a batch are in each state. Each number leads to them. */
function BatchProgress({ counts, asked }: { counts: NonNullable<Receipts['counts']>; asked: Asked }) {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const ended = all - counts.accepted - counts.processing
  const states = Object.keys(statesTold) as Receipt['state'][]
  return (
    <section class="card" aria-label="Progress of the batch">
      <Progress
        text={ended === all ? `All ${all} writes of this batch have ended.` : `${ended} of ${all} writes have ended.`}
        done={ended}
        of={all}
      />
      <ul class="plain facts">
        {states
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <li key={state}>
              <Link to={addressOf({ ...asked, state })} isHere={asked.state === state}>
                {statesTold[state]}: {counts[state]}
              </Link>
            </li>
          ))}
        {asked.state !== '' && (
          <li>
            <Link to={addressOf({ ...asked, state: '' })}>All states</Link>
          </li>
        )}
      </ul>
    </section>
  )
}
