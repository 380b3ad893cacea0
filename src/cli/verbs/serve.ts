/** `precedent serve` and `precedent worker`: the whole service in one process, or one kind of worker beside others. */
import type { Command } from 'commander'
import { type ExitCode, exitCodes } from '../failure.ts'
import type { Act, Session } from '../session.ts'

export function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description('run the service until it is stopped; its settings come from the environment (see the README)')
    .action(act((session: Session) => runUntilStopped(session, 'all')))
  program
    .command('worker')
    .addArgument(program.createArgument('<kind>', 'which one').choices(Object.keys(kinds)))
    .description('run one kind of process of the service beside others, on MongoDB and Elasticsearch')
    .action(act((session: Session, kind: KindName) => runUntilStopped(session, kind)))
}

// only when they are run: the other verbs start faster without the engines
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
  // ended on request is ended well, as it is for any service
  return exitCodes.ok
}
