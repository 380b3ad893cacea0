/** `precedent export`: writes everything that the key may see as JSONL, which `precedent import` reads. */
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { longRetries } from '../client/client.ts'
import { ifAllowed } from '../client/if-allowed.ts'
import type { Act, Session } from '../client/session.ts'
import { type Change, feed } from '../export/feed.ts'
import { hydration } from '../export/hydrate.ts'
import type { Line } from '../export/lines.ts'
import { type ExitCode, exitCodes, Failure, interrupted, notWritten, usage } from '../terminal/failure.ts'
import { progressOn } from '../terminal/progress.ts'
import { asJson, count } from '../terminal/terminal.ts'

/** Resolves when more can be written. */
type Write = (text: string) => Promise<void>

interface Exported {
  decisions: number
  memories: number
  tasks: number
  /** Not exported: importing it would make it valid again. */
  invalidated: number
  /** Memories that an answer has replaced. Not exported, for the same reason. */
  replaced: number
  /** Not exported: the key may not read them. */
  tasks_left_out: number
}

export function addExport(program: Command, act: Act): void {
  program
    .command('export')
    .description('write everything that the key may see as JSONL, which `precedent import` reads')
    .option(
      '--out <file>',
      'write to this file, NAME.jsonl, and replace it only when the export is complete (default: standard output)',
    )
    .action(act((session: Session, { out }: { out?: string }) => exportAll(session, out)))
}

async function exportAll(session: Session, out: string | undefined): Promise<ExitCode> {
  const { terminal } = session
  if (out !== undefined && !/\.(jsonl|ndjson)$/i.test(out)) {
    throw usage(
      `An export is JSONL, so the name “${out}” must end in .jsonl.`,
      '`precedent import` reads no other ending.',
    )
  }
  // the first call is not retried, so that a wrong key or address fails at once
  await session.client().call({ method: 'POST', path: '/v1/context/sync', body: { limit: 1 }, reads: true })
  const exported =
    out === undefined
      ? await writeAll(session, writerOf(session.host.stdout))
      : await replaceWhenComplete(out, (write) => writeAll(session, write))
  const { decisions, memories, tasks, invalidated, replaced, tasks_left_out } = exported
  if (terminal.json && out !== undefined) terminal.printJson({ out, ...exported })
  else {
    const where = out === undefined ? '' : ` to ${out}`
    const excluded = [
      ...(invalidated > 0 ? [count(invalidated, 'invalidated memory', 'invalidated memories')] : []),
      ...(replaced > 0 ? [`${count(replaced, 'memory', 'memories')} replaced by an answer`] : []),
      ...(tasks_left_out > 0 ? [`${count(tasks_left_out, 'task')} (the key needs tasks:read)`] : []),
    ]
    const told = [count(decisions, 'decision'), count(memories, 'memory', 'memories'), count(tasks, 'task')]
    const rest = excluded.length > 0 ? ` Not exported: ${excluded.join(', ')}.` : ''
    terminal.note(`Exported ${told.slice(0, 2).join(', ')} and ${told[2]}${where}.${rest}`)
  }
  return exitCodes.ok
}

async function writeAll({ client: clientOf, terminal, signal }: Session, write: Write): Promise<Exported> {
  const exported: Exported = { decisions: 0, memories: 0, tasks: 0, invalidated: 0, replaced: 0, tasks_left_out: 0 }
  const written = new Set<string>()
  const progress = progressOn(terminal, 'Exporting', 'records')
  const client = clientOf(longRetries, progress.onRetry)
  const { decisions, memories, tasks, endedMemories } = hydration(client)
  progress.start()
  try {
    for await (const changes of feed(client)) {
      if (signal.aborted) throw interrupted()
      const fresh = (all: readonly Change[]) => all.filter(({ id }) => !written.has(id))
      const knowledge = fresh(changes.knowledge).filter(({ change_type }) => change_type !== 'invalidated')
      const decided = idsOf(fresh(changes.decisions))
      const work = idsOf(fresh(changes.work))
      exported.invalidated += fresh(changes.knowledge).length - knowledge.length
      for (const change of [...changes.knowledge, ...changes.decisions, ...changes.work]) written.add(change.id)
      exported.memories += await writeLines(idsOf(knowledge), memories, write)
      exported.replaced = endedMemories()
      exported.decisions += await writeLines(decided, decisions, write)
      const exportedTasks = work.length === 0 ? 0 : await ifAllowed(writeLines(work, tasks, write))
      exported.tasks += exportedTasks ?? 0
      exported.tasks_left_out += exportedTasks === undefined ? work.length : 0
      progress.update(exported.decisions + exported.memories + exported.tasks)
    }
  } finally {
    progress.stop()
  }
  return exported
}

/** The number of records that were written. */
async function writeLines(
  ids: readonly string[],
  linesOf: (ids: readonly string[]) => Promise<Map<string, Line[]>>,
  write: Write,
): Promise<number> {
  const lines = await linesOf(ids)
  const all = ids.flatMap((id) => lines.get(id) ?? [])
  await write(all.map((line) => `${asJson(line)}\n`).join(''))
  return lines.size
}

const idsOf = (changes: readonly Change[]) => [...new Set(changes.map(({ id }) => id))]

function writerOf(stdout: Writable): Write {
  return async (text) => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  }
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
