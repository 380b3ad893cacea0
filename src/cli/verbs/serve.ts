/** `precedent serve`: the whole service in one process, as `npm start` runs it. */
import type { Command } from 'commander'
import { type ExitCode, exitCodes } from '../failure.ts'
import type { Act, Session } from '../session.ts'

export function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description('run the service until it is stopped; its settings come from the environment (see the README)')
    .action(act(serve))
}

async function serve({ signal }: Session): Promise<ExitCode> {
  // only here: the other verbs start faster without the engines
  const { runAll } = await import('../../../workers/all.ts')
  const running = await runAll()
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await running.stop()
  // ended on request is ended well, as it is for any service
  return exitCodes.ok
}
