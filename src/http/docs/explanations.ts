/** The meaning and the remedy of each problem code, for /docs/problems. */
import type { ProblemCode } from '../../problem.ts'
import { adminBody, batchBytes, readBody, searchBody, sizeOf, writeBody } from '../base/body-bounds.ts'

export interface Explanation {
  meaning: string
  remedy: string
  /** A `detail` as an answer may have it. */
  example: string
  /** `details` of the example. */
  details?: Record<string, unknown>
}

const sizes = [
  `a read ${sizeOf(readBody.bytes)}`,
  `a context search ${sizeOf(searchBody.bytes)}`,
  `a write ${sizeOf(writeBody.bytes)}`,
  `a batch ${sizeOf(batchBytes)}`,
  `an admin call ${sizeOf(adminBody.bytes)}`,
].join(', ')

export const explanations: Record<ProblemCode, Explanation> = {
  invalid_request: {
    meaning:
      'A field, parameter or header is missing, unknown, out of its bounds, or contradicts another one. Nothing was done.',
    remedy: 'details.issues lists each path and what to change there. Change these and send the request again.',
    example: 'sources[2].url: must be an absolute URI',
    details: { issues: [{ path: 'sources[2].url', message: 'must be an absolute URI' }] },
  },
  malformed_json: {
    meaning: 'The body is not one JSON value in UTF-8. Nothing was done.',
    remedy: 'details has the line and the column at which the body stops being JSON.',
    example: 'The body is not JSON at line 1, column 12. Send one JSON value.',
    details: { position: 11, line: 1, column: 12 },
  },
  authentication_required: {
    meaning:
      'There is no credential, or it is malformed, unknown, expired or revoked. The answer is the same in all cases.',
    remedy:
      'Send `Authorization: Bearer svc_sk_…` with a key in force. An admin creates one with `precedent keys create`.',
    example: 'Send `Authorization: Bearer <key>` with a valid key.',
  },
  insufficient_scope: {
    meaning: 'The credential is valid, but it lacks the scope of this call.',
    remedy: 'details.required_scope names the scope. Ask an admin for a key that has it.',
    example: 'This call needs a credential with the scope context:write.',
    details: { required_scope: 'context:write' },
  },
  origin_not_allowed: {
    meaning: 'A web page called MCP from an origin that is not allowed.',
    remedy: 'Call it from a program, or let an operator add the origin to `PRECEDENT_ALLOWED_ORIGINS`.',
    example: 'Set `PRECEDENT_ALLOWED_ORIGINS=https://agents.example.com`.',
  },
  not_found: {
    meaning:
      'It does not exist, or this credential may not see it. The answer is the same in both cases. If a field of the body names it, details.field is its path.',
    remedy: 'Check the id and the path. Check that the credential belongs to the user or team that may see the record.',
    example: 'There is no receipt with this id.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    remedy: 'The Allow header lists the methods of the path.',
    example: 'This path allows OPTIONS, POST.',
  },
  idempotency_conflict: {
    meaning:
      'You used this Idempotency-Key before, for another input of the same operation. The first write stands. This one was not made.',
    remedy:
      'Use a new key for a new write. To repeat the first write, send its input unchanged. receipt_id is its receipt.',
    example: 'This idempotency key was used before with other input. Use a new key for a new write.',
  },
  revision_conflict: {
    meaning: 'Someone else changed it after you read it.',
    remedy: 'Read it again, then decide again.',
    example: 'It has changed since.',
  },
  not_decided: {
    meaning: 'The decision is only proposed, or was rejected. So it can’t have worked out one way or the other.',
    remedy: 'Answer the question judgment:<id> to accept the proposal. Then record the outcome.',
    example: 'The decision is proposed: only one that was decided has an outcome.',
  },
  payload_too_large: {
    meaning: `The body has more bytes than the call allows (${sizes}), or more values than any valid input has. Or the request line and the headers have more than 64 KiB. Nothing was done.`,
    remedy:
      'Send less at once. Split an import into several, each with its own Idempotency-Key. details has limit_bytes or limit_tokens. Tokens are the commas, colons and opening brackets outside of strings.',
    example: 'The body may have 8 MiB at most. Send less at once.',
    details: { limit_bytes: 8 * 1024 * 1024 },
  },
  unsupported_media_type: {
    meaning: 'The call does not accept the Content-Type or the Content-Encoding of the body.',
    remedy: 'Send JSON in UTF-8 as application/json, without compression. An import may also be application/x-ndjson.',
    example: 'Send Content-Type: application/json, encoded in UTF-8.',
  },
  rate_limited: {
    meaning: 'The credential made more requests than it may, sent more bytes, or has too many requests under way.',
    remedy: 'Wait as long as Retry-After says. The headers RateLimit and RateLimit-Policy say how much is left.',
    example: 'This credential may make 300 requests a second; a large body counts as several. Try again in 1 s.',
  },
  internal_error: {
    meaning: 'The service has a fault. In a receipt: the service tried several times to decide the write, and failed.',
    remedy:
      'Send the request again, a write with the same Idempotency-Key. If it fails again, tell the operator the instance, which is in the log.',
    example: 'Something failed that should not have. Send it again, a write with the same Idempotency-Key.',
  },
  unavailable: {
    meaning:
      'The store or the search engine is unreachable, full or read-only. Or the service is busy with as many imports or bytes as it can take.',
    remedy: 'Wait as long as Retry-After says and send the request again, a write with the same Idempotency-Key.',
    example: 'The store can’t be reached or can’t be written to. Send it again, a write with the same Idempotency-Key.',
  },
  secret_detected: {
    meaning:
      'In a rejected receipt: the content contains a private key, a token of a service or a password. Nothing was stored.',
    remedy:
      'details has the kind, the place and the line, but not the secret. Remove it, or write a placeholder such as <token>. Then send the rest under a new key.',
    example:
      'Line 3 of content holds a credential (aws). Nothing was stored: remove it and send the rest again under a new key.',
    details: { kind: 'aws', place: 'content', line: 3 },
  },
  self_approval: {
    meaning: 'The run was started by the same user, and the rule that decided does not allow self-approval.',
    remedy: 'Let another person approve it, or an operator set `self_approval: true` in the rule.',
    example: 'You have started this run, so another person has to approve it.',
  },
  task_closed: {
    meaning: 'The task is done or cancelled, so it can’t be run.',
    remedy: 'Set its status to todo and start the run again.',
    example: 'The task is done. Set its status to todo to run it again.',
  },
  ref_not_indexed: {
    meaning: 'The repository is served at one commit of one branch, and this is another ref.',
    remedy: 'Leave ref out, or send the branch or the commit that details names.',
    example: 'Only main at 4f1c2a9 is indexed.',
    details: { branch: 'main', commit: '4f1c2a9' },
  },
  repository_not_ready: {
    meaning:
      'The repository is connected, but no commit of it is indexed yet: the first index is being made, or failed.',
    remedy: 'Try again later. The list of repositories shows its state, and why indexing failed.',
    example: 'No commit of acme/shop is indexed yet.',
  },
  run_active: {
    meaning: 'The task has a run that has not ended. A task has one run at a time.',
    remedy: 'Wait for its end, or cancel it. details.run names it.',
    example: 'Run 2 of this task is running.',
    details: { run: { id: '0192d59f-0a11-7c22-8d33-4e445f556a66', number: 2, state: 'running' } },
  },
  run_ended: {
    meaning: 'The run has ended, so it can be neither approved nor cancelled.',
    remedy: 'Read the run to see how it ended. Start a new one if you still want the work done.',
    example: 'Run 2 of this task was cancelled.',
  },
  plan_changed: {
    meaning: 'The run does not wait for the approval of this plan: there is a newer plan, or it does not wait at all.',
    remedy: 'Read the run, and approve the plan_revision that it shows if you agree with that plan.',
    example: 'The current plan is revision 2. Read it before you approve it.',
  },
  policy_denied: {
    meaning: 'In a receipt or a run: a rule of the operator denies it. Nothing was started.',
    remedy: 'details.rule names the rule. Ask the operator, or change what the rule looks at, such as the labels.',
    example: 'The rule payments denies this run.',
    details: { rule: 'payments' },
  },
  worker_lost: {
    meaning: 'In a run: its worker was lost, and the executor may not be started again, or was lost three times.',
    remedy: 'Check what the executor has done so far, and start a new run.',
    example: 'The worker was lost while the run was running.',
  },
  executor_failed: {
    meaning: 'In a run: the executor ended with an error, took too long, or printed no plan in a plan phase.',
    remedy: 'Read the output of the session and the milestones, and start a new run.',
    example: 'The executor ended with exit code 1.',
  },
  credential_revoked: {
    meaning: 'In a run: the key that started it was revoked or has expired before a session began.',
    remedy: 'Start a new run with a valid key.',
    example: 'The key that started this run is not valid any more.',
  },
  approval_expired: {
    meaning: 'In a run: nobody approved it in time.',
    remedy: 'Start a new run if you still want the work done.',
    example: 'Nobody approved the run within 7 days.',
  },
  expired: {
    meaning: 'In a receipt: a run waited for an approval that did not come in time.',
    remedy: 'Start the run again if you still want it.',
    example: 'It was not approved in time.',
  },
  already_superseded: {
    meaning: 'In a receipt: the record that was to be corrected or superseded already has a successor.',
    remedy: 'details.head is the newest version. Correct or supersede that one.',
    example: 'This memory was corrected before. Correct its newest version instead.',
    details: {
      head: { type: 'memory', id: '0192d59f-0a11-7c22-8d33-4e445f556a66', title: 'Payments run through Stripe.' },
    },
  },
  would_cycle: {
    meaning:
      'In a receipt: the record would supersede itself, or the task would be a part of itself, directly or through others.',
    remedy: 'Leave the older record out of supersedes. Choose another parent_id, or move the subtask out first.',
    example: 'It would supersede itself.',
  },
  question_closed: {
    meaning:
      'In a receipt: the question is already answered or dismissed, or one of its records is no longer in force. Details name the question, its state and since when; closed_by only if it was you.',
    remedy: 'Read the answer. If it is wrong, correct the memory or supersede the decision.',
    example:
      'The question fact:0192d59f-0a11-5c22-8d33-4e445f556a66 is closed: it was confirmed at 2026-01-31T09:30:00.000Z.',
  },
  superseded_invisible: {
    meaning: 'In a receipt: not everyone who sees the older record would see the record that supersedes it.',
    remedy: 'Leave visibility out, or choose one that includes everyone who sees the older record.',
    example: 'Everyone who sees the corrected memory must see the correction.',
  },
}
