/** Work in hand: tasks that somebody works on, that are stuck, or whose plan awaits approval. A section of the brief. */
import type { RecordId } from '../../../ids.ts'
import { EngineUnavailable } from '../../../ports/unavailable.ts'
import { type TaskRow, taskRows, tasksOf } from '../../../records/present/tasks.ts'
import { type TaskKey, taskKeys } from '../../../records/projections/tasks.ts'
import { taskKey, taskKeysOf } from '../../../records/task.ts'
import { answers } from '../../../text/scorer.ts'
import { rankedHits } from '../../hits.ts'
import type { With } from '../find/found.ts'
import { cutAtWord } from '../text/cut.ts'
import { inLine } from '../text/in-line.ts'
import { dayOf, privacyOf } from './lines.ts'
import type { Page } from './page.ts'
import type { Further } from './write.ts'

/**
 * Why a task is in hand; of several reasons the first one is told. For a further reason add the key that such tasks have
 * (records/task.ts), and the words of their lines.
 */
const reasons: readonly { key: string; says: string }[] = [
  { key: taskKey('run_state', 'awaiting_approval'), says: 'its plan awaits approval' },
  { key: taskKey('status', 'blocked'), says: 'blocked' },
  { key: taskKey('status', 'in_progress'), says: 'in progress' },
]
const inHand = reasons.map(({ key }) => key)

/** Tasks that a brief lists. */
const mostTasks = 8
/** Tasks that a brief with a query lists if fewer match: the others are hardly about its topic. */
const mostBesides = 3
/** Keys that are read to find the most urgent tasks. */
const mostLooked = 200

export interface Work {
  tasks: TaskRow[]
  /** Tasks in hand, of which some are listed. */
  count: number
  /** The most urgent tasks are listed first; otherwise those that match the query. */
  isByUrgency: boolean
  /** Search was unavailable, so those that match may be missing. */
  passing: boolean
}

export const noWork: Work = { tasks: [], count: 0, isByUrgency: true, passing: false }

/** Without the scope tasks:read the actor is told no task. */
export async function workInHand(query: string | undefined, context: With): Promise<Work> {
  if (!context.actor.scopes.includes('tasks:read')) return noWork
  const [urgent, matching] = await Promise.all([mostUrgent(context), matchingTasks(query, context)])
  const most = query === undefined ? mostTasks : Math.max(matching.ids.length, mostBesides)
  // some more, because a key may be that of a moment ago
  const ids = [...new Set([...matching.ids, ...urgent])].slice(0, 2 * most)
  const rows = [...(await taskRows(ids, context.presenting.reader)).values()]
  const listed = rows
    .filter((row) => reasonOf(row) !== undefined)
    .sort((a, b) => ids.indexOf(a.record_id) - ids.indexOf(b.record_id))
  const { passing } = matching
  return { tasks: listed.slice(0, most), count: urgent.length, isByUrgency: query === undefined, passing }
}

/** By priority, then those due soonest. */
async function mostUrgent({ presenting: { reader }, reads }: With): Promise<RecordId[]> {
  const found = await reads.documents.find(taskKeys, {
    where: { workspace: reader.workspace, audience: { in: reader.audiences }, key: { in: inHand }, open: 1 },
    sort: [
      ['priority', 'asc'],
      ['task', 'asc'],
    ],
    limit: mostLooked,
    fields: ['task', 'priority', 'due'],
  })
  return [...new Set(found.sort(byUrgency).map(({ task }) => task))]
}

function byUrgency(a: Pick<TaskKey, 'priority' | 'due' | 'task'>, b: typeof a): number {
  return a.priority - b.priority || a.due - b.due || (a.task < b.task ? -1 : 1)
}

/** Best first. */
async function matchingTasks(q: string | undefined, { presenting: { reader }, reads }: With) {
  if (q === undefined) return { ids: [], passing: false }
  const filter = { kinds: ['task' as const], tags: [inHand] }
  try {
    const { hits } = await rankedHits(
      { q, filter, asWritten: true, threshold: answers, limit: mostTasks, after: undefined },
      reader,
      reads,
    )
    return { ids: hits.map(({ record }) => record.record_id), passing: false }
  } catch (error) {
    // the rest of the brief says so, and the most urgent tasks follow
    if (!(error instanceof EngineUnavailable)) throw error
    return { ids: [], passing: true }
  }
}

function reasonOf({ mutable }: TaskRow): string | undefined {
  const own = new Set(taskKeysOf(mutable))
  return reasons.find(({ key }) => own.has(key))?.says
}

export function workSection({ tasks, count, isByUrgency }: Work): Further {
  const first = isByUrgency ? 'the most urgent' : 'those that match'
  const all = count < mostLooked ? count : `at least ${count}`
  const note =
    count > tasks.length ? `${tasks.length} of ${all} tasks, ${first} first; a list of tasks shows the others.` : ''
  return { heading: 'Work in hand', lines: (page, longest) => tasks.map((task) => taskLine(task, page, longest)), note }
}

function taskLine(task: TaskRow, page: Page, longestTitle: number): string {
  const { priority, due_at, assignees, project } = task.mutable
  const facts = [
    reasonOf(task),
    ...privacyOf(task),
    priority === 'none' ? '' : priority,
    due_at === null ? '' : `due ${dayOf(due_at)}`,
    assignees.length === 0 ? '' : cutAtWord(`by ${assignees.slice(0, mostNames).join(', ')}`, longestTitle),
    project && cutAtWord(project, longestTitle),
  ]
  return `- **${inLine(cutAtWord(task.title, longestTitle))}** (${facts
    .filter(Boolean)
    .map((fact) => inLine(fact as string))
    .join(', ')}) ${page.cite(task)}`
}

/** Assignees in a line. */
const mostNames = 3

/** The same tasks as data. */
export async function workAsData({ tasks }: Work, page: Page, { presenting }: With) {
  const shown = await tasksOf(tasks, presenting)
  return shown.map((task, at) => ({ ...task, citation: page.numberOf(tasks[at] as TaskRow) }))
}
