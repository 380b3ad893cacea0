import { pathOfRecord } from './addresses.ts'
import { Link } from './link.tsx'

/** A link to a record, with its title if it is known. */
export function RecordLink({ type, id, title }: { type: string; id: string; title?: string | undefined }) {
  const path = pathOfRecord({ type, id })
  const text = title ?? `${type} ${id}`
  return path === undefined ? text : <Link to={path}>{text}</Link>
}
