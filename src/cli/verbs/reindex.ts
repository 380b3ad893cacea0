/** `precedent reindex`: asks the service to rebuild search indexes, and waits until the new ones are live. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { RebuildResponse } from '../../indexing/ask-rebuild.ts'
import { longRetries } from '../client/client.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, interrupted } from '../terminal/failure.ts'
import { count } from '../terminal/terminal.ts'

interface Options {
  workspace?: string
  wait: boolean
}

/** ms. */
const pollEvery = 1_000

export function addReindex(program: Command, act: Act): void {
  program
    .command('reindex')
    .description('build new search indexes next to the live ones, then replace the live ones')
    .option('--workspace <id>', 'only this workspace (default: every workspace that the key administers)')
    .option('--no-wait', 'do not wait until the new indexes are live')
    .action(act(reindex))
}

async function reindex({ client, terminal, signal }: Session, { workspace, wait }: Options): Promise<ExitCode> {
  const calls = client(longRetries)
  const body = workspace === undefined ? {} : { workspace }
  const path = '/admin/reindex'
  const asked = await calls.call<{ items: RebuildResponse[] }>({ method: 'POST', path, body })
  let open = asked.items
  // if a worker dies, another one starts over with a new index: wait for the workspace, not for the index
  const wanted = new Set(open.map((one) => one.workspace))
  terminal.note(`Rebuilding ${count(wanted.size, 'search index', 'search indexes')}.`)
  while (wait && open.length > 0) {
    if (signal.aborted) throw interrupted()
    await sleep(pollEvery, undefined, { signal }).catch(() => {})
    const { items } = await calls.call<{ items: RebuildResponse[] }>({ method: 'GET', path })
    open = items.filter((one) => wanted.has(one.workspace) && (one.state === 'asked' || one.state === 'filling'))
  }
  if (terminal.json) terminal.printJson({ workspaces: [...wanted], waited: wait })
  else
    terminal.print(
      wait ? 'All new search indexes are live.' : 'The rebuild is requested. GET /admin/reindex shows its progress.',
    )
  return exitCodes.ok
}
