/** Submits a step of a run to the journal: an internal operation. Run workers and maintain do so. */
import assert from 'node:assert/strict'
import { type ServicePart, serviceActor } from '../../access/actor.ts'
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import type { Documents } from '../../ports/documents.ts'
import type { ReceiptSeen } from '../../receipt.ts'
import { accept } from '../../receipts/accept.ts'
import { records } from '../../records/record.ts'
import { stepKey } from './internal.ts'

export interface Step {
  operation: Parameters<typeof stepKey>[0]
  workspace: WorkspaceId
  run: RecordId
  /** The fence, or the instant since which the run waits: a step that is submitted again takes effect once. */
  of: number | string
  /** Without `run`. */
  input: Readonly<Record<string, unknown>>
}

/** Returns its receipt, also if it was submitted before. */
export async function submit(ports: JournalPorts, part: ServicePart, step: Step): Promise<ReceiptSeen> {
  const { operation: name, workspace, run, of, input } = step
  const operation = ports.operations.get(name)
  assert(operation, `the operation ${name} is known`)
  const actor = serviceActor(part, workspace, await ports.workspaceType(workspace))
  const trace = await traceOf(ports.documents, run)
  const call = { operation, actor, input: { run, ...input }, idempotencyKey: stepKey(name, run, of) }
  return accept(ports, { ...call, ...(trace === null ? {} : { trace }) })
}

/** Of the request that started the run: by it the run is found in the logs of all processes. */
async function traceOf(documents: Documents, run: RecordId): Promise<string | null> {
  const row = await documents.get(records, run, ['kind', 'body'])
  return row?.kind === 'run' ? row.body.trace : null
}
