/** `precedent doctor`: checks the settings of the service and the engines that they name, and says what to do. */
import type { Command } from 'commander'
import { ConfigurationError } from '../../../config/configuration-error.ts'
import { type ProcessKind, processKinds } from '../../../config/processes.ts'
import type { Finding } from '../../doctor/finding.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { count, plain } from '../terminal/terminal.ts'

const signs: Record<Finding['state'], string> = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' }

export function addDoctor(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('check the settings of the service and the engines that they name, without starting it')
    .option('--process <kind>', `kind of process to check the settings for: ${processKinds.join(', ')}`, kindOf, 'all')
    .action(act((session: Session, { process: kind }: Options) => doctor(session, findings(kind))))
}

export function addReposDoctor(repos: Command, act: Act): void {
  repos
    .command('doctor')
    .description('check git, the remotes, tokens and branches, and the directory of the mirrors, on this machine')
    .option('--process <kind>', `kind of process to check the settings for: ${processKinds.join(', ')}`, kindOf, 'all')
    .action(act((session: Session, { process: kind }: Options) => doctor(session, findings(kind, true))))
}

interface Options {
  process: ProcessKind
}

async function doctor({ terminal }: Session, found: AsyncIterable<Finding>): Promise<ExitCode> {
  const all: Finding[] = []
  for await (const finding of found) {
    all.push(finding)
    if (!terminal.json) terminal.print(lineOf(finding))
  }
  const wrong = all.filter(({ state }) => state === 'wrong').length
  const notes = all.filter(({ state }) => state === 'note').length
  const nothing = notes === 0 ? 'No problems found.' : `No errors found, but ${count(notes, 'note')}: see above.`
  if (terminal.json) terminal.printJson({ ok: wrong === 0, findings: all })
  else terminal.note(wrong === 0 ? nothing : `${count(wrong, 'problem')} found.`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

async function* findings(kind: ProcessKind, onlyCode = false): AsyncGenerator<Finding> {
  const { load } = await import('../../../config/load.ts')
  const { examine, examineCode } = await import('../../doctor/examine.ts')
  try {
    yield* (onlyCode ? examineCode : examine)(load(undefined, kind), kind)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const found of error.sentences) {
      yield error.inFile.includes(found)
        ? { what: 'PRECEDENT_CONFIG', state: 'wrong', found, remedy: 'Correct the file, and check it again.' }
        : { what: 'configuration', state: 'wrong', found, remedy: 'Correct this environment variable.' }
    }
  }
}

function lineOf({ what, state, found, remedy }: Finding): string {
  const line = `${signs[state]}  ${what}: ${plain(found)}${/[.!?]$/.test(found) ? '' : '.'}`
  return remedy === undefined ? line : `${line}\n       → ${plain(remedy)}`
}

function kindOf(text: string): ProcessKind {
  const kind = processKinds.find((one) => one === text)
  if (kind === undefined) throw usage(`“${text}” is not a kind of process.`, `Use one of ${processKinds.join(', ')}.`)
  return kind
}
