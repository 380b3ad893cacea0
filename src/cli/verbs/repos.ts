/** `precedent repos`: what operators do with connected repositories. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { OperatedRepository } from '../../code/operating/operated.ts'
import { type Client, longRetries } from '../client/client.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, Failure, interrupted } from '../terminal/failure.ts'
import { repositoryLine, repositoryLines } from '../terminal/repository-text.ts'
import { inLine } from '../terminal/terminal.ts'
import { addReposDoctor } from './doctor.ts'

/** ms. */
const pollEvery = 1_000

export function addRepos(program: Command, act: Act): void {
  const repos = program.command('repos').description('show and index the connected git repositories')
  repos
    .command('list')
    .description('list all connected repositories: branch, state, newest and indexed commit, counts')
    .action(act(list))
  repos
    .command('status')
    .argument('<name>', 'its full name, such as acme/shop')
    .description('show one repository: since when it is behind, the last error, languages, skipped files')
    .addHelpText('after', '\nThe exit code is 0 if its newest commit is indexed, and 1 if not.')
    .action(act(status))
  repos
    .command('reindex')
    .argument('<name>', 'its full name, such as acme/shop')
    .description('index all of a repository anew; the present index serves until then')
    .option('--no-wait', 'do not wait until the new index serves')
    .action(act(reindex))
  addReposDoctor(repos, act)
}

async function list({ client, terminal }: Session): Promise<ExitCode> {
  const found = await repositories(client())
  if (terminal.json) terminal.printJson({ repositories: found })
  else if (found.length === 0)
    terminal.note('No repository is connected. docs/repositories.md says how to connect one.')
  else for (const one of found) terminal.print(repositoryLine(one))
  return exitCodes.ok
}

async function status({ client, terminal }: Session, name: string): Promise<ExitCode> {
  const found = await repositoryNamed(name, client())
  if (terminal.json) terminal.printJson(found)
  else terminal.print(repositoryLines(found))
  const isCurrent = found.state === 'ready' && found.behind_since === null
  return isCurrent ? exitCodes.ok : exitCodes.failed
}

async function reindex(
  { client, terminal, signal }: Session,
  name: string,
  { wait }: { wait: boolean },
): Promise<ExitCode> {
  const calls = client(longRetries)
  const path = '/admin/repositories/reindex'
  let found = await calls.call<OperatedRepository>({ method: 'POST', path, body: { repository: name } })
  terminal.note(`Indexing all of ${inLine(found.full_name)}.`)
  while (wait && (found.state === 'pending' || found.state === 'indexing')) {
    if (signal.aborted) throw interrupted()
    await sleep(pollEvery, undefined, { signal }).catch(() => {})
    found = await repositoryNamed(name, calls)
  }
  if (terminal.json) terminal.printJson({ ...found, waited: wait })
  else if (!wait) terminal.print('The new index is requested. `precedent repos status` shows its progress.')
  else terminal.print(repositoryLines(found))
  return found.state === 'failed' ? exitCodes.failed : exitCodes.ok
}

async function repositories(calls: Client): Promise<OperatedRepository[]> {
  const path = '/admin/repositories'
  return (await calls.call<{ items: OperatedRepository[] }>({ method: 'GET', path })).items
}

async function repositoryNamed(name: string, calls: Client): Promise<OperatedRepository> {
  const key = name.toLowerCase()
  const found = (await repositories(calls)).find((one) => one.full_name.toLowerCase() === key)
  if (found !== undefined) return found
  throw new Failure('failed', 'not_found', `No connected repository has the name “${inLine(name)}”.`, {
    remedy: '`precedent repos list` lists them.',
  })
}
