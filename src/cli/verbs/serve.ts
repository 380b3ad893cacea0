/** `precedent serve` and `precedent worker`: run the whole service in one process, or one kind of process. */
import type { Command } from 'commander'
import { type ExitCode, exitCodes } from '../failure.ts'
import type { Act, Session } from '../session.ts'

export function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description(
      'run the service in one process until it is stopped; its settings are environment variables such as PORT',
    )
    .action(act((session: Session) => runUntilStopped(session, 'all')))
  program
    .command('worker')
    .addArgument(program.createArgument('<kind>', 'the kind of process').choices(Object.keys(kinds)))
    .description('run one kind of process, next to others that share MongoDB and Elasticsearch')
    .action(act((session: Session, kind: KindName) => runUntilStopped(session, kind)))
}

// imported when they are run, so that the other commands start faster
const kinds = {
  all: async () => (await import('../../../workers/all.ts')).all,
  web: async () => (await import('../../../workers/web.ts')).web,
  apply: async () => (await import('../../../workers/apply.ts')).apply,
  index: async () => (await import('../../../workers/index.ts')).index,
  maintain: async () => (await import('../../../workers/maintain.ts')).maintain,
}
type KindName = keyof typeof kinds

async function runUntilStopped({ signal }: Session, name: KindName): Promise<ExitCode> {
  const { load } = await import('../../../config/load.ts')
  const { run } = await import('../../../workers/runner.ts')
  const running = run(await kinds[name](), load(undefined, name))
  const stopped = new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', resolve, { once: true })
  })
  await Promise.race([running.ready.then(() => stopped), stopped])
  await running.stop()
  // stopping on request is a success
  return exitCodes.ok
}
