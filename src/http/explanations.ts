/** What every code means and what to do about it: the text behind the `type` of a problem, shown at /docs. */
import type { ProblemCode } from '../problem.ts'
import { adminBody, batchBytes, readBody, searchBody, sizeOf, writeBody } from './body-bounds.ts'

export interface Explanation {
  meaning: string
  remedy: string
  /** A `detail` as it may come. */
  example: string
}

const sizes = [
  `a read ${sizeOf(readBody.bytes)}`,
  `a context search ${sizeOf(searchBody.bytes)}`,
  `a write ${sizeOf(writeBody.bytes)}`,
  `a batch ${sizeOf(batchBytes)}`,
  `a call of an admin ${sizeOf(adminBody.bytes)}`,
].join(', ')

export const explanations: Record<ProblemCode, Explanation> = {
  invalid_request: {
    meaning:
      'A field, parameter or header is missing, unknown, out of its bounds or contradicts another one. Nothing was done.',
    remedy: 'details.issues lists each path with what to change. Change these and send the request again.',
    example: 'sources[2].url: must be an absolute URL',
  },
  malformed_json: {
    meaning: 'The body is not one JSON value in UTF-8. Nothing was done.',
    remedy: 'details has the line, column and position where it stops being JSON.',
    example: 'The body is not JSON at line 1, column 12. Send one JSON value.',
  },
  authentication_required: {
    meaning: 'There is no credential, or it is malformed, unknown, expired or revoked. The answer is the same for all.',
    remedy:
      'Send `Authorization: Bearer svc_sk_…` with a key in force; an admin makes one with `precedent keys create`.',
    example: 'Send `Authorization: Bearer <key>` with a valid key.',
  },
  insufficient_scope: {
    meaning: 'The credential is valid, but not for this call.',
    remedy: 'details.required_scope names the scope. Ask an admin for a key that has it.',
    example: 'This call needs a credential with the scope context:write.',
  },
  not_found: {
    meaning: 'There is no such thing, or none that this credential may see: the answer is the same for both.',
    remedy:
      'Check the id and the path, and whether the credential belongs to the user or team that it was written for.',
    example: 'There is no receipt with this id.',
  },
  method_not_allowed: {
    meaning: 'The path is right, the method is not.',
    remedy: 'The Allow header lists the methods of the path.',
    example: 'This path knows OPTIONS, POST.',
  },
  idempotency_conflict: {
    meaning:
      'The Idempotency-Key was used by this caller for another input of this operation. The first write stands; this one was not made.',
    remedy:
      'Use a new key for a new write. To repeat the first, send its input unchanged. receipt_id names its receipt.',
    example: 'This idempotency key was used before with other input. Use a new key for a new write.',
  },
  revision_conflict: {
    meaning: 'It was changed by someone else since it was read.',
    remedy: 'Read it again and decide anew.',
    example: 'It has changed since.',
  },
  payload_too_large: {
    meaning: `The body has more bytes than the call takes (${sizes}), more values than any valid input of it has, or request line and headers are over 64 KiB. Nothing was done.`,
    remedy:
      'Send less at once: split an import into several, each with its own Idempotency-Key. details has limit_bytes or limit_tokens; tokens are the commas, colons and opening brackets outside of texts.',
    example: 'The body may have 8 MiB at most. Send less at once.',
  },
  unsupported_media_type: {
    meaning: 'The body has a Content-Type or a Content-Encoding that the call does not take.',
    remedy: 'Send JSON in UTF-8 as application/json (an import also as application/x-ndjson), not compressed.',
    example: 'Send Content-Type: application/json, encoded in UTF-8.',
  },
  rate_limited: {
    meaning: 'The credential made more requests than it may, sent more bytes, or has too many requests under way.',
    remedy:
      'Wait as long as Retry-After says. RateLimit and RateLimit-Policy tell how much is left before that happens.',
    example: 'This credential may make 300 requests a second; a large body counts as several. Try again in 1 s.',
  },
  internal_error: {
    meaning: 'A fault of the service. In a receipt: deciding the write failed again and again, and it was given up.',
    remedy:
      'Send it again; a write with the same Idempotency-Key, so that it is not made twice. Tell the operator the instance: it stands in the log.',
    example: 'Something failed that should not have. Send it again, a write with the same Idempotency-Key.',
  },
  unavailable: {
    meaning:
      'The store or the search engine can’t be reached, is full or read-only, or the service is busy: it has as many imports or bytes under way as it can take of one caller or of all.',
    remedy: 'Wait as long as Retry-After says and send it again, a write with the same Idempotency-Key.',
    example: 'The store can’t be reached or can’t be written to. Send it again, a write with the same Idempotency-Key.',
  },
  secret_detected: {
    meaning:
      'In a rejected receipt: the content holds a private key, a token of a service or a password. None of it was stored.',
    remedy:
      'details has the kind, the place and the line, never the secret. Take it out, or write a placeholder such as <token>, and send the content under a new key.',
    example: 'The content holds a credential (aws) in content, line 3. Nothing was stored.',
  },
  expired: {
    meaning: 'In a receipt: a run waited for an approval that did not come in time.',
    remedy: 'Start the run again if it is still wanted.',
    example: 'It was not approved in time.',
  },
  already_superseded: {
    meaning: 'In a receipt: what was to be corrected or superseded has a successor already.',
    remedy: 'details.head names the newest version: correct or supersede that one.',
    example: 'This memory was corrected before. Correct its newest version instead.',
  },
  would_cycle: {
    meaning: 'In a receipt: the record would, directly or through others, supersede itself.',
    remedy: 'Leave the older record out of supersedes.',
    example: 'It would supersede itself.',
  },
  question_closed: {
    meaning: 'In a receipt: the question was answered or dismissed already.',
    remedy: 'Look for the answer; if it is wrong, correct the memory or supersede the decision.',
    example: 'The question was answered already.',
  },
  superseded_invisible: {
    meaning: 'In a receipt: not everyone who sees the older record would see the one that supersedes it.',
    remedy: 'Leave visibility out, or choose one that reaches everyone who sees the older record.',
    example: 'Everyone who sees the corrected memory must see the correction.',
  },
}
