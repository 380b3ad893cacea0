/** `precedent export`: everything that the key may see, as JSONL that `precedent import` takes back. */
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { type Client, longPatience } from '../client.ts'
import { hydration } from '../export/hydrate.ts'
import { type ExitCode, exitCodes, Failure, interrupted } from '../failure.ts'
import { progressOn } from '../progress.ts'
import type { Act, Session } from '../session.ts'
import { count } from '../terminal.ts'

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

/** Resolves when there is room for more. */
type Write = (text: string) => Promise<void>

interface Exported {
  decisions: number
  memories: number
  /** Dropped knowledge: it would come back to life. */
  invalidated: number
  tasks: number
}

const pageSize = 200

export function addExport(program: Command, act: Act): void {
  program
    .command('export')
    .description('write all that the key may see as JSONL that import takes back')
    .option('--out <file>', 'write to this file, which is replaced once all is there (default: standard output)')
    .action(act((session: Session, { out }: { out?: string }) => exportAll(session, out)))
}

async function exportAll(session: Session, out: string | undefined): Promise<ExitCode> {
  const { terminal } = session
  // first without patience: a wrong key or address is told at once
  await session.client().call({ method: 'POST', path: '/v1/context/sync', body: { limit: 1 }, reads: true })
  const exported =
    out === undefined
      ? await writeAll(session, toStandardOutput)
      : await throughDraft(out, (write) => writeAll(session, write))
  const { decisions, memories, invalidated, tasks } = exported
  if (terminal.json && out !== undefined) terminal.printJson({ out, ...exported })
  else {
    const where = out === undefined ? '' : ` to ${out}`
    const left = [
      ...(invalidated > 0 ? [`${count(invalidated, 'invalidated memory', 'invalidated memories')} left out`] : []),
      ...(tasks > 0 ? [`${count(tasks, 'task')} left out`] : []),
    ]
    terminal.note(
      `Exported ${count(decisions, 'decision')} and ${count(memories, 'memory', 'memories')}${where}${left.map((one) => `; ${one}`).join('')}.`,
    )
  }
  return exitCodes.ok
}

async function writeAll({ client: clientOf, terminal, signal }: Session, write: Write): Promise<Exported> {
  const exported: Exported = { decisions: 0, memories: 0, invalidated: 0, tasks: 0 }
  const written = new Set<string>()
  const progress = progressOn(terminal, 'Exporting', 'records')
  const client = clientOf(longPatience, progress.waits)
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

/** From the start to the end of the feed. A record may come more than once. */
async function* pages(client: Client): AsyncGenerator<SyncPage> {
  for (let cursor: string | undefined; ; ) {
    const body = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.call<SyncPage>({ method: 'POST', path: '/v1/context/sync', body, reads: true })
    if (page.reset_required) {
      throw new Failure('failed', 'reset_required', 'What this key may see has changed during the export.', {
        remedy: 'Run it again.',
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

/** The file has all of it or is as it was. Only its owner reads it: it may hold what is private. */
async function throughDraft<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
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
    throw new Failure('failed', 'not_written', `${file} can't be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
