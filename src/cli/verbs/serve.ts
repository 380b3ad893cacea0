/** `precedent serve` and `precedent worker`: run the whole service in one process, or one kind of process. */
import type { Command } from 'commander'
import { type ProcessKind, processKinds } from '../../../config/processes.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'

export function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description(
      'run the service in one process until it is stopped; its settings are environment variables such as PORT',
    )
    .action(act((session: Session) => runUntilStopped(session, 'all')))
  program
    .command('worker')
    .addArgument(program.createArgument('<kind>', 'the kind of process').choices(processKinds))
    .description('run one kind of process, next to others that share MongoDB and Elasticsearch')
    .action(act((session: Session, kind: ProcessKind) => runUntilStopped(session, kind)))
}

async function runUntilStopped({ signal }: Session, kind: ProcessKind): Promise<ExitCode> {
  // imported here, so that the other commands start faster
  const { load } = await import('../../../config/load.ts')
  const { endOnFault, run } = await import('../../../workers/runner.ts')
  const config = load(undefined, kind)
  endOnFault(config)
  const running = run(kind, config)
  const stopped = new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', resolve, { once: true })
  })
  await Promise.race([running.ready.then(() => stopped), stopped])
  await running.stop()
  // stopping on request is a success
  return exitCodes.ok
}
