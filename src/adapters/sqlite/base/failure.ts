/** Tells errors of the SQLite engine from errors of a statement. */
import { EngineUnavailable, type Trouble } from '../../../ports/unavailable.ts'

/** Primary result codes (sqlite.org/rescode.html) that are not caused by the statement. */
const reasons: Readonly<Record<number, readonly [string, Trouble]>> = {
  5: ['the file is locked by another process', 'busy'],
  6: ['a table is locked', 'busy'],
  7: ['out of memory', 'full'],
  8: ['the file is read-only', 'read_only'],
  9: ['interrupted', 'busy'],
  10: ['the disk fails', 'damaged'],
  11: ['the file is damaged', 'damaged'],
  13: ['the disk is full', 'full'],
  14: ['the file cannot be opened', 'failing'],
  15: ['the locks of the file fail', 'failing'],
  22: ['the disk takes no file as large as this', 'full'],
  23: ['not permitted', 'forbidden'],
  26: ['not a database', 'damaged'],
}

/** The index was lost and will be rebuilt. The file is healthy: other writes of the same transaction are kept. */
export class MissingIndex extends EngineUnavailable {
  constructor(name: string) {
    super('search', `there is no index ${name}`, undefined, 'index_lost')
  }
}

export function isEngineFailure(error: unknown): boolean {
  if (error instanceof MissingIndex) return false
  return error instanceof EngineUnavailable || reasons[primaryCode(error)] !== undefined
}

export function engineFailure(error: unknown, what?: string): EngineUnavailable {
  if (error instanceof EngineUnavailable) return error
  const detail = error instanceof Error ? error.message : String(error)
  const [reason, trouble] = reasons[primaryCode(error)] ?? [undefined, 'failing']
  const parts = [what, reason, reason === detail ? undefined : detail].filter((part) => part !== undefined)
  return new EngineUnavailable('sqlite', parts.join(': '), error, trouble)
}

/** -1 if the error does not come from SQLite. */
function primaryCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : -1
}
