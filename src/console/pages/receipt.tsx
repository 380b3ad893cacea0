/** One receipt: the state of its write, what it wrote, or why it was refused. */
import { useRoute } from 'preact-iso/router'
import { pathOfReceipt, pathOfReceipts } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { Copies, Facts } from '../parts/facts.tsx'
import { Instant, Link } from '../parts/link.tsx'
import { orUnknown } from '../parts/or-unknown.ts'
import { Page } from '../parts/page.tsx'
import { Read } from '../parts/told.tsx'
import { Result, State } from '../receipt/told.tsx'
import { operationTold } from '../receipt/wording.ts'
import { isOpen } from '../service/http.ts'
import type { Receipt } from '../service/service.ts'

export function ReceiptPage() {
  const id = useRoute().params.id ?? ''
  const reading = useReading((service, signal) => orUnknown(service.receipt(id, signal)), id)
  const { value } = reading
  const title = value === 'unknown' ? 'There is no such receipt' : 'A receipt'
  return (
    <Page title={title} above={<Link to={pathOfReceipts}>All receipts</Link>}>
      <Read reading={reading}>
        {(receipt) =>
          receipt === 'unknown' ? (
            <p>
              No receipt has the id <code>{id}</code>, it is deleted by now, or your key may not see it.
            </p>
          ) : (
            <Shown receipt={receipt} again={reading.again} />
          )
        }
      </Read>
    </Page>
  )
}

function Shown({ receipt, again }: { receipt: Receipt; again(): void }) {
  const { receipt_id, accepted_at, updated_at } = receipt
  const operation = operationTold(receipt)
  return (
    <>
      <Result receipt={receipt} />
      {isOpen(receipt) && (
        <p>
          The service has accepted it, and has not carried it out yet.{' '}
          <button type="button" class="other" onClick={again}>
            Look again
          </button>
        </p>
      )}
      <Copies type="receipt" id={receipt_id} title={operation} path={pathOfReceipt(receipt_id)} />
      <Facts
        facts={[
          ['State', <State key="state" receipt={receipt} />],
          ['Operation', operation],
          ['Accepted', <Instant key="accepted" at={accepted_at} />],
          ['Last changed', <Instant key="changed" at={updated_at} />],
          ['Id', <code key="id">{receipt_id}</code>],
        ]}
      />
    </>
  )
}
