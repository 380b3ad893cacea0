/** Reads the arguments, runs the verb, and turns whatever goes wrong into one line and an exit code. */
import { Command, CommanderError } from 'commander'
import { cliSettings } from '../../config/cli.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { type ExitCode, exitCodes, exitCodesHelp, Failure, interrupted } from './failure.ts'
import { type Act, sessionOf } from './session.ts'
import { terminalOf } from './terminal.ts'
import { addBackup } from './verbs/backup.ts'
import { addBrief } from './verbs/brief.ts'
import { addDecide } from './verbs/decide.ts'
import { addDoctor } from './verbs/doctor.ts'
import { addExport } from './verbs/export.ts'
import { addImport } from './verbs/import.ts'
import { addKeys } from './verbs/keys.ts'
import { addQuestions } from './verbs/questions.ts'
import { addReceipts } from './verbs/receipts.ts'
import { addReindex } from './verbs/reindex.ts'
import { addRemember } from './verbs/remember.ts'
import { addResolve } from './verbs/resolve.ts'
import { addSearch } from './verbs/search.ts'
import { addServe } from './verbs/serve.ts'
import { addSupersede } from './verbs/supersede.ts'
import { version } from './version.ts'

/** In the order of the help. */
const verbs = {
  'Ask and tell:': [addBrief, addSearch, addRemember, addDecide, addSupersede, addQuestions, addResolve, addReceipts],
  'Take in and out:': [addImport, addExport],
  'Run the service:': [addServe, addKeys, addBackup, addReindex, addDoctor],
}

/** Resolves with the exit code; never rejects. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  const stop = new AbortController()
  let ended: ExitCode = exitCodes.ok
  const program = programOf()
  const json = () => program.opts<{ json?: boolean }>().json ?? args.includes('--json')
  const act: Act =
    (verb) =>
    async (...given) => {
      const { url } = program.opts<{ url?: string }>()
      const settings = cliSettings()
      const terminal = terminalOf(process.stdout, process.stderr, json())
      const session = sessionOf(terminal, url === undefined ? settings : { ...settings, url }, stop.signal)
      ended = await verb(session, ...given)
    }
  for (const [heading, adds] of Object.entries(verbs)) {
    program.commandsGroup(heading)
    for (const add of adds) add(program, act)
  }
  endOnSignals(stop)
  try {
    await program.parseAsync(args, { from: 'user' })
    return ended
  } catch (error) {
    return failed(error, stop.signal, json())
  }
}

function programOf(): Command {
  const program = new Command('precedent')
  return program
    .description('What a company knows and has decided, and why: the service, and the tools to fill and keep it.')
    .version(version(), '-V, --version', 'print the version')
    .option('--json', 'print JSON for programs: one object, errors too')
    .option('--url <url>', 'the service (default: PRECEDENT_URL, else http://127.0.0.1:4400)')
    .helpOption('-h, --help', 'explain the command')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'explain a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Environment:
  PRECEDENT_URL      where the service is
  PRECEDENT_API_KEY  the key that the command acts by
  serve, doctor, backup, restore and keys recover read the settings of the service (see the README)
${exitCodesHelp}`,
    )
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(json(program) ? '' : text.replace(/^error: /, 'precedent: ')),
    })
}

const json = (program: Command) => program.opts<{ json?: boolean }>().json === true

/** The first one asks the verb to end in order, the second ends it. */
function endOnSignals(stop: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted)
      stop.abort()
    })
  }
  // whoever read the output has enough of it: `precedent export | head`
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
  )
}

function failed(error: unknown, signal: AbortSignal, json: boolean): ExitCode {
  const terminal = terminalOf(process.stdout, process.stderr, json)
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok
    // without --json commander has said it
    if (json) terminal.fail(new Failure('usage', 'usage', error.message.replace(/^error: /, '')))
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
