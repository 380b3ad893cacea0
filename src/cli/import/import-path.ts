/** Runs `precedent import`: reads the source, sends it, follows the receipts, and prints a report. */

import { version } from '../../version.ts'
import { longRetries } from '../client/client.ts'
import type { Session } from '../client/session.ts'
import { type ExitCode, exitCodes, Failure } from '../terminal/failure.ts'
import { progressOn } from '../terminal/progress.ts'
import { count, plain } from '../terminal/terminal.ts'
import { dryRun, jsonOfFound } from './dry-run.ts'
import type { ImportSource } from './import-source.ts'
import { groupedNotes, leftOutFiles, outcomeOf, placesOf, summary, unreadFiles, whatItLacks } from './report.ts'
import { type Imported, runImport } from './run.ts'
import { hashOf, openRun, type Run } from './run-state.ts'
import { openSource } from './source.ts'

export interface ImportOptions {
  source?: string
  /** The full name of a connected repository. */
  repo?: string
  dryRun?: boolean
  wait: boolean
}

export async function importPath(session: Session, path: string, options: ImportOptions): Promise<ExitCode> {
  return importFrom(session, await openSource(path, options.source), options)
}

/** `folder`: from the root of the repository. undefined: all of it. */
export async function importRepository(
  session: Session,
  repo: string,
  folder: string | undefined,
  options: ImportOptions,
): Promise<ExitCode> {
  const { openRepository } = await import('./repository.ts')
  const source = await openRepository({ repo, folder, source: options.source }, session.signal)
  return importFrom(session, source, options)
}

async function importFrom(session: Session, source: ImportSource, options: ImportOptions): Promise<ExitCode> {
  const { terminal } = session
  if (options.dryRun) return dryRun(terminal, source)
  // the first call is not retried, so that a wrong key or address fails at once
  await session.client().call({ method: 'GET', path: '/v1/receipts?limit=1' })
  const { hash, lines } = await source.fingerprint()
  const run = openRun(runOf(session, source, hash))
  if (run.resumed) terminal.note(`Continuing the import that began at ${run.began_at}.`)
  const began = Date.now()
  const imported = await send(session, source, run, { lines, wait: options.wait })
  run.end()
  return report(session, imported, { seconds: (Date.now() - began) / 1000, run, wait: options.wait })
}

function runOf({ settings }: Session, source: ImportSource, hash: string) {
  return {
    stateDir: settings.stateDir,
    url: settings.url,
    apiKey: settings.apiKey ?? '',
    path: source.path,
    sourceName: source.name,
    // another version may read the same file differently
    fingerprint: hashOf([version(), source.format, hash]),
  }
}

async function send(
  session: Session,
  source: ImportSource,
  run: Run,
  { lines, wait }: { lines: number; wait: boolean },
): Promise<Imported> {
  const progress = progressOn(session.terminal, 'Importing', wait ? 'applied' : 'accepted')
  const client = session.client(longRetries, progress.onRetry)
  progress.start(lines)
  try {
    return await runImport(source, { client, signal: session.signal, runKey: run.key, wait }, progress)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw resumable(error)
  } finally {
    progress.stop()
  }
}

/** The state of the run is kept after every error, so the same command continues the import. */
function resumable(error: Failure): Failure {
  const sent = Number(error.details.sent ?? 0)
  const how = `${count(sent, 'record was', 'records were')} sent. Run the same command again to continue. Nothing is recorded twice.`
  const remedy = error.remedy === undefined ? how : `${error.remedy}\n  ${how}`
  return error.with({ remedy })
}

function report(
  { terminal }: Session,
  imported: Imported,
  { seconds, run, wait }: { seconds: number; run: Run; wait: boolean },
): ExitCode {
  const { found, decisions } = imported
  const outcome = outcomeOf(imported)
  const { refused, ...counts } = outcome
  const exit = refused.length > 0 || found.unreadLines > 0 ? exitCodes.failed : exitCodes.ok
  if (terminal.json) {
    const more = { resumed: run.resumed, waited: wait, seconds, ...counts, refused, batch_ids: decisions.batchIds }
    terminal.printJson({ source: found.source, ...jsonOfFound(found), ...more })
    return exit
  }
  const lacking = whatItLacks(found)
  if (lacking !== undefined) {
    terminal.print(lacking)
    return exit
  }
  if (found.decisions + found.memories + found.tasks === 0) {
    terminal.print(found.unreadLines === 0 ? 'There is nothing to import.' : 'Nothing could be imported.')
  }
  if (refused.length > 0) terminal.print(['Refused:', ...placesOf(refused), ''].join('\n'))
  const unread = unreadFiles(found)
  if (unread.length > 0) terminal.print(['Not read:', ...unread, ''].join('\n'))
  const leftOut = leftOutFiles(found)
  if (leftOut.length > 0) terminal.print(['Not imported, although beside decisions:', ...leftOut, ''].join('\n'))
  if (found.notes.length > 0)
    terminal.print(['To check:', ...groupedNotes(found.notes, found.moreNotes), ''].join('\n'))
  terminal.print(`${wait ? 'Imported' : 'Accepted'} from ${plain(found.source)} in ${seconds.toFixed(1)} s:\n`)
  terminal.print(summary(found, outcome, wait))
  if (!wait && decisions.batchIds.length > 0) terminal.print(followHint(decisions.batchIds))
  return exit
}

function followHint([first, ...others]: readonly string[]): string {
  return `\nTo follow it: precedent receipts watch${others.length === 0 ? ` --batch ${first}` : ''}`
}
