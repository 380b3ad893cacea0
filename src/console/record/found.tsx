/** Reads a record for its page, and tells what its id is instead if there is no such record. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { type Reading, useReading } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Read } from '../parts/told.tsx'
import { Refusal } from '../service/http.ts'
import type { Decision, Memory, Service } from '../service/service.ts'

type Records = { decision: Decision; memory: Memory }
type Type = keyof Records

type Found<Of extends Type> = { record: Records[Of] } | { other: Type; title: string } | 'unknown'

const otherOf = { decision: 'memory', memory: 'decision' } as const

async function find<Of extends Type>(type: Of, id: string, service: Service, signal: AbortSignal): Promise<Found<Of>> {
  const record = await unlessUnknown<Records[Of]>(service[type](id, signal) as Promise<Records[Of]>)
  if (record) return { record }
  const other = otherOf[type]
  const found = await unlessUnknown<Decision | Memory>(service[other](id, signal))
  return found ? { other, title: found.title } : 'unknown'
}

/** An id of another form than that of a record is refused as invalid. */
async function unlessUnknown<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.code === 'invalid_request')) return undefined
    throw error
  }
}

interface FoundPageProps<Of extends Type> {
  type: Of
  id: string
  /** Shown above the title. */
  kind(record: Records[Of]): string
  children(record: Records[Of], reading: Reading<unknown>): ComponentChildren
}

/** The page with its heading stays while it loads: so the focus does, which each new page gets. */
export function FoundPage<Of extends Type>({ type, id, kind, children }: FoundPageProps<Of>) {
  const reading = useReading<Found<Of>>((service, signal) => find(type, id, service, signal), `${type} ${id}`)
  const last = useRef<Found<Of> | undefined>(undefined)
  last.current = reading.value ?? last.current
  // what is being typed stays if reading it again fails
  const found = last.current
  const record = typeof found === 'object' && 'record' in found ? found.record : undefined
  const title = record?.title ?? (found === undefined ? `A ${type}` : `There is no such ${type}`)
  return (
    <Page title={title} above={record && <p class="kind">{kind(record)}</p>}>
      {record ? (
        children(record, reading)
      ) : (
        <Read reading={reading}>{() => <Missing type={type} id={id} found={found} />}</Read>
      )}
    </Page>
  )
}

function Missing({ type, id, found }: { type: Type; id: string; found: Found<Type> | undefined }) {
  if (typeof found === 'object' && 'other' in found) {
    return (
      <p>
        This is the id of a {found.other}: <RecordLink type={found.other} id={id} title={found.title} />.
      </p>
    )
  }
  return (
    <p>
      No {type} has the id <code>{id}</code>, or your key may not see it.
    </p>
  )
}
