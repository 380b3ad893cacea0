/** The only place that presents receipts to callers (PROTOCOL 6). */

import { z } from 'zod'
import { type Actor, audiencesOf } from '../access/actor.ts'
import type { Where } from '../ports/documents.ts'
import { type ProblemCode, problems } from '../problem.ts'
import { type Receipt, type ReceiptSeen, receiptStates } from '../receipt.ts'
import { kinds, pathOf, pathOfApproval, pathOfRun } from '../records/kinds.ts'

const instant = z.iso.datetime()

export const receiptResponse = z.strictObject({
  receipt_id: z.uuid(),
  operation: z.string().regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_-]*)+$/),
  state: z.enum(receiptStates),
  accepted_at: instant,
  updated_at: instant,
  retryable: z.boolean().default(false).describe('Whether sending the same input under a new key may succeed.'),
  entity: z
    .strictObject({
      type: z.string().min(1).max(80),
      id: z.string().min(1).max(300),
      label: z.string().min(1).max(500).optional(),
      url: z.url().max(2000).optional(),
    })
    .optional()
    .describe('The record that was made or changed.'),
  approval_url: z
    .url()
    .max(2000)
    .optional()
    .describe('POST to it approves the run that the write has started: it awaited approval at once.'),
  correction: z
    .strictObject({ available: z.boolean(), url: z.url().max(2000).optional() })
    .optional()
    .describe('Whether the record can be corrected or superseded, and where to send that.'),
  error: z
    .strictObject({
      code: z.string().regex(/^[a-z][a-z0-9_]*$/),
      message: z.string().min(1).max(2000),
      retryable: z.boolean(),
      receipt_id: z.uuid().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
})
export type ReceiptResponse = z.infer<typeof receiptResponse>

/** The fields needed to present a receipt. */
export const presentedFields = [
  'id',
  'owner',
  'actor',
  'operation',
  'state',
  'accepted_at',
  'updated_at',
  'open',
  'entity',
  'correctable',
  'error',
] as const satisfies (keyof ReceiptSeen)[]
type Presented = Pick<ReceiptSeen, (typeof presentedFields)[number]>

const longestUrl = 2000
const longestMessage = 2000

/** An actor sees its own receipts; with the scope admin, all of its workspace. Others are not loaded. */
export function visibleTo({ workspace, user, scopes }: Actor): Where<Receipt> {
  return scopes.includes('admin') ? { workspace } : { workspace, owner: user }
}

/**
 * `publicUrl` has no slash at the end. If the actor can't see the record, the receipt does not name it; an admin is told
 * its id, but not its label (PROTOCOL 6).
 */
export function presentReceipt(receipt: Presented, actor: Actor, publicUrl: string): ReceiptResponse {
  return {
    receipt_id: receipt.id,
    operation: receipt.operation,
    state: receipt.state,
    accepted_at: receipt.accepted_at,
    updated_at: receipt.updated_at,
    retryable: receipt.error?.retryable ?? false,
    ...(receipt.state === 'applied' ? appliedParts(receipt, actor, publicUrl) : {}),
    ...(receipt.error === null || receipt.open === 1 ? {} : { error: errorOf(receipt, receipt.error, actor) }),
  }
}

function appliedParts({ entity, correctable }: Presented, actor: Actor, publicUrl: string): Partial<ReceiptResponse> {
  if (entity === null) return {}
  const seen = audiencesOf(actor).includes(entity.audience)
  if (!seen && !actor.scopes.includes('admin')) return {}
  const { path, isReplaceable } = entity.type === 'comment' ? noUrl : kinds[entity.type]
  const shownAt = pathOfEntity(entity)
  const task = entity.type === 'task' ? entity.id : entity.task
  return {
    entity: {
      type: entity.type,
      id: entity.id,
      ...(seen && entity.label !== '' ? { label: entity.label } : {}),
      ...(shownAt === undefined ? {} : urlField(publicUrl + shownAt)),
    },
    ...(entity.awaits && task ? { approval_url: publicUrl + pathOfApproval(task) } : {}),
    ...(isReplaceable && path !== null
      ? { correction: { available: correctable, ...(correctable ? urlField(publicUrl + path) : {}) } }
      : {}),
  }
}

function pathOfEntity({ type, id, task }: NonNullable<Presented['entity']>): string | undefined {
  if (type === 'run' && task !== undefined) return pathOfRun(task)
  return type === 'comment' ? undefined : pathOf(type, id)
}

/** GET of its task shows a comment. */
const noUrl = { path: null, isReplaceable: false }

type Failure = NonNullable<Presented['error']>

/**
 * The message and details may name records and quote the input, so only the actor that made the call sees them. Admins
 * see the title of the problem.
 */
function errorOf(receipt: Presented, error: Failure, actor: Actor): NonNullable<ReceiptResponse['error']> {
  const { code, retryable } = error
  if (!maySeeAllOf(receipt, actor)) return { code, message: titleOf(code), retryable, receipt_id: receipt.id }
  return {
    code,
    message: [...error.message].slice(0, longestMessage).join(''),
    retryable,
    receipt_id: receipt.id,
    ...(error.details === null ? {} : { details: error.details }),
  }
}

/** Whether the actor is the user that made the call, and its key has all teams of the key used then. */
function maySeeAllOf({ owner, actor: accepted }: Presented, { user, teams }: Actor): boolean {
  return owner === user && accepted.teams.every((team) => teams.includes(team))
}

/** The code may come from a newer version that this one does not know. */
function titleOf(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as ProblemCode].title : 'The write failed'
}

function urlField(url: string): { url?: string } {
  return url.length <= longestUrl ? { url } : {}
}
