import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { load } from '../config/load.ts'
import type { Actor } from '../src/access/actor.ts'
import { openPorts, type Ports } from '../src/engines.ts'
import type { WorkspaceId } from '../src/ids.ts'
import { firstIndex } from '../src/journal/checkpoint.ts'
import { headOf } from '../src/journal/head.ts'
import { remember } from '../src/memories/remember.ts'
import type { Executor } from '../src/ports/executor.ts'
import { receipts } from '../src/receipt.ts'
import { startRun } from '../src/runs/start.ts'
import { runners } from '../src/runs/stored/runner.ts'
import { createService, type Service } from '../src/service.ts'
import { createTask } from '../src/tasks/create.ts'
import { temporaryFolder } from './support/clean-up.ts'

const workspace = '00000000-0000-7000-8000-000000000001' as WorkspaceId
const actor: Actor = {
  workspace,
  workspaceType: 'company',
  credential: 'key',
  user: 'ada',
  teams: [],
  scopes: ['context:write'],
}
const config = load({})
const log = pino({ level: 'silent' })
/** Ten entries. */
const backlog = 5_000

let dataDir: string
let ports: Ports
let service: Service
beforeEach(async () => {
  dataDir = temporaryFolder('precedent-service-')
  ports = await openPorts({ ...config, dataDir }, log)
  service = await createService(ports, config, log)
})
afterEach(async () => {
  await service.stop(10_000)
  await ports.close()
})

it('the service stops after the current entry, however long the backlog is, and loses none of the waiting receipts', async () => {
  const calls = Array.from({ length: backlog }, (_, number) => ({
    operation: remember,
    actor,
    input: { kind: 'fact', content: `Crate ${number} is on the quay.` },
    idempotencyKey: `crate-${number}`,
  }))
  await service.api.acceptMany(calls)
  service.work(['apply'])
  const head = async () => (await headOf(ports.documents, workspace)).number
  await expect.poll(head, { interval: 1 }).toBeGreaterThan(0)
  expect(await service.stop(30_000)).toBe(true)
  const { last_seq } = await headOf(ports.documents, workspace)
  expect(last_seq).toBeLessThan(backlog / 2)
  const left = await ports.documents.count(receipts, {
    where: { workspace, lane: 'interactive', undecided: 1 },
    upTo: backlog,
  })
  expect(left).toBe(backlog - last_seq)
})

it('creates the first search index before a write needs it', async () => {
  service.work(['index'])
  await expect.poll(() => ports.search.versions(firstIndex)).toEqual([ports.search.version])
})

it('does not know executors of the process before it, which had all workers', async () => {
  const coder = { name: 'coder', plans: true, repeatable: false, capacity: 1 }
  await ports.documents.insert(runners, { id: 'before', seen_at: new Date().toISOString(), executors: [coder] })
  await service.stop(10_000)
  service = await createService(ports, config, log)
  expect(
    await ports.documents.count(runners, { where: { seen_at: { gt: '2020-01-01T00:00:00.000Z' } }, upTo: 9 }),
  ).toBe(0)
})

it('a start of a run that was accepted before a restart waits until the executors are known', async () => {
  const coder = { name: 'coder', plans: true, repeatable: false, capacity: 1 }
  const may: Actor = { ...actor, scopes: ['tasks:read', 'tasks:write', 'tasks:run'] }
  const accepted = (call: Pick<Parameters<Service['api']['accept']>[0], 'operation' | 'input'>) =>
    service.api.accept({ ...call, actor: may, idempotencyKey: call.operation.name })
  service.work(['apply'])
  const task = await accepted({ operation: createTask, input: { name: 'Paint the crane' } })
  const made = await service.api.waitForEnd(task, 30_000)
  const reopened = async () => {
    await service.stop(10_000)
    await ports.close()
    ports = await openPorts({ ...config, dataDir }, log)
  }
  await reopened()
  service = await createService(ports, config, log)
  await ports.documents.insert(runners, { id: 'before', seen_at: new Date().toISOString(), executors: [coder] })
  const run = await accepted({ operation: startRun, input: { id: made.entity?.id, executor: 'coder' } })

  // its worker takes half a second to publish the executor
  await reopened()
  const documents = { ...ports.documents }
  documents.update = async (collection, ...rest) => {
    if ((collection as unknown) === runners) await new Promise((resolve) => setTimeout(resolve, 500))
    return ports.documents.update(collection, ...rest)
  }
  const executor = { ...coder, timeLimitMs: 1_000, scopes: [], executor: {} as Executor, needsResult: false }
  const sessions = { executors: [executor], endLeftovers: async () => {} }
  service = await createService({ ...ports, documents, sessions }, config, log)
  service.work()
  expect((await service.api.waitForEnd(run, 30_000)).state).toBe('applied')
})
