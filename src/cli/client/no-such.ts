/** The error for an id that names nothing. It tells the id that was given, and never whether others see its record. */
import { Failure } from '../terminal/failure.ts'
import { inLine } from '../terminal/terminal.ts'

export function noSuch(what: string, id: string): Failure {
  return new Failure('failed', 'not_found', `There is no ${what} with the id ${inLine(id)}.`, {
    remedy: 'It does not exist, or your key may not see it.',
  })
}

/** Whether the service refused a call because this field names no record. The call may name others, such as a team. */
export function namesNothing(error: unknown, field: string): boolean {
  if (!(error instanceof Failure) || error.code !== 'not_found') return false
  const { details } = error.details as { details?: { field?: unknown } }
  return details?.field === field
}
