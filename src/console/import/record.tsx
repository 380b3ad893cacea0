import type { ShownRecord } from '../import-thread/messages.ts'
import { Facts } from '../parts/facts.tsx'
import { Day } from '../parts/link.tsx'
import { InPortions, Place } from './in-portions.tsx'

export function RecordsFound({ records }: { records: readonly ShownRecord[] }) {
  return <InPortions all={records}>{(record) => <RecordFound record={record} />}</InPortions>
}

function RecordFound({ record }: { record: ShownRecord }) {
  const { kind, file, line, title, status, beginning, facts, notes } = record
  return (
    <article class="found">
      <h3>{title}</h3>
      <div class="facts hint">
        {kind !== 'decision' && <span>{kind}</span>}
        {status !== undefined && <span class={status === 'accepted' ? 'tag good' : 'tag'}>{status}</span>}
        <When record={record} />
        <Place file={file} line={line} />
      </div>
      {beginning !== '' && <p class="clipped">{beginning}</p>}
      {notes.length > 0 && (
        <ul class="notes" aria-label="To check">
          {notes.map(({ line: at, message }, index) => (
            <li key={index}>
              Line {at}: {message}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>All fields</summary>
        <Facts
          facts={[
            [kind === 'decision' ? 'Judgment' : 'Text', <div class="text">{beginning}</div>],
            ...facts.map(([label, values]): [string, preact.JSX.Element] => [label, <Values values={values} />]),
          ]}
        />
      </details>
    </article>
  )
}

function When({ record: { kind, date, dateFrom } }: { record: ShownRecord }) {
  if (date === undefined) return kind === 'decision' ? <span>no date: it counts from this import</span> : null
  return (
    <span>
      {kind === 'task' && 'due on '}
      <Day at={date} />
      {dateFrom === 'name' && ' (from the name of the file or its folder)'}
      {dateFrom === 'git' && ' (from git)'}
    </span>
  )
}

function Values({ values }: { values: readonly string[] }) {
  const [only, ...others] = values
  if (others.length === 0) return <div class="text">{only}</div>
  return (
    <ul>
      {values.map((value, at) => (
        <li key={at} class="text">
          {value}
        </li>
      ))}
    </ul>
  )
}
