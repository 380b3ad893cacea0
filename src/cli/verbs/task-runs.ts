/** `precedent tasks run`, `approve`, `cancel` and `watch`. */
import type { Command } from 'commander'
import { runModes } from '../../records/run.ts'
import type { RunShown } from '../../runs/shown.ts'
import { textFrom } from '../client/input.ts'
import { wholeNumber } from '../client/options.ts'
import { unlessFailed } from '../client/read-back.ts'
import type { Act, Session } from '../client/session.ts'
import { watchRun } from '../client/watch-run.ts'
import { addWriteOptions, type WriteOptions, write } from '../client/write.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { inLine } from '../terminal/terminal.ts'

/** `taskId` parses the id of a task. */
export function addTaskRuns(tasks: Command, act: Act, taskId: (text: string) => string): void {
  const run = tasks
    .command('run')
    .argument('<id>', 'the id of the task', taskId)
    .description('let an executor carry out a task, as the policy of the service allows')
    .addOption(
      tasks.createOption('--mode <mode>', 'plan: plan and wait for approval; auto: ask the policy').choices(runModes),
    )
    .option('--executor <name>', 'the executor (default: that of the task, or the only one)')
    .option('--instructions <text>', 'what it should know besides the description; - reads standard input')
    .option('--watch', 'then show its milestones until it ends')
  addWriteOptions(run).action(act(startRun))
  const approve = tasks
    .command('approve')
    .argument('<id>', 'the id of the task', taskId)
    .description('approve the plan of its run')
    .option(
      '--plan <revision>',
      'the revision of the plan that you have read; 0 if it waits without a plan',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--note <text>', 'what the executor should heed; - reads standard input')
  addWriteOptions(approve).action(act(approveRun))
  const cancel = tasks
    .command('cancel')
    .argument('<id>', 'the id of the task', taskId)
    .description('cancel its run for good')
    .option('--reason <text>', 'why')
  addWriteOptions(cancel).action(act(cancelRun))
  tasks
    .command('watch')
    .argument('<id>', 'the id of the task', taskId)
    .description('show the milestones of its newest run until it ends; fails unless it succeeds')
    .option('--after <n>', 'only milestones after this number', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(act(watch))
}

interface RunOptions extends WriteOptions {
  mode?: string
  executor?: string
  instructions?: string
  watch?: boolean
}

async function startRun(session: Session, id: string, options: RunOptions): Promise<ExitCode> {
  const { mode, executor, instructions } = options
  const text = instructions === undefined ? undefined : await textFrom(session, instructions, '--instructions')
  const started = await send(session, id, '', { mode, executor, instructions: text }, options, 'Started')
  return options.watch && started === exitCodes.ok ? watch(session, id, {}) : started
}

interface ApproveOptions extends WriteOptions {
  plan?: number
  note?: string
}

async function approveRun(session: Session, id: string, options: ApproveOptions): Promise<ExitCode> {
  if (options.plan === undefined) {
    throw usage(
      '--plan <revision> is missing: the revision of the plan that you have read.',
      `\`precedent tasks show ${id}\` shows the plan and its revision.`,
    )
  }
  const note = options.note === undefined ? undefined : await textFrom(session, options.note, '--note')
  return send(session, id, '/approve', { plan_revision: options.plan, note }, options, 'Approved')
}

async function cancelRun(session: Session, id: string, options: WriteOptions & { reason?: string }) {
  return send(session, id, '/cancel', { reason: options.reason }, options, 'Cancelled')
}

function watch(session: Session, id: string, { after = 0 }: { after?: number }): Promise<ExitCode> {
  return watchRun(session, pathOf(id), after)
}

/**
 * Fields that are undefined are left out. `done`: what the call does with the run. It prints the id of the task, by which
 * all commands name its newest run.
 */
function send(
  session: Session,
  id: string,
  call: string,
  fields: Record<string, unknown>,
  options: WriteOptions,
  done: string,
): Promise<ExitCode> {
  const { terminal } = session
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const sent = { path: `${pathOf(id)}${call}`, body }
  return write(session, sent, options, async (_, client) => {
    const run = await unlessFailed(client.call<RunShown>({ method: 'GET', path: pathOf(id) }))
    terminal.note(run === undefined ? `${done}.` : `${done}: run ${run.number} is ${run.state}.`)
    terminal.print(inLine(id.toLowerCase()))
  })
}

const pathOf = (id: string) => `/api/v2/tasks/${id}/run`
