/**
 * Random histories of memories and decisions. Each act is written to a world with the test's clock, and to its model.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { drain } from '../../src/journal/drain.ts'
import { sweep } from '../../src/journal/maintenance/sweep.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Operation } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { type ReceiptSeen, receipts, seenFields } from '../../src/receipt.ts'
import { openWorld, promise, type World, workspace } from './apply.ts'
import { randomOf } from './chaos.ts'
import {
  judge,
  type Kept,
  type Model,
  proposalOf,
  type Status,
  takeDue,
  type Written,
  writeDecision,
  writeMemory,
} from './history-model.ts'

export const day = 86_400_000
const start = Date.parse('2026-01-01T00:00:00Z')

/** Stands still until the test sets it. */
export interface TimedWorld extends World {
  time: { now: number }
}

export async function openTimedWorld(): Promise<TimedWorld> {
  const world = await openWorld(randomOf(1))
  const time = { now: start }
  const clock = { ...world.clock, now: () => time.now }
  return { ...world, time, clock, portsOf: (engines) => ({ ...world.portsOf(engines), clock }) }
}

/** Sets the time and runs maintain and the workers. With `interactive`, receipts of the import lane keep waiting. */
export async function advance(on: TimedWorld, to: number, lane: 'all' | 'interactive' = 'all'): Promise<void> {
  on.time.now = Math.max(on.time.now, to)
  const ports = on.portsOf(on)
  await sweep(ports)
  await drain(ports, { workspace, lane: 'interactive' })
  if (lane === 'all') await drain(ports, { workspace, lane: 'import' })
}

export async function index(on: World): Promise<void> {
  await indexWorkspace(on.portsOf(on), { workspace, lane: 'interactive' })
}

const status = fc.constantFrom<Status>('accepted', 'accepted', 'accepted', 'proposed', 'rejected', 'deprecated')
const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 0)

export const act = fc.record({
  /** Days since the previous act. */
  after: fc.constantFrom(0, 0, 1, 40, 400),
  kind: fc.constantFrom(
    ...(['fact', 'constraint', 'commitment', 'session_outcome', 'correction', 'correction', 'correction'] as const),
    ...(['decision', 'decision', 'decision', 'decision', 'decision', 'decision'] as const),
    ...(['judgment', 'judgment', 'judgment'] as const),
  ),
  /** Which of all proposals. */
  resolution: fc.constantFrom('confirm', 'confirm', 'dismiss', 'correct'),
  /** Which of the existing records it names. */
  targets: fc.array(fc.nat(), { maxLength: 3 }),
  /** The external_ids that a decision names, whether they exist or not. */
  names: fc.array(fc.nat(4), { maxLength: 2 }),
  externalId: fc.option(fc.nat(4), { freq: 3 }),
  status,
  /** Days from now on; none: not dated. */
  dated: fc.option(fc.constantFrom(-2000, -900, -400, -100, -1, 1, 30, 100, 500)),
  /** It has the date of its first target. */
  sameInstant: rarely,
  /** It repeats the content of an earlier act. */
  again: fc.tuple(rarely, fc.nat()).map(([again, which]) => (again ? which : null)),
  reason: fc.boolean(),
  /** It is accepted in the import lane, which is drained after the next act. */
  slow: rarely,
})
export type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

export interface History {
  on: TimedWorld
  model: Model
  /** The id in the world of each record of the model. */
  ids: Map<Kept, string>
}

interface Slow {
  receipt: ReceiptSeen
  apply: (now: number) => Written
}

interface Said {
  input: Record<string, unknown>
  write: (model: Model, order: number, at: { accepted: number; now: number }) => Written
}

/** Calls `looked` after each act. */
export async function perform(
  acts: readonly Act[],
  on: TimedWorld,
  looked: (so: History) => Promise<void>,
): Promise<History> {
  const so: History = { on, model: { kept: [] }, ids: new Map() }
  const said: Said[] = []
  let slow: Slow | undefined
  for (const [order, one] of acts.entries()) {
    await advance(on, on.time.now + one.after * day, slow ? 'interactive' : 'all')
    takeDue(so.model, on.time.now)
    if (one.kind === 'judgment') {
      await judged(one, order, so, slow ? 'interactive' : 'all')
      if (slow) {
        await advance(on, on.time.now)
        await settled(slow.receipt, slow.apply(on.time.now), so)
        slow = undefined
      }
      await looked(so)
      continue
    }
    const saying =
      said.length > 0 && one.again !== null ? (said[one.again % said.length] as Said) : sayingOf(one, order, so)
    said.push(saying)
    const accepted = on.time.now
    const operation = (saying.input.kind === undefined ? recordDecision : remember) as Operation
    const receipt = await promise(on, operation, saying.input, undefined, one.slow && !slow ? 'import' : 'interactive')
    const write = (now: number) => saying.write(so.model, order, { accepted, now })
    if (one.slow && !slow) {
      slow = { receipt, apply: write }
      continue
    }
    await advance(on, on.time.now, slow ? 'interactive' : 'all')
    await settled(receipt, write(on.time.now), so)
    if (slow) {
      await advance(on, on.time.now)
      await settled(slow.receipt, slow.apply(on.time.now), so)
      slow = undefined
    }
    await looked(so)
  }
  await advance(on, on.time.now)
  if (slow) await settled(slow.receipt, slow.apply(on.time.now), so)
  return so
}

/** Judges one of the open proposals. */
async function judged(one: Act, write: number, so: History, lane: 'all' | 'interactive'): Promise<void> {
  const { on, model, ids } = so
  const proposed = model.kept.filter((kept) => proposalOf(kept) !== undefined)
  const kept = proposed[(one.targets[0] ?? 0) % Math.max(1, proposed.length)]
  if (!kept) return
  const { resolution } = one
  const [at, word] = [on.time.now, wordOf(write)]
  const note = resolution === 'correct' ? { note: `We keep the harbour open, ${word}.` } : {}
  const receipt = await promise(on, resolve, { question_id: `judgment:${ids.get(kept)}`, resolution, ...note })
  await advance(on, at, lane)
  await settled(receipt, judge(model, kept, { resolution, write, word, at }, on.time.now), so)
}

/** The world ended the write like the model. */
async function settled({ id }: ReceiptSeen, written: Written, { on, ids }: History): Promise<void> {
  const receipt = (await on.documents.get(receipts, id, seenFields)) as ReceiptSeen
  if ('refused' in written) {
    expect(receipt).toMatchObject({ state: 'failed', error: { code: written.refused } })
    if (!('head' in written)) return
    expect(receipt.error?.details).toMatchObject({ head: { type: 'memory', id: ids.get(written.head) } })
    return
  }
  expect(receipt.error).toBeNull()
  const known = ids.get(written.kept)
  if (known !== undefined) expect(receipt.entity?.id).toBe(known)
  ids.set(written.kept, receipt.entity?.id as string)
}

function sayingOf(one: Act, order: number, so: History): Said {
  const isDecision = one.kind === 'decision'
  const known = so.model.kept.filter((kept) => (kept.kind === 'decision') === isDecision)
  const targets = known.length === 0 ? [] : one.targets.map((target) => known[target % known.length] as Kept)
  const from = instantOf(one, order, targets[0], so.on.time.now)
  return isDecision ? decisionOf(one, order, { from, targets }, so) : memoryOf(one, order, { from, targets }, so)
}

/** Makes dates unique: the order of records that begin at the same instant is not defined. */
function instantOf({ dated, sameInstant }: Act, order: number, target: Kept | undefined, now: number) {
  const own = target?.revisions[0]?.from
  if (sameInstant && own !== undefined && own <= now) return own
  return dated === null ? undefined : now + dated * day + order + 1
}

interface Told {
  from: number | undefined
  targets: readonly Kept[]
}

const iso = (at: number) => new Date(at).toISOString()
/** A unique word for each act, so that it can be found. */
const wordOf = (order: number) => `only${order}only`

function memoryOf(one: Act, order: number, { from, targets }: Told, { ids }: History): Said {
  const [corrects] = targets
  const kind = one.kind === 'correction' && !corrects ? 'fact' : one.kind
  const content = `The harbour is open, ${wordOf(order)}.`
  const correcting = kind === 'correction' && corrects ? { corrects } : {}
  const input = {
    kind,
    content,
    ...(from === undefined ? {} : { occurred_at: iso(from) }),
    ...('corrects' in correcting ? { corrects_memory_id: ids.get(correcting.corrects as Kept) } : {}),
  }
  const equal = JSON.stringify(input)
  const write: Said['write'] = (model, number, { accepted, now }) =>
    writeMemory(
      model,
      { write: number, word: wordOf(order), kind, from: from ?? accepted, content: equal, ...correcting },
      now,
    )
  return { input, write }
}

function decisionOf(one: Act, order: number, { from, targets }: Told, { ids }: History): Said {
  const names = one.names.map((name) => `external-${name}`)
  // each comes later, so that others wait for it
  const comes = one.externalId !== null && order >= 3 * one.externalId
  const externalId = comes ? `external-${one.externalId}` : undefined
  const reason = one.reason ? `Because ${wordOf(order)}.` : undefined
  const input = {
    title: `Harbour ${wordOf(order)}`,
    judgment: `We keep the harbour open, ${wordOf(order)}.`,
    status: one.status,
    supersedes: [...targets.map((target) => ids.get(target) as string), ...names],
    ...(from === undefined ? {} : { decided_at: iso(from) }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(reason === undefined ? {} : { supersession_reason: reason }),
  }
  const content = JSON.stringify(input)
  const write: Said['write'] = (model, number, { accepted, now }) => {
    const said = {
      write: number,
      word: wordOf(order),
      from: from ?? accepted,
      status: one.status,
      names: [...targets, ...names],
    }
    return writeDecision(model, { ...said, reason, content, externalId }, now)
  }
  return { input, write }
}
