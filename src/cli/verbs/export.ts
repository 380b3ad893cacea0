/** `precedent export`: writes everything that the key may see as JSONL, which `precedent import` reads. */
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { type Client, longRetries } from '../client/client.ts'
import type { Act, Session } from '../client/session.ts'
import { hydration } from '../export/hydrate.ts'
import { type ExitCode, exitCodes, Failure, interrupted, notWritten } from '../terminal/failure.ts'
import { progressOn } from '../terminal/progress.ts'
import { count } from '../terminal/terminal.ts'

interface Change {
  id: string
  kind: string
  change_type: 'upsert' | 'superseded' | 'invalidated'
}

interface SyncPage {
  cursor: string
  has_more: boolean
  changes: { knowledge: Change[]; decisions: Change[]; work: Change[] }
  reset_required?: boolean
}

/** Resolves when more can be written. */
type Write = (text: string) => Promise<void>

interface Exported {
  decisions: number
  memories: number
  /** Not exported: importing it would make it valid again. */
  invalidated: number
  tasks: number
}

const pageSize = 200

export function addExport(program: Command, act: Act): void {
  program
    .command('export')
    .description('write everything that the key may see as JSONL, which `precedent import` reads')
    .option(
      '--out <file>',
      'write to this file, and replace it only when the export is complete (default: standard output)',
    )
    .action(act((session: Session, { out }: { out?: string }) => exportAll(session, out)))
}

async function exportAll(session: Session, out: string | undefined): Promise<ExitCode> {
  const { terminal } = session
  // the first call is not retried, so that a wrong key or address fails at once
  await session.client().call({ method: 'POST', path: '/v1/context/sync', body: { limit: 1 }, reads: true })
  const exported =
    out === undefined
      ? await writeAll(session, toStandardOutput)
      : await replaceWhenComplete(out, (write) => writeAll(session, write))
  const { decisions, memories, invalidated, tasks } = exported
  if (terminal.json && out !== undefined) terminal.printJson({ out, ...exported })
  else {
    const where = out === undefined ? '' : ` to ${out}`
    const excluded = [
      ...(invalidated > 0 ? [count(invalidated, 'invalidated memory', 'invalidated memories')] : []),
      ...(tasks > 0 ? [count(tasks, 'task')] : []),
    ]
    terminal.note(
      `Exported ${count(decisions, 'decision')} and ${count(memories, 'memory', 'memories')}${where}.${excluded.length > 0 ? ` Not exported: ${excluded.join(', ')}.` : ''}`,
    )
  }
  return exitCodes.ok
}

async function writeAll({ client: clientOf, terminal, signal }: Session, write: Write): Promise<Exported> {
  const exported: Exported = { decisions: 0, memories: 0, invalidated: 0, tasks: 0 }
  const written = new Set<string>()
  const progress = progressOn(terminal, 'Exporting', 'records')
  const client = clientOf(longRetries, progress.onRetry)
  const { decisions, memories } = hydration(client)
  progress.start()
  try {
    for await (const { changes } of pages(client)) {
      if (signal.aborted) throw interrupted()
      const fresh = (all: readonly Change[]) => all.filter(({ id }) => !written.has(id))
      const knowledge = fresh(changes.knowledge).filter(({ change_type }) => change_type !== 'invalidated')
      const decided = fresh(changes.decisions)
      exported.invalidated += fresh(changes.knowledge).length - knowledge.length
      exported.tasks += fresh(changes.work).length
      for (const change of [...changes.knowledge, ...changes.decisions, ...changes.work]) written.add(change.id)
      const found = [await memories(idsOf(knowledge)), await decisions(idsOf(decided))]
      for (const [at, lines] of found.entries()) {
        const ids = idsOf(at === 0 ? knowledge : decided)
        const all = ids.flatMap((id) => lines.get(id) ?? [])
        await write(all.map((line) => `${JSON.stringify(line)}\n`).join(''))
        exported[at === 0 ? 'memories' : 'decisions'] += lines.size
      }
      progress.update(exported.decisions + exported.memories)
    }
  } finally {
    progress.stop()
  }
  return exported
}

const idsOf = (changes: readonly Change[]) => [...new Set(changes.map(({ id }) => id))]

/** Reads the feed from its start to its end. A record may appear more than once. */
async function* pages(client: Client): AsyncGenerator<SyncPage> {
  for (let cursor: string | undefined; ; ) {
    const body = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.call<SyncPage>({ method: 'POST', path: '/v1/context/sync', body, reads: true })
    if (page.reset_required) {
      throw new Failure('failed', 'reset_required', 'The records that this key may see changed during the export.', {
        remedy: 'Run the same command again.',
      })
    }
    yield page
    if (!page.has_more) return
    cursor = page.cursor
  }
}

async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/**
 * The file is replaced by a complete export, or left as it was. Only its owner may read it: it may hold private
 * records.
 */
async function replaceWhenComplete<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
  const draft = `${file}.${process.pid}.part`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      const done = await work((text) => handle.appendFile(text))
      await handle.sync()
      await rename(draft, file)
      return done
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof Failure) throw error
    throw notWritten(file, error as NodeJS.ErrnoException)
  }
}
