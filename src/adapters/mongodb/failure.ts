/** Which errors of MongoDB mean that what was asked was wrong; with all others the engine is away, full or refuses. */
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

const duplicateKey = 11_000

/** Server codes of what no second attempt would make right: bad values and types, an id that changes, too large. */
const mistakes = new Set([2, 9, 14, 28, 40, 52, 66, 10_334, 17_280, 17_419, duplicateKey])

/** Names what the operator has to see to; other errors speak for themselves. */
const reasons: Readonly<Record<number, readonly [string, Trouble]>> = {
  13: ['the user of MONGODB_URL lacks a right', 'forbidden'],
  18: ['the user or password of MONGODB_URL is refused', 'refused'],
  64: ['not confirmed by a majority in time', 'busy'],
  148: ['the server has majority reads turned off', 'failing'],
  10107: ['no primary at present', 'not_primary'],
  14031: ['the disk is full', 'full'],
}

/** Codes of Node that the driver hands on as they are, where a connection ends at the moment when it writes to it. */
const brokenOff = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
])

/** What to throw for it: EngineUnavailable, or the error itself where it is a mistake of the code that asks. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Error && brokenOff.has(String((error as NodeJS.ErrnoException).code))) {
    return new EngineUnavailable('mongodb', error.message, error)
  }
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return error
  if (isMistake(error)) return error
  const [reason, trouble] = reasons[Number(error.code)] ?? [undefined, 'away']
  const message = reason === undefined ? error.message : `${reason}: ${error.message}`
  return new EngineUnavailable('mongodb', message, error, trouble)
}

/** A document with this id or one of its unique keys was there, and nothing else went wrong. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey && !isUnconfirmed(error)
}

export interface Duplicate {
  /** Place in what was given. */
  index: number
  /** The id was there; else another unique key. */
  ofId: boolean
}

/** Those that an unordered bulk write met, if it met nothing else; else undefined. */
export function duplicatesOf(error: unknown): Duplicate[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || isUnconfirmed(error)) return undefined
  const refused = [error.writeErrors].flat()
  if (refused.length === 0 || refused.some((one) => one.code !== duplicateKey)) return undefined
  // the driver keeps no more of a duplicate key than its message, whose form servers have kept
  return refused.map(({ index, errmsg }) => ({ index, ofId: / index: _id_ /.test(errmsg ?? '') }))
}

function isMistake(error: MongoError): boolean {
  if (!(error instanceof MongoServerError) || isUnconfirmed(error)) return false
  const codes = error instanceof MongoBulkWriteError ? [error.writeErrors].flat().map((one) => one.code) : []
  return (codes.length > 0 ? codes : [Number(error.code)]).every((code) => mistakes.has(code))
}

/** Written, but perhaps not by a majority: it may be lost yet. */
function isUnconfirmed(error: MongoServerError): boolean {
  if (error instanceof MongoWriteConcernError) return true
  return error instanceof MongoBulkWriteError && error.result?.getWriteConcernError() !== undefined
}
