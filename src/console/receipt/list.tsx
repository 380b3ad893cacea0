/** Receipts, newest first, and the progress of a batch. */
import { useEffect, useState } from 'preact/hooks'
import { pathOfReceipt } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'
import { Progress } from '../parts/progress.tsx'
import { Read } from '../parts/told.tsx'
import { isOpen } from '../service/http.ts'
import type { Receipt, Receipts } from '../service/service.ts'
import { type Asked, addressOf, listInputOf } from './asked.ts'
import { AcceptedAt, Result, State } from './told.tsx'
import { operationTold, statesTold } from './wording.ts'

const receiptsOfPage = 50
/** ms. */
const pollEvery = 2_000

/** One page, and below it the next ones once the reader wants them. It is read again while something in it is open. */
export function ReceiptsFrom({ asked, cursor }: { asked: Asked; cursor?: string }) {
  const input = { ...listInputOf(asked), limit: receiptsOfPage, ...(cursor && { cursor }) }
  const reading = useReading((service, signal) => service.receipts(input, signal), JSON.stringify(input))
  const { value, again } = reading
  useEffect(() => {
    if (value === undefined || !hasOpen(value)) return undefined
    const timer = setTimeout(again, pollEvery)
    return () => clearTimeout(timer)
  }, [value, again])
  return <Read reading={reading}>{(page) => <Shown {...{ page, asked }} isFirst={cursor === undefined} />}</Read>
}

function hasOpen({ items, counts }: Receipts): boolean {
  return counts === undefined ? items.some(isOpen) : counts.accepted + counts.processing > 0
}

function Shown({ page, asked, isFirst }: { page: Receipts; asked: Asked; isFirst: boolean }) {
  const { items, counts, next_cursor } = page
  const [more, setMore] = useState<string | undefined>(undefined)
  return (
    <>
      {isFirst && counts && <BatchProgress counts={counts} asked={asked} />}
      {items.length === 0 && <Nothing isFirst={isFirst} hasMore={next_cursor !== undefined} asked={asked} />}
      <ul class="plain">
        {items.map((receipt) => (
          <Item key={receipt.receipt_id} receipt={receipt} />
        ))}
      </ul>
      {next_cursor !== undefined && more === undefined && (
        <button type="button" class="other" onClick={() => setMore(next_cursor)}>
          Show more
        </button>
      )}
      {more !== undefined && <ReceiptsFrom asked={asked} cursor={more} />}
    </>
  )
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
