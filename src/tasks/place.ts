/** What a task names: its parent, its place in the tree of tasks, and its decisions. */
import type { StateAtHead } from '../deciding/state-at-head.ts'
import { covers } from '../deciding/supersession.ts'
import type { Audience, RecordId } from '../ids.ts'
import { invalid, problem } from '../problem.ts'
import type { Visible } from '../records/read/visible.ts'
import type { TaskContent } from '../records/task.ts'

/** Tasks in a chain of parents, from the topmost to the deepest subtask. */
const mostLevels = 10
/** Subtasks of a task that can get another parent. Finding how deep they go takes a query for each level. */
const mostMoved = 5_000

/**
 * Throws not_found if the caller does not see the parent or a decision, and invalid_request if someone who sees the task
 * does not. `before`: what the task names already, which was checked then.
 */
export async function checkNamed(
  { parent_id, decision_ids }: Pick<TaskContent, 'parent_id' | 'decision_ids'>,
  audience: Audience,
  visible: Visible,
  before?: Pick<TaskContent, 'parent_id' | 'decision_ids'>,
): Promise<void> {
  if (parent_id !== null && parent_id !== before?.parent_id) {
    const parent = await visible(parent_id, 'task', 'parent_id')
    if (!covers(parent.audience, audience)) {
      throw invalid('parent_id', 'everyone who sees the task must see its parent: choose another parent or visibility')
    }
  }
  for (const [at, id] of decision_ids.entries()) {
    if (before?.decision_ids.includes(id)) continue
    const place = `decision_ids[${at}]`
    const decision = await visible(id, 'decision', place)
    if (!covers(decision.audience, audience)) {
      throw invalid(place, 'everyone who sees the task must see the decision: leave it out or narrow the visibility')
    }
  }
}

/**
 * Throws would_cycle, or invalid_request if a chain of parents gets too long. Of the subtasks only those count
 * that the caller sees, so that the answer does not depend on hidden ones. `task` is undefined if it is new.
 */
export async function checkPlace(
  parent: RecordId,
  task: RecordId | undefined,
  audiences: readonly Audience[],
  state: StateAtHead,
): Promise<void> {
  let above = 0
  for (let id: RecordId | '' = parent; id !== ''; id = await parentOf(id, state)) {
    if (id === task) throw problem('would_cycle', 'A task cannot be a part of itself, directly or through its parents.')
    above += 1
    if (above >= mostLevels) throw tooDeep()
  }
  if (task !== undefined && above + (await levelsOf(task, audiences, state, mostLevels - above)) > mostLevels) {
    throw tooDeep()
  }
}

async function parentOf(task: RecordId, state: StateAtHead): Promise<RecordId | ''> {
  return (await state.documents('task_parents', 'id', task))[0]?.parent ?? ''
}

/** The levels of a task and its subtasks; one more than `most` if there are more than that. */
async function levelsOf(
  task: RecordId,
  audiences: readonly Audience[],
  state: StateAtHead,
  most: number,
): Promise<number> {
  let level = [task]
  let moved = 0
  for (let levels = 1; ; levels++) {
    const subtasks: RecordId[] = []
    await state.prefetch([{ documents: level.map((value) => ({ name: 'task_parents', field: 'parent', value })) }])
    for (const one of level) {
      const found = await state.documents('task_parents', 'parent', one)
      for (const { id, audience } of found) if (audiences.includes(audience)) subtasks.push(id)
    }
    if (subtasks.length === 0 || levels > most) return levels
    moved += subtasks.length
    if (moved > mostMoved) {
      throw invalid('parent_id', `a task with more than ${mostMoved} subtasks cannot be moved: move its subtasks`)
    }
    level = subtasks
  }
}

function tooDeep() {
  return invalid('parent_id', `a chain of parents has at most ${mostLevels} tasks, with the subtasks of this one`)
}
