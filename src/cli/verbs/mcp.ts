/** `precedent mcp`: serves the tools of Precedent to an agent over standard input and output. */
import type { Command } from 'commander'
import type { Act, Session } from '../client/session.ts'
import { bridge } from '../mcp/bridge.ts'
import type { Route } from '../mcp/carry.ts'
import type { LocalRoute } from '../mcp/local-route.ts'
import { urlRoute } from '../mcp/url-route.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { plain } from '../terminal/terminal.ts'

interface McpOptions {
  tools?: string
}

export function addMcp(program: Command, act: Act): void {
  program
    .command('mcp')
    .description(
      'serve the tools to an agent over standard input and output; without PRECEDENT_URL, from the data directory',
    )
    .addOption(
      program
        .createOption('--tools <list>', 'list only the tools that an agent needs most, or those of chat connectors')
        .choices(['core', 'chat']),
    )
    .action(act(mcp))
}

async function mcp(session: Session, { tools }: McpOptions): Promise<ExitCode> {
  const { host, settings, signal } = session
  // not the note of the terminal, which says nothing with --json: standard output never holds notes
  const note = (text: string) => void host.stderr.write(`${plain(text)}\n`)
  const serve = (route: Route) => bridge({ route, input: host.stdin, output: host.stdout, signal, note })
  if (settings.isUrlSet) {
    await serve(urlRoute(settings.url, settings.apiKey, tools))
    return exitCodes.ok
  }
  const route = await ofDataDirectory(session, tools, note)
  try {
    await serve(route)
  } finally {
    await route.close()
  }
  // stopping on request is a success
  return exitCodes.ok
}

/** Requests are logged only if PRECEDENT_LOG_LEVEL says so: programs that start this one keep what it logs. */
async function ofDataDirectory(
  { settings, signal }: Session,
  tools: string | undefined,
  note: (text: string) => void,
): Promise<LocalRoute> {
  // imported here, so that the other commands start faster
  const { areShared } = await import('../../../config/engines.ts')
  const { load } = await import('../../../config/load.ts')
  const { run } = await import('../../../workers/runner.ts')
  const { DirectoryInUse, isClaimed } = await import('../../engines.ts')
  const { localRoute } = await import('../mcp/local-route.ts')
  const config = load(undefined, 'all', { PRECEDENT_LOG_LEVEL: 'warn' })
  if (areShared(config.engines)) {
    throw usage(
      'MONGODB_URL and ELASTICSEARCH_URL are set, so the service does not run on a data directory.',
      'Set PRECEDENT_URL to the address of the service.',
    )
  }
  for (const warning of config.warnings) note(`precedent: ${warning}`)
  return localRoute({
    dataDir: config.dataDir,
    apiKey: settings.apiKey,
    tools,
    note,
    signal,
    start: () => run('all', { ...config, warnings: [] }, { port: false }),
    isWanted: () => isClaimed(config.dataDir),
    isInUse: (error) => error instanceof DirectoryInUse,
  })
}
