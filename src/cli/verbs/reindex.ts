/** `precedent reindex`: asks the service to build search indexes anew, and waits until they serve. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { RebuildResponse } from '../../journal/ask-rebuild.ts'
import { longPatience } from '../client.ts'
import { type ExitCode, exitCodes, interrupted } from '../failure.ts'
import type { Act, Session } from '../session.ts'
import { count } from '../terminal.ts'

interface Options {
  workspace?: string
  wait: boolean
}

const lookEvery = 1_000

export function addReindex(program: Command, act: Act): void {
  program
    .command('reindex')
    .description('build the search index anew beside the one that serves, which it then replaces')
    .option('--workspace <id>', 'only this one (default: all that an admin of the first workspace rules, else the own)')
    .option('--no-wait', 'end when it is asked for')
    .action(act(reindex))
}

async function reindex({ client, terminal, signal }: Session, { workspace, wait }: Options): Promise<ExitCode> {
  const calls = client(longPatience)
  const body = workspace === undefined ? {} : { workspace }
  const path = '/admin/reindex'
  const asked = await calls.call<{ items: RebuildResponse[] }>({ method: 'POST', path, body })
  let open = asked.items
  // a worker that died is replaced by another, on another index: so it is waited for by workspace
  const wanted = new Set(open.map((one) => one.workspace))
  terminal.note(`${count(wanted.size, 'index', 'indexes')} to build.`)
  while (wait && open.length > 0) {
    if (signal.aborted) throw interrupted()
    await sleep(lookEvery, undefined, { signal }).catch(() => {})
    const { items } = await calls.call<{ items: RebuildResponse[] }>({ method: 'GET', path })
    open = items.filter((one) => wanted.has(one.workspace) && (one.state === 'asked' || one.state === 'filling'))
  }
  if (terminal.json) terminal.printJson({ workspaces: [...wanted], waited: wait })
  else terminal.print(wait ? 'Every new index serves.' : 'Asked for. GET /admin/reindex tells how far it is.')
  return exitCodes.ok
}
