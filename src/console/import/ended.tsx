/** What became of an import: what was recorded, and what was refused and why. */
import { useEffect } from 'preact/hooks'
import type { WhatWasFound } from '../import-thread/messages.ts'
import { pathOfBatch, pathOfProblem, pathOfReceipts } from '../parts/addresses.ts'
import { useDraft } from '../parts/draft.ts'
import { Facts } from '../parts/facts.tsx'
import { Link } from '../parts/link.tsx'
import { draftOfSource } from './choose.tsx'
import { LeftOut } from './found.tsx'
import { InPortions, Place } from './in-portions.tsx'
import type { Ended } from './session.ts'

export function EndOfImport({ ended, what }: { ended: Ended; what: WhatWasFound }) {
  const { found } = what
  const [, setSource] = useDraft(draftOfSource, '')
  // it is sent
  useEffect(() => setSource(''), [])
  const { outcome, batchIds, seconds, isResumed } = ended
  const { imported, unchanged, applied, refused, outcomes_recorded } = outcome
  const isWhole = refused.length === 0 && found.unreadLines === 0
  return (
    <>
      <p class={isWhole ? 'standing good' : 'standing old'} role="status">
        <strong>{isWhole ? 'Imported.' : 'Imported in part.'}</strong> It took {seconds.toFixed(1)} s
        {isResumed && ', and continued an import that was interrupted'}.
      </p>
      <Facts
        facts={[
          ['New or changed', imported?.toLocaleString()],
          ['Already recorded', unchanged?.toLocaleString()],
          ['Applied', imported === undefined ? applied.toLocaleString() : undefined],
          ['Outcomes', outcomes_recorded === 0 ? undefined : outcomes_recorded.toLocaleString()],
          ['Refused', refused.length.toLocaleString()],
          ['Not understood', found.unreadLines === 0 ? undefined : `${found.unreadLines.toLocaleString()} lines`],
          ['Receipts', <Receipts key="receipts" batchIds={batchIds} />],
        ]}
      />
      {refused.length > 0 && (
        <section>
          <h2>Refused</h2>
          <InPortions all={refused}>
            {({ file, line, code, message }) => (
              <div class="refusal">
                <Place file={file} line={line} />
                <p>{message}</p>
                <p class="hint">
                  <Link to={pathOfProblem(code)}>{code}</Link>
                </p>
              </div>
            )}
          </InPortions>
        </section>
      )}
      <LeftOut what={what} />
    </>
  )
}

/** Each batch of decisions has a page of its receipts. Other records are written one by one. */
function Receipts({ batchIds }: { batchIds: readonly string[] }) {
  const [only, ...others] = batchIds
  if (only === undefined) return <Link to={pathOfReceipts}>All receipts</Link>
  if (others.length === 0) return <Link to={pathOfBatch(only)}>of this import</Link>
  return (
    <ul class="plain facts">
      {batchIds.map((id, at) => (
        <li key={id}>
          <Link to={pathOfBatch(id)}>batch {at + 1}</Link>
        </li>
      ))}
    </ul>
  )
}
