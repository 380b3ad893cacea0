/** The texts of results about tasks. They suffice for a client that shows text only. */
import { oneLine } from '../../context/brief/text/in-line.ts'
import { privateMark } from '../../records/standing.ts'
import { cut } from '../../records/title.ts'
import type { GetTaskOutput, ListTasksOutput } from '../../tasks/schema.ts'
import { dayOf, isData, joined, lines, listed, more, quoted } from './text.ts'

/** One line for each task, with its id and its revision. */
export function tasksText({ items, has_more, next_cursor }: ListTasksOutput): string {
  const found = items.map((task, at) => `${at + 1}. ${oneLine(task.name)}${privateMark(task)} (${factsOf(task)})`)
  const later =
    next_cursor === undefined ? [] : [`That is all. Later, the cursor ${next_cursor} shows what changed since.`]
  return lines([...(found.length === 0 ? ['No task matches.'] : found), ...(has_more ? more(next_cursor) : later)])
}

/** The whole task in Markdown, with its newest comments and changes, and what bears on it. */
export function taskText(task: GetTaskOutput): string {
  const { name, description, decision_ids, subtasks, comments, activity, enrichment } = task
  return lines([
    `# ${oneLine(name)}${privateMark(task)}`,
    `task ${factsOf(task)}`,
    isData,
    ...(description === '' ? [] : ['', ...quoted(description)]),
    ...listed('Decisions', decision_ids),
    ...listed('Subtasks', subtasks.items.map(subtaskLine)),
    ...(subtasks.count > subtasks.items.length ? [`There are ${subtasks.count}: list_tasks with parent_id.`] : []),
    ...listed(
      'Comments',
      comments.items.map((one) => `${oneLine(one.created_by)}, ${dayOf(one.created_at)}: ${oneLine(one.body)}`),
    ),
    ...older('comments', comments.next_cursor),
    ...listed('Changes', activity.items.map(changeLine)),
    ...older('activity', activity.next_cursor),
    ...(enrichment === undefined ? [] : ['', enrichment.markdown]),
  ])
}

type Listed = ListTasksOutput['items'][number]

/** A list shows less of a run than the task itself, which has null if it never ran. */
type Facts = Omit<Listed, 'run' | 'execution'> & { run?: Pick<NonNullable<Listed['run']>, 'number' | 'state'> | null }

function factsOf(task: Facts): string {
  const { id, status, priority, start_at, due_at, assignees, project, labels, parent_id, repo_full_name } = task
  const facts = [
    status,
    priority === 'none' ? '' : `priority ${priority}`,
    start_at === undefined ? '' : `starts ${dayOf(start_at)}`,
    due_at === undefined ? '' : `due ${dayOf(due_at)}`,
    assignees.length === 0 ? '' : `by ${assignees.join(', ')}`,
    project === undefined ? '' : `project ${project}`,
    labels.length === 0 ? '' : `labels ${labels.join(', ')}`,
    repo_full_name,
    parent_id === undefined ? '' : `part of ${parent_id}`,
    task.external_id,
    task.run ? `run ${task.run.number} ${task.run.state}` : '',
    `revision ${task.revision}`,
  ]
  return joined([id, ...facts.map((fact) => oneLine(fact ?? ''))])
}

function subtaskLine({ name, status, id }: Listed): string {
  return `${oneLine(name)} (${joined([status, id])})`
}

type Change = GetTaskOutput['activity']['items'][number]

function changeLine({ at, by, changes = [], run, note }: Change): string {
  const changed = changes.map(({ field, from, to }) => `${field} ${shown(from)} → ${shown(to)}`)
  const ran = run === undefined ? [] : [`run ${run.number} ${run.state}${note ? ` (${oneLine(note)})` : ''}`]
  return `${oneLine(by)}, ${dayOf(at)}: ${[...ran, ...changed].join('; ')}`
}

/** Characters of a value in a line of changes. */
const longestValue = 100

function shown(value: string | string[] | undefined): string {
  return value === undefined ? 'nothing' : `“${cut(oneLine([value].flat().join(', ')), longestValue)}”`
}

function older(of: 'comments' | 'activity', cursor: string | undefined): string[] {
  return cursor === undefined ? [] : [`There are older ones: call get_task with ${of}_cursor ${cursor}`]
}
