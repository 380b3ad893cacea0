/** One try: a storm of faults and of calls of users, and then calm weather until all runs have ended. */
import type { Actor } from '../../../src/access/actor.ts'
import { operationsByName } from '../../../src/operations.ts'
import { Problem } from '../../../src/problem.ts'
import { accept } from '../../../src/receipts/accept.ts'
import { records } from '../../../src/records/record.ts'
import { leases } from '../../../src/runs/stored/lease.ts'
import type { Process } from './process.ts'
import {
  ada,
  ben,
  isBug,
  startApply,
  startMaintain,
  startWorker,
  type Weather,
  type World,
  workspace,
} from './world.ts'

/** ms. */
const stormLasts = 12 * 60_000
const calmLasts = 30 * 60_000

export async function stormThenCalm(world: World, watch: () => Promise<void>): Promise<void> {
  const { time } = world
  let isOver = false
  const storm = () => world.isStormy
  // in half of the tries, the rest of the service works well: then a lost run begins again as soon as it may
  const around: Weather = world.random() < 0.5 ? 'storm' : 'breeze'
  const freezes = around === 'storm' ? 0.2 : 0
  const weathers: Weather[] = ['storm', 'storm', 'storm', around]
  const jobs = [
    ...[0, 1].map(() => restarted(world, storm, () => liveOf(world, startApply(world), 0.05))),
    ...[0, 1].map(() => restarted(world, storm, () => liveOf(world, startMaintain(world, around), freezes))),
    ...weathers.map((weather) => restarted(world, storm, () => workerLife(world, weather))),
    ...[ada, ben].map((actor) => user(world, actor, storm)),
  ]
  const watching = (async () => {
    for (; !isOver; await time.sleep(2_000)) await watch()
  })()
  await time.sleep(stormLasts)
  world.isStormy = false
  await Promise.all(jobs)
  const calm = [startApply(world), startMaintain(world, 'breeze'), startWorker(world, 'breeze').process]
  for (let waited = 0; waited < calmLasts && !(await isQuiet(world)); waited += 10_000) await time.sleep(10_000)
  // what was delayed in the storm has arrived by now
  await time.sleep(120_000)
  for (const process of calm) process.kill()
  isOver = true
  await watching
}

async function isQuiet({ documents }: World): Promise<boolean> {
  return (await documents.count(leases, { where: { open: 1 }, upTo: 1 })) === 0
}

/** A process, and the next one after it has gone. */
async function restarted({ time, random }: World, during: () => boolean, life: () => Promise<void>): Promise<void> {
  while (during()) {
    await life()
    await time.sleep(random() * 20_000)
  }
}

/** Freezes and kills a process. In calm weather it lives no longer. */
async function liveOf(world: World, process: Process, freezes: number): Promise<void> {
  const { time, random } = world
  const end = time.now() + random() * 200_000
  while (!process.isDead() && world.isStormy && time.now() < end) {
    await time.sleep(random() * 40_000)
    if (random() < freezes) process.freeze(random() * 150_000)
  }
  process.kill()
}

async function workerLife(world: World, weather: Weather): Promise<void> {
  const { process, stop } = startWorker(world, weather)
  if (world.random() < 0.6) await liveOf(world, process, weather === 'storm' ? 0.3 : 0)
  else {
    await world.time.sleep(world.random() * 100_000)
    // in a storm it may hang, until it is killed
    await Promise.race([stop(), world.time.sleep(60_000), process.died])
    process.kill()
  }
}

async function user(world: World, actor: Actor, during: () => boolean): Promise<void> {
  const { time, random } = world
  for (let count = 0; during(); count++) {
    await time.sleep(random() * 10_000)
    const [name, input] = await callOf(world)
    await call(world, actor, { name, input, key: `${actor.user}-call-${count}` })
  }
}

/** Insists until it is acknowledged, or refused. */
async function call(world: World, actor: Actor, { name, input, key }: { name: string; input: unknown; key: string }) {
  const process = world.spawn('breeze')
  const operation = operationsByName.get(name) as never
  for (let isDone = false; !isDone && !process.isDead(); ) {
    const accepted = accept(world.portsOf(process), { operation, actor, input, idempotencyKey: key }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem) return true
        if (isBug(error)) world.bugs.push(error)
        return false
      },
    )
    isDone = (await Promise.race([accepted, process.died])) ?? true
  }
  process.kill()
}

async function callOf(world: World): Promise<[name: string, input: unknown]> {
  const { documents, random } = world
  const number = (most: number) => Math.floor(random() * most)
  const tasks = await documents.find(records, {
    where: { workspace, audience: 'workspace', kind: 'task' },
    sort: [['valid_from', 'asc']],
    limit: 100,
    fields: ['id', 'kind', 'mutable'],
  })
  const task = tasks[number(tasks.length)]
  const executor = ['again', 'again', 'again', 'once', 'blunt'][number(5)]
  if (task?.kind !== 'task' || random() < 0.2) {
    const labels = random() < 0.3 ? ['ask'] : []
    return ['task.create', { name: `Task ${number(1000)}`, labels, execution: { mode: 'auto', executor } }]
  }
  const { id } = task
  const chance = random()
  if (chance < 0.4) return ['task.run', { id, executor, mode: random() < 0.3 ? 'plan' : 'auto' }]
  if (chance < 0.75) return ['task.approve', { id, plan_revision: number(2) }]
  if (chance < 0.9) return ['task.cancel', { id, reason: 'Enough.' }]
  return ['task.update', { id, status: ['cancelled', 'todo', 'in_progress'][number(3)] }]
}
