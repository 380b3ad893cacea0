/** Formats tasks for people: lists, and one in full. */
import { privateMark } from '../../records/standing.ts'
import type { GetTaskOutput, ListTasksOutput } from '../../tasks/schema.ts'
import { layoutOn } from './layout.ts'
import { markdownOn } from './markdown.ts'
import { labelledText } from './record-text.ts'
import { runLines } from './run-text.ts'
import { inLine, type Terminal } from './terminal.ts'

type Listed = Omit<ListTasksOutput['items'][number], 'run'>

/** One task a line, and its id below it. */
export function taskLines(items: readonly Listed[], terminal: Terminal): string {
  const { wrap, strong, faint } = layoutOn(terminal)
  return items
    .map((task) => {
      const facts = [
        standingOf(task),
        dueOf(task),
        ofWhom(task),
        task.project,
        task.labels.map((one) => `#${one}`).join(' '),
      ]
      const said = facts.filter(Boolean).map((one) => inLine(one as string))
      return [
        wrap(strong(inLine(task.name)) + privateMark(task)),
        wrap(said.join(', '), '  '),
        `  ${faint(task.id)}`,
      ].join('\n')
    })
    .join('\n')
}

export function taskText(task: GetTaskOutput, terminal: Terminal): string {
  const { name, description, labels, parent_id, repo_full_name, decision_ids, subtasks, comments, external_id } = task
  const { run, enrichment } = task
  const shown = subtasks.items.map((part) => `“${part.name}” (${part.status}, ${part.id})`).join(', ')
  const text = labelledText(terminal, name, description, [
    ['State', `${standingOf(task)}, ${task.inbox_status}, revision ${task.revision}${privateMark(task)}`],
    ['Assignees', task.assignees.join(', ')],
    ['Project', task.project],
    ['Labels', labels.join(', ')],
    ['Starts', task.start_at],
    ['Due', task.due_at],
    ['Part of', parent_id],
    ['Subtasks', subtasks.count > subtasks.items.length ? `${shown} … of ${subtasks.count}` : shown],
    ['Repository', repo_full_name],
    ['Decisions', decision_ids.join(', ')],
    ['External id', external_id],
    ['Id', task.id],
    ...comments.items
      .toReversed()
      .map((one): [string, string] => ['Comment', `${one.created_by}, ${one.created_at}: ${one.body}`]),
  ])
  return [
    text,
    ...(run === null ? [] : [runLines(run, terminal)]),
    ...(enrichment === undefined ? [] : [markdownOn(terminal, enrichment.markdown)]),
  ].join('\n\n')
}

function standingOf({ status, priority }: Listed): string {
  return priority === 'none' ? status : `${status}, ${priority}`
}

function dueOf({ due_at }: Listed): string {
  return due_at === undefined ? '' : `due ${due_at.slice(0, 10)}`
}

function ofWhom({ assignees }: Listed): string {
  return assignees.length === 0 ? '' : `by ${assignees.join(', ')}`
}
