/** Parses the arguments, runs the command, and turns every error into a message and an exit code. */
import { setMaxListeners } from 'node:events'
import { Command, CommanderError } from 'commander'
import { cliSettings } from '../../config/cli.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { version } from '../version.ts'
import { type Act, sessionOf } from './client/session.ts'
import { type ExitCode, exitCodes, exitCodesHelp, Failure, interrupted, usage } from './terminal/failure.ts'
import type { Host } from './terminal/host.ts'
import { type Terminal, terminalOf } from './terminal/terminal.ts'
import { addBackup } from './verbs/backup.ts'
import { addBrief } from './verbs/brief.ts'
import { addCompletion } from './verbs/completion.ts'
import { addDecide } from './verbs/decide.ts'
import { addDecisions } from './verbs/decisions.ts'
import { addDoctor } from './verbs/doctor.ts'
import { addExport } from './verbs/export.ts'
import { addGet } from './verbs/get.ts'
import { addGraph } from './verbs/graph.ts'
import { addImport } from './verbs/import.ts'
import { addKeys } from './verbs/keys.ts'
import { addMcp } from './verbs/mcp.ts'
import { addOutcome } from './verbs/outcome.ts'
import { addPolicy } from './verbs/policy.ts'
import { addQuestions } from './verbs/questions.ts'
import { addReceipts } from './verbs/receipts.ts'
import { addReindex } from './verbs/reindex.ts'
import { addRemember } from './verbs/remember.ts'
import { addRepos } from './verbs/repos.ts'
import { addResolve } from './verbs/resolve.ts'
import { addSearch } from './verbs/search.ts'
import { addServe } from './verbs/serve.ts'
import { addStatus } from './verbs/status.ts'
import { addSupersede } from './verbs/supersede.ts'
import { addTasks } from './verbs/tasks.ts'

/** In the order in which `precedent --help` lists them. */
const verbs = {
  'Read and record:': [
    addBrief,
    addSearch,
    addGet,
    addDecisions,
    addGraph,
    addRemember,
    addDecide,
    addSupersede,
    addOutcome,
    addTasks,
    addPolicy,
    addQuestions,
    addResolve,
    addReceipts,
  ],
  'Import and export:': [addImport, addExport],
  'Connect agents:': [addMcp],
  'Run the service:': [addServe, addStatus, addKeys, addBackup, addReindex, addRepos, addDoctor],
  'Set up the shell:': [addCompletion],
}

const usageRemedy = '`precedent help` lists the commands; `precedent COMMAND --help` lists the options of one.'

/** Each call of the service listens until it is answered. An import has many under way, for several kinds of records. */
const mostListeners = 1_000

/** Resolves with the exit code; never rejects. */
export async function main(args: readonly string[], host: Host = process, given = cliSettings()): Promise<ExitCode> {
  const stop = new AbortController()
  setMaxListeners(mostListeners, stop.signal)
  let ended: ExitCode = exitCodes.ok
  const program = programOf(host)
  const json = () => program.opts<{ json?: boolean }>().json ?? args.includes('--json')
  const act: Act =
    (verb) =>
    async (...arguments_) => {
      const { url } = program.opts<{ url?: string }>()
      const settings = url === undefined ? given : { ...given, url, isUrlSet: true }
      const terminal = terminalOf(host.stdout, host.stderr, json())
      ended = await verb(sessionOf(host, terminal, settings, stop.signal), ...arguments_)
    }
  for (const [heading, adds] of Object.entries(verbs)) {
    program.commandsGroup(heading)
    for (const add of adds) add(program, act)
  }
  endOnSignals(host, stop)
  try {
    await program.parseAsync(args, { from: 'user' })
    return ended
  } catch (error) {
    return failed(error, stop.signal, terminalOf(host.stdout, host.stderr, json()))
  }
}

function programOf(host: Host): Command {
  const program = new Command('precedent')
  return program
    .description(
      'A memory and decision log for AI agents: it stores facts, constraints and decisions, and tells agents which ones are current.',
    )
    .version(version(), '-V, --version', 'print the version')
    .option('--json', 'print the result, or the error, as one JSON object')
    .option('--url <url>', 'address of the service (default: PRECEDENT_URL, else http://127.0.0.1:4400)')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Environment:
  PRECEDENT_URL      address of the service
  PRECEDENT_API_KEY  API key that the command uses
  These commands read the settings of the service instead, such as PORT, PRECEDENT_DATA_DIR and MONGODB_URL:
  serve, worker, doctor, repos doctor, backup, restore, keys recover, keys rotate-cursors, and mcp without PRECEDENT_URL
${exitCodesHelp}`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) =>
        write(json(program) ? '' : `${text.replace(/^error: /, 'precedent: ')}  ${usageRemedy}\n`),
    })
}

const json = (program: Command) => program.opts<{ json?: boolean }>().json === true

/** The first signal asks the command to stop cleanly. A second one ends the process at once. */
function endOnSignals(host: Host, stop: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    host.on(signal, () => {
      if (stop.signal.aborted) host.exit(exitCodes.interrupted)
      stop.abort()
    })
  }
  // a reader such as `precedent export | head` closes the pipe early; that is not an error
  host.stdout.on('error', (error: NodeJS.ErrnoException) => host.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed))
}

function failed(error: unknown, signal: AbortSignal, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok
    // without --json, commander has already printed the message
    if (terminal.json) terminal.fail(usage(error.message.replace(/^error: /, ''), usageRemedy))
    return exitCodes.usage
  }
  const failure = signal.aborted && !(error instanceof Failure) ? interrupted() : asFailure(error)
  terminal.fail(failure)
  return failure.exit
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ConfigurationError) return new Failure('usage', 'configuration', message, { cause: error })
  return new Failure('failed', 'failed', message, { cause: error })
}
