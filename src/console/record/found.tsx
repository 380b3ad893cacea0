/** Reads a record for its page, and tells what its id is instead if there is no such record. */
import type { ComponentChildren } from 'preact'
import { type Reading, useReading } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { Read } from '../parts/told.tsx'
import { Refusal } from '../service/http.ts'
import type { Decision, Memory, Service } from '../service/service.ts'
import { RecordLink } from './record-link.tsx'

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
  children(record: Records[Of], reading: Reading<unknown>): ComponentChildren
}

/** `children` is the whole page of the record. */
export function FoundPage<Of extends Type>({ type, id, children }: FoundPageProps<Of>) {
  const reading = useReading<Found<Of>>((service, signal) => find(type, id, service, signal), `${type} ${id}`)
  const { value } = reading
  if (typeof value === 'object' && 'record' in value) return <>{children(value.record, reading)}</>
  return (
    <Page title={value === undefined ? `A ${type}` : `There is no such ${type}`}>
      <Read reading={reading}>
        {(found) =>
          typeof found === 'object' && 'other' in found ? (
            <p>
              This is the id of a {found.other}: <RecordLink type={found.other} id={id} title={found.title} />.
            </p>
          ) : (
            <p>
              No {type} has the id <code>{id}</code>, or your key may not see it.
            </p>
          )
        }
      </Read>
    </Page>
  )
}
