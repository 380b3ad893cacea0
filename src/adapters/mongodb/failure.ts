/** Tells errors that are our mistake from outages. For every other error, MongoDB is unreachable, full or refuses. */
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

const duplicateKey = 11_000

/** Server codes of errors that a retry does not solve: bad values and types, a changed id, too large documents. */
const mistakes = new Set([2, 9, 14, 28, 40, 52, 66, 10_334, 17_280, 17_419, duplicateKey])

/** What the operator must know about these codes. The messages of other errors are clear enough. */
const reasons: Readonly<Record<number, readonly [string, Trouble]>> = {
  13: ['the user of MONGODB_URL lacks a privilege', 'forbidden'],
  18: ['the user or password of MONGODB_URL is wrong', 'refused'],
  64: ['the write was not confirmed by a majority in time', 'busy'],
  148: ['majority reads are turned off on the server', 'failing'],
  10107: ['the replica set has no primary at the moment', 'not_primary'],
  14031: ['the disk is full', 'full'],
}

/** Error codes of Node that the driver passes on unchanged, if a connection ends while the driver writes to it. */
const connectionLost = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
])

/** The error to throw: EngineUnavailable, or the error itself if it is a mistake of the caller. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Error && connectionLost.has(String((error as NodeJS.ErrnoException).code))) {
    return new EngineUnavailable('mongodb', error.message, error)
  }
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return error
  if (isMistake(error)) return error
  const [reason, trouble] = reasons[Number(error.code)] ?? [undefined, 'unreachable']
  const message = reason === undefined ? error.message : `${reason}: ${error.message}`
  return new EngineUnavailable('mongodb', message, error, trouble)
}

/** The only error is that a document with this id, or with one of its unique keys, exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey && !isUnconfirmed(error)
}

export interface Duplicate {
  /** Index in the array of writes. */
  index: number
  /** true: the id is a duplicate. false: another unique key is. */
  ofId: boolean
}

/** The duplicates of an unordered bulk write. Undefined if there was any other error. */
export function duplicatesOf(error: unknown): Duplicate[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || isUnconfirmed(error)) return undefined
  const refused = [error.writeErrors].flat()
  if (refused.length === 0 || refused.some((one) => one.code !== duplicateKey)) return undefined
  // the driver keeps only the message of a duplicate key; its format has not changed between server versions
  return refused.map(({ index, errmsg }) => ({ index, ofId: / index: _id_ /.test(errmsg ?? '') }))
}

function isMistake(error: MongoError): boolean {
  if (!(error instanceof MongoServerError) || isUnconfirmed(error)) return false
  const codes = error instanceof MongoBulkWriteError ? [error.writeErrors].flat().map((one) => one.code) : []
  return (codes.length > 0 ? codes : [Number(error.code)]).every((code) => mistakes.has(code))
}

/** The write was done, but may not be on a majority of servers, so it may still be lost. */
function isUnconfirmed(error: MongoServerError): boolean {
  if (error instanceof MongoWriteConcernError) return true
  return error instanceof MongoBulkWriteError && error.result?.getWriteConcernError() !== undefined
}
