/** `precedent tasks`: lists, shows, makes, changes and comments on tasks. task-runs.ts has its commands of runs. */
import type { Command } from 'commander'
import { uuidPattern } from '../../ids.ts'
import type { Visibility } from '../../records/audience.ts'
import { runModes, runStates } from '../../records/run.ts'
import { neverRan } from '../../records/task.ts'
import { inboxStatuses, taskPriorities, taskStatuses } from '../../records/task-values.ts'
import { type GetTaskOutput, type ListTasksOutput, taskSorts } from '../../tasks/schema.ts'
import { textFrom } from '../client/input.ts'
import { anyText, repeated, someOf, startOfDay, visibility, wholeNumber } from '../client/options.ts'
import { printRecord, unlessFailed } from '../client/read-back.ts'
import type { ReceiptResponse } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { addWriteOptions, type WriteOptions, write } from '../client/write.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { taskLines, taskText } from '../terminal/task-text.ts'
import { inLine } from '../terminal/terminal.ts'
import { addTaskRuns } from './task-runs.ts'

const path = '/api/v2/tasks'
const clearable = [
  'description',
  'priority',
  'assignees',
  'project',
  'labels',
  'start_at',
  'due_at',
  'parent_id',
  'repo_full_name',
  'decision_ids',
  'execution',
]

export function addTasks(program: Command, act: Act): void {
  const tasks = program.command('tasks').description('list, show, make, change, comment on and run tasks')
  tasks
    .command('list')
    .argument('[query...]', 'words that they contain (default: all tasks, those changed last at the end)')
    .description('list tasks by filters, or find them by words')
    .addOption(someOf('--status <status>', 'only this status', taskStatuses))
    .addOption(someOf('--priority <priority>', 'only this priority', taskPriorities))
    .addOption(someOf('--inbox <status>', 'only this inbox status', inboxStatuses))
    .addOption(
      someOf('--run-state <state>', 'only this state of the newest run (none: it never ran)', [...runStates, neverRan]),
    )
    .option('--assignee <name>', 'only tasks of this user or agent (me: your own); may be repeated', repeated(anyText))
    .option('--project <project>', 'only this project; may be repeated', repeated(anyText))
    .option('--label <label>', 'only tasks with this label; may be repeated', repeated(anyText))
    .option('--parent <id>', 'only subtasks of this task; may be repeated', repeated(taskId))
    .option('--since <date>', 'only tasks changed on this day or instant, or later', startOfDay)
    .addOption(program.createOption('--sort <order>', 'the order of the list (default: updated)').choices(taskSorts))
    .option('--limit <n>', 'most tasks to show, 1 to 200 (default: 50)', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'show the next page: the cursor that the page before printed, with the same filters')
    .action(act(list))
  tasks.command('show').argument('<id>', 'the id of the task', taskId).description('show one task').action(act(show))
  const add = tasks
    .command('add')
    .argument('<name...>', 'what is to be done, in a few words')
    .description('make a task; with --external-id, change the task that has it')
    .option('--visibility <who>', 'who sees it: workspace, private or team:UUID', visibility)
    .option('--external-id <id>', 'its id in another system')
  addWriteOptions(withFields(add)).action(act(addTask))
  const edit = tasks
    .command('edit')
    .argument('<id>', 'the id of the task', taskId)
    .description('change the fields given')
    .option('--name <name>', 'what is to be done, in a few words')
    .addOption(someOf('--clear <field>', 'return this field to its default', clearable))
    .option('--if-revision <n>', 'only if this is still its revision', wholeNumber(1, Number.MAX_SAFE_INTEGER))
  addWriteOptions(withFields(edit)).action(act(editTask))
  const comment = tasks
    .command('comment')
    .argument('<id>', 'the id of the task', taskId)
    .argument('<text>', 'the comment; - reads standard input')
    .description('comment on a task')
  addWriteOptions(comment).action(act(commentOn))
  addTaskRuns(tasks, act, taskId)
}

interface ListOptions {
  inbox?: string[]
  parent?: string[]
  runState?: string[]
  since?: string
  cursor?: string
}

async function list({ client, terminal }: Session, words: string[], options: ListOptions): Promise<ExitCode> {
  const { inbox, parent, runState, since, ...others } = options
  const asked = {
    ...others,
    q: words.join(' ') || undefined,
    inbox_status: inbox,
    parent_id: parent,
    run_state: runState,
    updated_since: since,
  }
  const wanted = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) {
    for (const one of [value].flat()) if (one !== undefined) wanted.append(name, String(one))
  }
  const answer = await client().call<ListTasksOutput>({ method: 'GET', path: `${path}?${wanted}` })
  if (terminal.json) terminal.printJson(answer)
  else {
    if (answer.items.length > 0) terminal.print(taskLines(answer.items, terminal))
    else if (!answer.has_more) terminal.note('No task that this key may see matches.')
    if (answer.has_more && answer.next_cursor !== undefined) {
      terminal.note(`\nThere are more tasks. For the next page, add --cursor ${inLine(answer.next_cursor)}`)
    }
  }
  return exitCodes.ok
}

async function show({ client, terminal }: Session, id: string): Promise<ExitCode> {
  const task = await client().call<GetTaskOutput>({ method: 'GET', path: `${path}/${id}` })
  if (terminal.json) terminal.printJson(task)
  else terminal.print(taskText(task, terminal))
  return exitCodes.ok
}

interface FieldOptions extends WriteOptions {
  description?: string
  status?: string
  priority?: string
  inbox?: string
  assignee?: string[]
  project?: string
  label?: string[]
  start?: string
  due?: string
  parent?: string
  repo?: string
  decision?: string[]
  mode?: string
  executor?: string
  instructions?: string
}

function withFields(command: Command): Command {
  const one = (flags: string, description: string, values: readonly string[]) =>
    command.createOption(flags, description).choices(values)
  return command
    .option('--description <text>', 'what is to be done, in Markdown; - reads standard input')
    .addOption(one('--status <status>', 'how far it is', taskStatuses))
    .addOption(one('--priority <priority>', 'how urgent it is', taskPriorities))
    .addOption(one('--inbox <status>', 'whether somebody has looked at it', inboxStatuses))
    .option('--assignee <name>', 'who works on it (me: yourself); may be repeated', repeated(anyText))
    .option('--project <project>', 'the project that it belongs to')
    .option('--label <label>', 'a label; may be repeated', repeated(anyText))
    .option('--start <date>', 'when work on it starts: a day or an instant', startOfDay)
    .option('--due <date>', 'when it must be done: a day or an instant', startOfDay)
    .option('--parent <id>', 'the task that it is a part of', taskId)
    .option('--repo <name>', 'the repository that it is about, such as owner/name')
    .option('--decision <id>', 'a decision that bears on it; may be repeated', repeated(anyText))
    .addOption(one('--mode <mode>', 'how it is run; a new task starts a run unless it is none', ['none', ...runModes]))
    .option('--executor <name>', 'the executor that runs it (default: the only one)')
    .option('--instructions <text>', 'what the executor should know besides the description; - reads standard input')
}

interface AddOptions extends FieldOptions {
  visibility?: Visibility
  externalId?: string
}

async function addTask(session: Session, words: string[], options: AddOptions): Promise<ExitCode> {
  const body = { name: words.join(' '), visibility: options.visibility, external_id: options.externalId }
  return save(session, { path, body: { ...body, ...(await fieldsOf(session, options)) } }, options)
}

interface EditOptions extends FieldOptions {
  name?: string
  clear?: string[]
  ifRevision?: number
}

async function editTask(session: Session, id: string, options: EditOptions): Promise<ExitCode> {
  const cleared = Object.fromEntries((options.clear ?? []).map((field) => [field, null]))
  const body = { ...cleared, name: options.name, ...(await fieldsOf(session, options)) }
  const { ifRevision } = options
  const conditional = ifRevision === undefined ? {} : { ifRevision }
  return save(session, { method: 'PATCH', path: `${path}/${id}`, body, ...conditional }, options)
}

async function commentOn(session: Session, id: string, text: string, options: WriteOptions): Promise<ExitCode> {
  const body = { body: await textFrom(session, text, 'The comment') }
  return write(session, { path: `${path}/${id}/comments`, body }, options, (receipt) =>
    printRecord(receipt, session.terminal),
  )
}

/** Only the fields that were given. */
async function fieldsOf(session: Session, options: FieldOptions): Promise<Record<string, unknown>> {
  const { description, status, priority, inbox, assignee, project, label, start, due, parent, repo, decision } = options
  const text = description === undefined ? undefined : await textFrom(session, description, '--description')
  const execution = await executionOf(session, options)
  const fields = {
    ...{ description: text, status, priority, inbox_status: inbox, assignees: assignee, project, labels: label },
    ...{ start_at: start, due_at: due, parent_id: parent, repo_full_name: repo, decision_ids: decision },
    execution,
  }
  return given(fields)
}

/** Replaces all of it, so a change of the executor alone returns the mode to none. */
async function executionOf(session: Session, { mode, executor, instructions }: FieldOptions) {
  if (mode === undefined && executor === undefined && instructions === undefined) return undefined
  const text = instructions === undefined ? undefined : await textFrom(session, instructions, '--instructions')
  return given({ mode: mode ?? 'none', executor, instructions: text })
}

function save(
  session: Session,
  { body, ...sent }: Parameters<typeof write>[1],
  options: WriteOptions,
): Promise<ExitCode> {
  return write(session, { ...sent, body: given(body) }, options, async (receipt, client) => {
    const read = { method: 'GET', path: `${path}/${receipt.entity?.id}?enrichment=none` } as const
    const task = await unlessFailed(client.call<GetTaskOutput>(read))
    if (task !== undefined) session.terminal.note(savedText(task, receipt))
    printRecord(receipt, session.terminal)
  })
}

/** A task is made when its write is accepted, and changed after that, before the write ends. */
function savedText(task: GetTaskOutput, { accepted_at, updated_at: ended }: ReceiptResponse): string {
  if (task.created_at === accepted_at) return 'Created.'
  const isOfWrite = (at: string) => at >= accepted_at && at <= ended
  const made = task.activity.items.filter(({ type, at }) => type === 'change' && isOfWrite(at))
  const fields = made.flatMap(({ changes = [] }) => changes.map(({ field }) => field))
  if (fields.length > 0) return `Changed: ${[...new Set(fields)].join(', ')}.`
  // inbox_status has no activity
  return isOfWrite(task.updated_at) ? 'Changed.' : 'Nothing to change.'
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function taskId(text: string): string {
  if (uuidPattern.test(text)) return text
  throw usage(`“${text}” is not the id of a task.`, '`precedent tasks list` shows the ids.')
}
