import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordId } from '../../src/ids.ts'
import { drain } from '../../src/journal/drain.ts'
import { accept } from '../../src/receipts/accept.ts'
import { runStateDocuments } from '../../src/records/run.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { claim } from '../../src/runs/worker/claim.ts'
import type { Keeper } from '../../src/runs/worker/keeper.ts'
import type { RunWorkerPorts } from '../../src/runs/worker/ports.ts'
import { createTask } from '../../src/tasks/create.ts'
import { randomOf } from '../support/chaos.ts'
import type { Aim } from './simulated/process.ts'
import { ada, openRunWorld, type World, workspace } from './simulated/world.ts'

let world: World
beforeEach(async () => {
  world = await openRunWorld(randomOf(1))
  world.random = () => 0.9
})
afterEach(() => world.close())

/** Claims the run of a new task in a process whose calls are hit by `aim`. */
async function claimed(aim: Aim): Promise<{ run: RecordId; before: number; keeper: Keeper | string }> {
  const service = world.portsOf(world.spawn('breeze'))
  const input = { name: 'Task', execution: { mode: 'auto', executor: 'again' } }
  await accept(service, { operation: createTask, actor: ada, input, idempotencyKey: 'the-only-call' })
  await drain(service, { workspace, lane: 'interactive' })
  const [queued] = await world.documents.find(runStateDocuments, { where: { workspace, place: 'free' }, limit: 1 })
  if (queued === undefined) throw new Error('the run is queued')
  const process = world.spawn('breeze', aim)
  const ports = { ...world.portsOf(process), holder: 'me', policy: undefined } as unknown as RunWorkerPorts
  const before = world.time.now()
  const keeper = await claim(ports, queued)
  if (typeof keeper !== 'string') keeper.stop()
  return { run: queued.id, before, keeper }
}

const isTake: (...call: Parameters<Aim>) => boolean = (method, collection) =>
  method === 'update' && collection === 'leases'

async function inTime(work: () => Promise<void>): Promise<void> {
  world.isStormy = true
  await world.time.runUntil(work())
}

describe('taking a lease', () => {
  it('lets the session live 25 s from the moment at which the take was sent, however late the answer', async () => {
    await inTime(async () => {
      const { before, keeper } = await claimed((...call) => (isTake(...call) ? { answers: 40_000 } : undefined))
      const until = (keeper as Keeper).until() - before
      expect(world.time.now() - before).toBeGreaterThan(40_000)
      expect(until).toBeGreaterThan(25_000)
      expect(until).toBeLessThan(26_000)
    })
  })

  it('raises the fence, and nobody else can take it then', async () => {
    await inTime(async () => {
      const { run, keeper } = await claimed(() => undefined)
      expect((keeper as Keeper).held).toEqual({ id: run, fence: 1, holder: 'me' })
      expect(await world.documents.get(leases, run)).toMatchObject({ fence: 1, beat: 0, holder: 'me', open: 1 })
      const ports = { ...world.portsOf(world.spawn('breeze')), holder: 'other' } as unknown as RunWorkerPorts
      const queued = { id: run, workspace, phase: 'run', priority: 0, since: '' } as const
      expect(await claim(ports, queued)).toBe('taken')
    })
  })
})
