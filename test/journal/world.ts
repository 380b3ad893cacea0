/**
 * One run of the protocol under faults, on the real engines: actors, apply and index workers, sync readers and a
 * watcher.
 */
import assert from 'node:assert/strict'
import pino from 'pino'
import type { Actor } from '../../src/access/actor.ts'
import { openCursors } from '../../src/access/cursors.ts'
import { inProcessQueue } from '../../src/adapters/in-process/queue.ts'
import { syncContext } from '../../src/context/sync.ts'
import { recordOutcome } from '../../src/decisions/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { supersedeDecision } from '../../src/decisions/supersede.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import { sweep } from '../../src/journal/maintenance/sweep.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Operation, Reads } from '../../src/operation.ts'
import { operationsByName } from '../../src/operations.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Documents } from '../../src/ports/documents.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { Problem } from '../../src/problem.ts'
import { projections } from '../../src/projections.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { inlineCompareWorker as compareWorker } from '../../src/questions/compare/compare-worker.ts'
import { raiseQuestions } from '../../src/questions/raise/with-questions.ts'
import { type ReceiptEntity, type ReceiptSeen, receipts, seenFields } from '../../src/receipt.ts'
import { accept } from '../../src/receipts/accept.ts'
import { activities } from '../../src/records/activity.ts'
import { bodyOf } from '../../src/records/body.ts'
import { records } from '../../src/records/record.ts'
import type { RunRules } from '../../src/records/run-rules.ts'
import { runQuery } from '../../src/run-query.ts'
import { runWatching } from '../../src/runs/watching/watching.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { createTask } from '../../src/tasks/create.ts'
import { listTasks } from '../../src/tasks/list.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { Died, type Fault, randomOf, ticks, type Worker, worker } from '../support/chaos.ts'
import { compareWorkspace } from '../support/compare-workspace.ts'
import { openEngines } from '../support/profile-engines.ts'
import { tallies, tallyProjections, visits, withTally } from './tallies.ts'

export const workspace = '00000000-0000-7000-8000-0000000000aa' as WorkspaceId
export const actors: Actor[] = ['ada', 'ben', 'eve'].map((user) => ({
  workspace,
  workspaceType: 'company',
  credential: `key-of-${user}`,
  user,
  teams: [],
  scopes: ['context:read', 'context:write', 'tasks:read', 'tasks:write'],
}))

export interface World {
  documents: Documents
  search: SearchEngine
  searchOf(analysis: number): SearchEngine
  clock: Clock
  /** A test may change them. */
  rules: RunRules
  portsOf(engines: { documents: Documents; search: SearchEngine }): JournalPorts
  close(): Promise<void>
}

export async function openWorld(random: () => number, start = '2026-01-01T00:00:00Z'): Promise<World> {
  const engines = await openEngines()
  const { documents, search } = engines
  let now = Date.parse(start)
  let ids = 0
  const clock: Clock = {
    now: () => (now += 1),
    elapsed: () => (now += 1),
    id: () => {
      const time = now.toString(16).padStart(12, '0')
      const count = (ids++).toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`
    },
    idsFollow: () => {},
    random,
    sleep: (ms) => ticks(1 + Math.ceil(ms / 20)),
  }
  await documents.declare([tallies, visits])
  const rules: RunRules = { policy: undefined, executors: [], approvalDays: 7, runsPerWorkspace: 2, notifies: false }
  const operations = new Map([...operationsByName].map(([name, one]) => [name, withTally(one)]))
  const log = pino({ level: 'silent' })
  // no handlers: all wake-ups are lost, and the workers below run by polling
  const queue = inProcessQueue(clock, log)
  return {
    documents,
    search,
    searchOf: engines.searchOf,
    clock,
    rules,
    portsOf: (engines) => ({
      ...engines,
      queue,
      clock,
      log,
      operations,
      projections: [...projections.slice(0, -1), ...tallyProjections, ...projections.slice(-1)],
      raiseQuestions,
      workspaceType: async () => 'company',
      runRules: async () => rules,
      epoch: async () => 'epoch',
      ended: () => {},
      reportIssue: () => {},
    }),
    async close() {
      await queue.close(0)
      await engines.close()
    },
  }
}

export interface Acknowledged {
  receipt: string
  operation: string
  input: unknown
  actor: Actor
}

export interface Run {
  acknowledged: Acknowledged[]
  /** The outcome when the receipt had ended. It must never change. */
  ended: Map<string, string>
  /** Caches of sync readers by record id, with their cursors. */
  readers: { cache: Map<string, string>; cursor: string | undefined; actor: Actor }[]
  /** The same of readers that poll task.list: the inbox status and the status of each task. */
  pollers: Run['readers']
}

/** How likely a call of a worker fails. */
const faultRate = 0.02
const freezeRate = 0.3
const kinds: Fault[] = ['die before', 'die after', 'lose answer', 'refuse', 'freeze']

export async function run(world: World, seed: number, operations: number): Promise<Run> {
  const random = randomOf(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const state: Run = { acknowledged: [], ended: new Map(), readers: [], pollers: [] }
  const living = new Set<Worker>()
  let working = true

  const faultsFor = () => {
    const faults = new Map<number, Fault>()
    for (let call = 0; call < 200; call++) if (random() < faultRate) faults.set(call, pick(kinds))
    // often in the middle of a projection, and long enough that other workers get far ahead
    if (random() < freezeRate) faults.set(Math.floor(random() * 40), 'freeze')
    return faults
  }
  const spawn = () => {
    const one = worker(world, random, faultsFor())
    living.add(one)
    return one
  }
  /** Runs work in a worker that may die at any call. Its death and engine errors end it; any other error is a bug. */
  const inWorker = async (work: (ports: JournalPorts) => Promise<void>): Promise<void> => {
    const one = spawn()
    try {
      await Promise.race([work(world.portsOf(one)), one.died])
    } catch (error) {
      if (!(error instanceof Died) && (error as Error).name !== 'EngineUnavailable') throw error
    } finally {
      living.delete(one)
    }
  }

  async function actor(mine: Actor, count: number, number: number): Promise<void> {
    for (let made = 0; made < count; made++) {
      const [operation, input] = await inputFor(world, random, state)
      const key = `${mine.user}-${number}-key-${made}`
      const lane = random() < 0.4 ? ('import' as const) : ('interactive' as const)
      for (let acknowledged = false; !acknowledged; ) {
        await inWorker(async (ports) => {
          try {
            const receipt = await accept(ports, { operation, actor: mine, input, idempotencyKey: key, lane })
            acknowledged = true
            if (!state.acknowledged.some((one) => one.receipt === receipt.id)) {
              state.acknowledged.push({ receipt: receipt.id, operation: operation.name, input, actor: mine })
            }
          } catch (error) {
            if (!(error instanceof Problem)) throw error
            acknowledged = true // refused before anything was promised
          }
        })
      }
      await ticks(Math.floor(random() * 30))
    }
  }
  const loop = async (work: () => Promise<void>) => {
    while (working) {
      await work()
      await ticks(1 + Math.floor(random() * 10))
    }
  }
  const thaw = () =>
    loop(async () => {
      await ticks(Math.floor(random() * 600))
      for (const one of living) if (random() < 0.4) one.thaw()
    })

  const background = [
    ...[0, 1, 2].map(() =>
      loop(() => inWorker((ports) => drain(ports, { workspace, lane: pick(['interactive', 'import']) }))),
    ),
    ...[0, 1].map(() => loop(() => inWorker((ports) => indexWorkspace(ports, { workspace, lane: 'interactive' })))),
    loop(() => inWorker((ports) => sweep(ports))),
    loop(() => inWorker((ports) => compareWorkspace({ ...ports, compareWorker }, { workspace }))),
    ...actors.map((mine) => reader(world, state, mine, loop)),
    poller(world, state, actors[0] as Actor, loop),
    loop(() => watch(world, state)),
    thaw(),
  ]
  const failed = Promise.all(background)
  await Promise.race([Promise.all(actors.map((mine, at) => actor(mine, operations, at))), failed])
  await Promise.race([ticks(200), failed])
  working = false
  const settle = setInterval(() => {
    for (const one of living) one.thaw()
  }, 1)
  await failed.finally(() => clearInterval(settle))
  await quiet(world)
  await watch(world, state)
  return state
}

/** Runs the workers without faults, until everything acknowledged has ended. Some tests keep receipts open for good. */
export async function quiet(world: World): Promise<void> {
  const ports = world.portsOf(world)
  for (let round = 0; round < 10 && (round === 0 || (await hasOpen(world))); round++) {
    await drain(ports, { workspace, lane: 'interactive' })
    await drain(ports, { workspace, lane: 'import' })
    for (;;) {
      await indexWorkspace(ports, { workspace, lane: 'interactive' })
      const { indexed, projected } = await checkpointOf(world.documents, workspace)
      if (indexed >= projected) break
    }
    // what it finds are new receipts
    await compareWorkspace({ ...ports, compareWorker }, { workspace })
  }
}

async function hasOpen({ documents }: World): Promise<boolean> {
  return (await documents.find(receipts, { where: { workspace, open: 1 }, limit: 1, fields: ['id'] })).length > 0
}

/** The ids of two decisions, which may be the same. */
async function someDecisions(world: World, number: (most: number) => number): Promise<(string | undefined)[]> {
  const found = await world.documents.find(records, {
    where: { workspace, audience: 'workspace', kind: 'decision' },
    sort: [['valid_from', 'asc']],
    limit: 100,
    fields: ['record_id'],
  })
  return [found[number(found.length)]?.record_id, found[number(found.length)]?.record_id]
}

async function inputFor(world: World, random: () => number, state: Run): Promise<[Operation<never>, unknown]> {
  const number = (most: number) => Math.floor(random() * most)
  const external = () => `ext-${number(4)}`
  if (random() < 0.2) return taskInput(world, random)
  if (random() < 0.15) {
    const question = await someQuestion(world, number)
    if (question) return [resolve as unknown as Operation<never>, answerTo(question, number)]
  }
  if (random() < 0.15) {
    const [id, other] = await someDecisions(world, number)
    if (id !== undefined && other !== undefined) {
      if (random() < 0.4) {
        return [supersedeDecision as unknown as Operation<never>, { id, superseded_by: other, reason: 'Why.' }]
      }
      const outcome_status = ['success', 'failure', 'mixed'][number(3)]
      return [recordOutcome as unknown as Operation<never>, { id, outcome_status, outcome_notes: `Note ${number(2)}` }]
    }
  }
  if (random() < 0.5) {
    const targets = random() < 0.4 ? [external()] : []
    const input = {
      title: `Decision ${number(4)}`,
      judgment: `We choose option ${number(5)}.`,
      ...(random() < 0.8 ? { external_id: external() } : {}),
      supersedes: targets,
      status: statusFor(random()),
      ...(random() < 0.5 ? { decided_at: `2025-0${1 + number(9)}-01T00:00:00Z` } : {}),
    }
    return [recordDecision as unknown as Operation<never>, input]
  }
  const memories = await world.documents.find(records, {
    where: { workspace, audience: 'workspace', kind: 'memory' },
    sort: [['valid_from', 'asc']],
    limit: 100,
    fields: ['record_id'],
  })
  const target = memories[number(memories.length)]
  const correct = target !== undefined && random() < 0.4
  const hedge = random() < 0.2 ? 'I think that ' : ''
  const asked = random() < 0.1 ? ' Open question: who keeps it?' : ''
  const input = {
    kind: correct ? 'correction' : random() < 0.2 ? 'constraint' : 'fact',
    content:
      random() < 0.3
        ? `Copies of the ledger are kept for ${2 + number(4)} years.`
        : `${hedge}Fact number ${number(correct ? 1000 : 3)} holds.${asked}`,
    topics: [`topic-${number(20)}`],
    ...(random() < 0.3 ? { sources: [{ type: 'page', id: `page-${number(3)}` }] } : {}),
    ...(correct ? { corrects_memory_id: target.record_id } : {}),
    ...(random() < 0.2 && !correct ? { visibility: { scope: 'private' } } : {}),
  }
  void state
  return [remember as unknown as Operation<never>, input]
}

async function taskInput(world: World, random: () => number): Promise<[Operation<never>, unknown]> {
  const number = (most: number) => Math.floor(random() * most)
  const tasks = await world.documents.find(records, {
    where: { workspace, audience: 'workspace', kind: 'task' },
    sort: [['valid_from', 'asc']],
    limit: 100,
    fields: ['record_id', 'revision'],
  })
  const id = tasks[number(tasks.length)]?.record_id
  const parent_id = tasks[number(tasks.length)]?.record_id
  const given = {
    status: ['todo', 'in_progress', 'done'][number(3)],
    labels: [`label-${number(3)}`],
    ...(random() < 0.3 ? { description: `Description ${number(9)}.` } : {}),
    ...(random() < 0.3 && parent_id !== undefined ? { parent_id } : {}),
  }
  if (id === undefined || random() < 0.3) {
    const external = random() < 0.7 ? { external_id: `task-${number(3)}` } : {}
    return [createTask as unknown as Operation<never>, { name: `Task ${number(9)}`, ...given, ...external }]
  }
  if (random() < 0.3) return [commentOnTask as unknown as Operation<never>, { id, body: `Comment ${number(9)}.` }]
  const condition = random() < 0.3 ? { if_revision: 1 + number(3) } : {}
  return [updateTask as unknown as Operation<never>, { id, ...given, inbox_status: 'read', ...condition }]
}

function statusFor(chance: number): string {
  return chance < 0.2 ? 'proposed' : chance < 0.25 ? 'rejected' : 'accepted'
}

/** Questions may be open or closed: two answers to one question race, and one of them is refused. */
async function someQuestion(world: World, number: (most: number) => number): Promise<string | undefined> {
  const asked = await world.documents.find(records, {
    where: { workspace, audience: 'workspace', kind: 'question' },
    sort: [['valid_from', 'desc']],
    limit: 10,
    fields: ['kind', 'body'],
  })
  const chosen = asked[number(asked.length)]
  const body = chosen && bodyOf(chosen, 'question')
  // when contradictions are found depends on chance, so answers to them are tested elsewhere
  return body?.reason === 'contradiction' ? undefined : body?.question_id
}

function answerTo(question_id: string, number: (most: number) => number) {
  const resolution = ['confirm', 'correct', 'answer', 'dismiss'][number(4)] as string
  return { question_id, resolution, note: `Answer number ${number(1000)}.` }
}

/** A reader syncs all the time and keeps a cache as the specification says. Missed changes show at the end. */
async function reader(
  world: World,
  state: Run,
  actor: Actor,
  loop: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const mine: Run['readers'][number] = { cache: new Map(), cursor: undefined, actor }
  state.readers.push(mine)
  await loop(async () => {
    await readPage(world, mine)
  })
}

/** Polls task.list all the time, and keeps what each task was when it came last. */
async function poller(
  world: World,
  state: Run,
  actor: Actor,
  loop: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const mine: Run['pollers'][number] = { cache: new Map(), cursor: undefined, actor }
  state.pollers.push(mine)
  await loop(async () => {
    await pollPage(world, mine)
  })
}

export async function pollPage(world: World, mine: Run['pollers'][number]): Promise<boolean> {
  const reads = await readsOf(world)
  const page = await runQuery(reads, listTasks, mine.actor, {
    ...(mine.cursor === undefined ? {} : { cursor: mine.cursor }),
    limit: 2,
  })
  mine.cursor = page.next_cursor
  for (const { id, inbox_status, status, labels } of page.items) {
    mine.cache.set(id, [inbox_status, status, ...labels].join())
  }
  return page.has_more
}

async function readsOf(world: World): Promise<Reads> {
  const { documents, search, clock } = world
  const cursors = await cursorsOf(world)
  const runs = runWatching(documents, clock)
  const waitForEnd = async (one: ReceiptSeen) => one
  const { runRules } = world.portsOf(world)
  return { documents, search, clock, cursors, runs, runRules, publicUrl: 'http://test', waitForEnd }
}

export async function readPage(world: World, mine: Run['readers'][number]): Promise<boolean> {
  const reads = await readsOf(world)
  const page = await runQuery(reads, syncContext, mine.actor, {
    ...(mine.cursor === undefined ? {} : { cursor: mine.cursor }),
    limit: 3,
  })
  assert(!page.reset_required, 'a reader of its own cursors never starts over')
  mine.cursor = page.cursor
  for (const change of [...page.changes.knowledge, ...page.changes.decisions, ...page.changes.work]) {
    if (change.change_type === 'upsert') mine.cache.set(change.id, change.title)
    else mine.cache.delete(change.id)
  }
  return page.has_more
}

const cursorsByWorld = new WeakMap<World, ReturnType<typeof openCursors>>()
function cursorsOf(world: World): ReturnType<typeof openCursors> {
  const known = cursorsByWorld.get(world) ?? openCursors(world.documents, world.clock)
  cursorsByWorld.set(world, known)
  return known
}

/** Receipts end once and never change. Changes of an applied receipt are visible to every new read. */
export async function watch(world: World, state: Run): Promise<void> {
  const ids = state.acknowledged.map((one) => one.receipt)
  const seen: ReceiptSeen[] =
    ids.length === 0
      ? []
      : await world.documents.find(receipts, { where: { id: { in: ids } }, limit: ids.length, fields: seenFields })
  for (const receipt of seen) {
    if (receipt.open === 1) continue
    const ended = JSON.stringify([receipt.state, receipt.entity, receipt.error, receipt.number, receipt.ended_at])
    const before = state.ended.get(receipt.id)
    if (before === undefined) {
      state.ended.set(receipt.id, ended)
      if (receipt.state === 'applied' && receipt.entity) await isShown(world, receipt.entity, receipt.number as number)
    } else assert.equal(ended, before, 'a receipt that has ended never changes')
  }
}

async function isShown(world: World, { type, id: record }: ReceiptEntity, number: number): Promise<void> {
  const checkpoint = await checkpointOf(world.documents, workspace)
  assert(checkpoint.indexed >= number, 'a receipt becomes applied only after the index has its entry')
  if (type === 'comment') {
    assert(await world.documents.get(activities, record), 'an applied comment is in the store')
    return
  }
  const [row] = await world.documents.find(records, {
    where: { workspace, record_id: record },
    limit: 1,
    fields: ['id', 'title'],
  })
  assert(row, 'an applied record is in the store')
}
