/** Reads dates in the fields of JSON Lines and CSV. */
import { instantWithOffset, isoInstant } from '../../validation/schema.ts'

/** A day becomes its first instant. An instant with an offset becomes the same instant in UTC. Empty: nothing to mend. */
export function instantIn(object: Readonly<Record<string, unknown>>, field: string): Record<string, string> {
  const value = object[field]
  if (typeof value !== 'string' || isoInstant(value) !== undefined) return {}
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { [field]: `${value}T00:00:00.000Z` }
  const instant = instantWithOffset(value.replace(' ', 'T'))
  return instant === undefined ? {} : { [field]: instant }
}
