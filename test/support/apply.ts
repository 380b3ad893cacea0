/** Calls operations on the test's own engine, without HTTP, and waits for their end. */
import type { Actor } from '../../src/access/actor.ts'
import type { Operation } from '../../src/operation.ts'
import { type ReceiptSeen, receipts, seenFields } from '../../src/receipt.ts'
import { accept } from '../../src/receipts/accept.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { openWorld, quiet, type World, workspace } from '../journal/world.ts'
import { randomOf } from './chaos.ts'

export { openWorld, quiet, type World, workspace }
export const world = (): Promise<World> => openWorld(randomOf(7))

const ada: Actor = {
  workspace,
  workspaceType: 'company',
  credential: 'key-of-ada',
  user: 'ada',
  teams: ['11111111-1111-7111-8111-111111111111'],
  scopes: ['context:read', 'context:write'],
}
export const actorAda = ada

let keys = 0

/** The receipt after it has ended. */
export async function apply<Input>(
  on: World,
  operation: Operation<Input>,
  input: unknown,
  actor: Actor = ada,
): Promise<ReceiptSeen> {
  const receipt = await promise(on, operation, input, actor)
  await quiet(on)
  return (await on.documents.get(receipts, receipt.id, seenFields)) as ReceiptSeen
}

/** Accepted, but not decided. */
export async function promise<Input>(
  on: World,
  operation: Operation<Input>,
  input: unknown,
  actor: Actor = ada,
  lane: 'interactive' | 'import' = 'interactive',
): Promise<ReceiptSeen> {
  keys += 1
  return accept(on.portsOf(on), { operation, actor, input, idempotencyKey: `key-${keys}-of-the-test`, lane })
}

/** All rows, in the order of acceptance. */
export async function rows(on: World): Promise<PrecedentRecord[]> {
  const found = await on.documents.find(records, { where: { workspace }, limit: 10_000 })
  return found.sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
}

export async function row(on: World, receipt: ReceiptSeen): Promise<PrecedentRecord> {
  const found = (await rows(on)).filter((one) => one.record_id === receipt.entity?.id)
  return found.at(-1) as PrecedentRecord
}
