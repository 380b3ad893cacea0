/** What was found in the files, before anything is sent. */
import type { Found as Counts } from '../../cli/import/found.ts'
import type { WhatWasFound } from '../import-thread/messages.ts'
import { Facts } from '../parts/facts.tsx'
import { InPortions, Place } from './in-portions.tsx'
import { RecordsFound } from './record.tsx'

export function Found({ what, onlyToCheck }: { what: WhatWasFound; onlyToCheck: boolean }) {
  const { found, records } = what
  const shown = onlyToCheck ? records.filter((record) => record.notes.length > 0) : records
  const all = found.decisions + found.memories + found.tasks
  return (
    <>
      <section>
        <h2>{onlyToCheck ? 'Records to check' : 'Records'}</h2>
        {shown.length === 0 && <p>{onlyToCheck ? 'There is nothing to check in them.' : 'There is none.'}</p>}
        <RecordsFound key={String(onlyToCheck)} records={shown} />
        {records.length < all && (
          <p class="hint">
            These are the first {records.length.toLocaleString()}. All {all.toLocaleString()} are imported.
          </p>
        )}
      </section>
      <LeftOut what={what} />
    </>
  )
}

/** What is not imported and why, and what else a person should check. */
export function LeftOut({ what: { found, notes } }: { what: WhatWasFound }) {
  return (
    <>
      {found.notDecisions.length > 0 && (
        <section>
          <h2>Not imported</h2>
          <InPortions all={found.notDecisions}>
            {({ file, reason }) => (
              <>
                <Place file={file} /> <span class="hint">{reason}</span>
              </>
            )}
          </InPortions>
        </section>
      )}
      {notes.length > 0 && (
        <section>
          <h2>Also to check</h2>
          <InPortions all={notes}>
            {({ file, line, message }) => (
              <>
                <Place file={file} line={line} /> <span class="hint">{message}</span>
              </>
            )}
          </InPortions>
        </section>
      )}
    </>
  )
}

/** What was found, in numbers. */
export function Numbers({ found }: { found: Counts }) {
  const { source, decisions, memories, tasks, outcomes, links, linksPending, linksElsewhere } = found
  const { amendments, notDecisions, unreadLines, dates, format } = found
  const dated = dates.text + dates.name + dates.git
  const some = (number: number) => (number === 0 ? undefined : number.toLocaleString())
  const ofThem = [
    ...(linksElsewhere ? [`${linksElsewhere.toLocaleString()} to decisions outside of this import`] : []),
    ...(linksPending > 0 ? [`${linksPending.toLocaleString()} wait until a proposal is accepted`] : []),
  ]
  return (
    <Facts
      facts={[
        ['Source', source],
        ['Decisions', some(decisions)],
        ['Memories', some(memories)],
        ['Tasks', some(tasks)],
        ['Outcomes', some(outcomes)],
        ['Superseding links', links === 0 ? undefined : [links.toLocaleString(), ...ofThem].join(', ')],
        ['Amendments', some(amendments)],
        [
          'Dates',
          format === 'adr' && decisions > 0
            ? `${dates.text} from the text, ${dates.name} from names, ${decisions - dated} without a date`
            : undefined,
        ],
        ['Not imported', some(notDecisions.length)],
        ['Not understood', unreadLines === 0 ? undefined : `${unreadLines.toLocaleString()} lines`],
      ]}
    />
  )
}
