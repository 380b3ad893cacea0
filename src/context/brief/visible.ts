/** Removes invisible characters from all texts of an answer, so that a model reads nothing that a person can't see. */
import { invisible } from './text/in-line.ts'

/** Returns a copy of the same shape. Keys stay unchanged: they are names of the interface. */
export function visibleOnly<T>(value: T): T {
  return (isPlain(value) ? mapped(value) : typeof value === 'string' ? value.replace(invisible, '') : value) as T
}

function mapped(value: object): object {
  if (Array.isArray(value)) return value.map(visibleOnly)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, visibleOnly(field)]))
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
