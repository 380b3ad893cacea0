/** task.subscribe_run and task.stream_run: the state and the milestones of the newest run of a task, as they come. */
import type { Actor } from '../access/actor.ts'
import type { RecordId } from '../ids.ts'
import { defineEventStream, defineQuery, type Reads, type StreamEvent } from '../operation.ts'
import { problem } from '../problem.ts'
import { taskRows } from '../records/present/tasks.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import type { WatchedRun } from '../records/watched-run.ts'
import {
  mostMilestones,
  type StreamRunInput,
  type SubscribeInput,
  type SubscribeOutput,
  streamRunInput,
  subscribeInput,
  subscribeOutput,
} from './shown.ts'

export const subscribeRun = defineQuery<SubscribeInput, SubscribeOutput>({
  name: 'task.subscribe_run',
  scope: 'tasks:read',
  summary: 'The state and the milestones of the newest run of a task. Waits for news.',
  input: subscribeInput,
  output: subscribeOutput,

  async run({ input: { id, after, state, wait }, actor, reads }) {
    const run = await newestRun(id, actor, reads)
    const watched = await reads.runs.join(actor.workspace, run)
    try {
      await untilNew(watched, { after, state, ms: wait * 1000 }, reads)
      return await pageOf(run, watched, after)
    } finally {
      watched.leave()
    }
  },
})

export const streamRun = defineEventStream<StreamRunInput>({
  name: 'task.stream_run',
  scope: 'tasks:read',
  summary: 'Events: `state` first and after each change, `milestone` for each milestone, and `done` at the end.',
  input: streamRunInput,

  async open({ input: { id, after, last_event_id }, actor, reads, signal }) {
    const run = await newestRun(id, actor, reads)
    const watched = await reads.runs.join(actor.workspace, run)
    const { isOver, last } = watched.now()
    // the stream joins again when it is read: one that nobody reads must not keep its place
    watched.leave()
    // the reader has read `done`, and connects again because the stream has ended
    if (isOver && last_event_id !== undefined && Number(last_event_id) > last) return undefined
    const from = last_event_id === undefined ? after : Number(last_event_id)
    return eventsOf(run, from, () => reads.runs.join(actor.workspace, run), signal)
  },
})

/** Throws not_found if the caller does not see the task, or if it never ran. */
async function newestRun(id: string, actor: Actor, { documents, clock }: Reads): Promise<RecordId> {
  const task = (await taskRows([id as RecordId], recordReader(documents, actor, clock))).get(id)
  if (!task) throw noSuch('task')
  if (!task.mutable.run) throw problem('not_found', 'This task has never run.')
  return task.mutable.run.id
}

interface Awaited {
  after: number
  state: SubscribeInput['state']
  ms: number
}

/** Without a state that the caller has seen, other states are no news. */
async function untilNew(watched: WatchedRun, { after, state, ms }: Awaited, { clock }: Reads): Promise<void> {
  const until = clock.elapsed() + ms
  for (;;) {
    const now = watched.now()
    if (now.last > after || now.isOver || (state !== undefined && now.state !== state)) return
    const left = until - clock.elapsed()
    if (left <= 0) return
    await watched.newer(now, { ms: left })
    // nothing is newer: the time is over, or the service stops
    if (watched.now() === now) return
  }
}

async function pageOf(run: RecordId, watched: WatchedRun, after: number): Promise<SubscribeOutput> {
  const { state, last, isOver } = watched.now()
  const milestones = await watched.page(after, mostMilestones)
  const next_after = milestones.at(-1)?.number ?? after
  // without a milestone, all after `after` were deleted
  const done = isOver && (next_after >= last || milestones.length === 0)
  return { run_id: run, state, milestones, next_after, done }
}

async function* eventsOf(
  run: RecordId,
  from: number,
  join: () => Promise<WatchedRun>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const watched = await join()
  try {
    let after = from
    let told: string | undefined
    while (!signal.aborted) {
      const now = watched.now()
      if (now.state !== told) {
        told = now.state
        yield { event: 'state', data: { run_id: run, state: now.state } }
      }
      const milestones = await watched.page(after, mostMilestones)
      for (const one of milestones) yield { id: String(one.number), event: 'milestone', data: one }
      after = milestones.at(-1)?.number ?? Math.max(after, now.last)
      if (after < now.last) continue
      if (now.isOver) {
        yield { id: String(now.last + 1), event: 'done', data: { run_id: run, state: now.state, next_after: now.last } }
        return
      }
      await watched.newer(now, { signal })
      // nothing is newer: the client has left, or the service stops
      if (watched.now() === now) return
    }
  } finally {
    watched.leave()
  }
}
