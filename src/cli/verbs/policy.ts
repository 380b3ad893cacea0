/** `precedent policy explain`: what the policy of the operator would decide on a run of a task. */
import type { Command } from 'commander'
import { runModes } from '../../records/run.ts'
import type { ExplainPolicyOutput } from '../../runs/shown.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { policyLines } from '../terminal/run-text.ts'

export function addPolicy(program: Command, act: Act): void {
  program
    .command('policy')
    .description('explain the policy of runs')
    .command('explain')
    .description('show what a run of a task would do now, and which rule decides; it starts nothing')
    .requiredOption('--task <id>', 'the id of the task')
    .addOption(program.createOption('--mode <mode>', 'as for a run (default: that of the task)').choices(runModes))
    .option('--executor <name>', 'the executor (default: that of the task, or the only one)')
    .action(act(explain))
}

interface Options {
  task: string
  mode?: string
  executor?: string
}

async function explain({ client, terminal }: Session, { task, ...others }: Options): Promise<ExitCode> {
  const asked = new URLSearchParams(others as Record<string, string>)
  const path = `/api/v2/tasks/${encodeURIComponent(task)}/policy?${asked}`
  const explained = await client().call<ExplainPolicyOutput>({ method: 'GET', path })
  if (terminal.json) terminal.printJson(explained)
  else terminal.print(policyLines(explained, terminal))
  return exitCodes.ok
}
