/** ETags: made of answers, and compared with If-None-Match and If-Match. */
import { hash } from 'node:crypto'
import { invalid } from '../../problem.ts'

/**
 * A hash of the answer, after its revision if it has one. The hash changes exactly if the caller's own view changes, so
 * it tells nothing about records, links or revisions that the caller does not see.
 */
export function etagOf(text: string, revision?: number): string {
  const mark = hash('sha256', text, 'base64url').slice(0, 22)
  return revision === undefined ? `"${mark}"` : `"${revision}-${mark}"`
}

/**
 * Weak comparison of RFC 9110, 13.1.2. Koa's own check is skipped if the request has `Cache-Control: no-cache`, which
 * fetch sends with every If-None-Match.
 */
export function isKnown(etag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

/** A revision, alone or before the dash of one of our ETags. Compressing an answer makes its ETag weak. */
const revisionTag = /^(?:W\/)?"([1-9]\d{0,14})(?:-[\w-]*)?"$/

/**
 * The revision that the caller has read. undefined: the header is absent, or `*`, which every existing thing matches.
 * Throws invalid_request if the header is neither.
 */
export function revisionIn(ifMatch: string | undefined): number | undefined {
  const given = ifMatch?.trim()
  if (given === undefined || given === '*') return undefined
  const revision = revisionTag.exec(given)?.[1]
  if (revision === undefined) {
    throw invalid('If-Match', 'must be one revision in double quotes, such as "3", or the ETag of what you read')
  }
  return Number(revision)
}
