/** `precedent backup` and `precedent restore`: all that the store keeps, in one file that either profile restores. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type ExitCode, exitCodes, Failure, interrupted } from '../failure.ts'
import type { Act, Session } from '../session.ts'
import { openStore, placeOf } from '../store.ts'
import { count } from '../terminal.ts'

export function addBackup(program: Command, act: Act): void {
  program
    .command('backup')
    .argument('<path>', 'the file, or a folder in which it gets a name')
    .description('write all that the store keeps to one file, of one point in time, while the service runs or not')
    .action(act(backup))
  program
    .command('restore')
    .argument('<file>', 'what `precedent backup` wrote')
    .description('fill an empty store from a backup, on either profile, while no service runs on it')
    .action(act(restore))
}

async function backup({ terminal, signal }: Session, path: string): Promise<ExitCode> {
  const { takeBackup } = await import('../../backup/take.ts')
  const { placeFor, writeBackup } = await import('../../backup/file.ts')
  const store = await openStore('it makes one')
  try {
    const file = await placeFor(resolve(path), new Date(store.clock.now()))
    let documents = 0
    const counted = async function* () {
      for await (const line of takeBackup(store.documents, store.clock)) {
        documents += 1
        yield line
      }
    }
    const bytes = await writeBackup(file, counted(), signal).catch((error: NodeJS.ErrnoException) => {
      if (signal.aborted) throw interrupted()
      if (error.syscall === undefined) throw error
      throw new Failure('failed', 'not_written', `${file} can't be written: ${error.message}`, { cause: error })
    })
    if (terminal.json) terminal.printJson({ file, bytes, documents })
    else {
      terminal.note(
        `${count(documents, 'document')} of ${store.where}, ${count(bytes, 'byte')}. Keep it as you keep the store:`,
      )
      terminal.print(file)
    }
    return exitCodes.ok
  } finally {
    await store.close()
  }
}

async function restore({ terminal }: Session, given: string): Promise<ExitCode> {
  const { load } = await import('../../../config/load.ts')
  const { openPorts } = await import('../../engines.ts')
  const { logger } = await import('../../log.ts')
  const { restoreBackup, NotEmpty } = await import('../../backup/restore.ts')
  const { DamagedBackup } = await import('../../backup/lines.ts')
  const config = load()
  // what it does it says itself
  const log = logger('error', config.secrets)
  const ports = await openPorts(config, log)
  try {
    const restored = await restoreBackup(resolve(given), ports, log)
    if (terminal.json) terminal.printJson(restored)
    else {
      const { records = 0, receipts = 0 } = restored.documents
      terminal.print(
        `Restored into ${placeOf(config)}: ${count(restored.workspaces, 'workspace')}, ${count(records, 'record')}, ${count(receipts, 'receipt')}, as of ${restored.at}.`,
      )
      terminal.note('Keys are those of the backup. Sync readers start over by themselves. Start the service now.')
    }
    return exitCodes.ok
  } catch (error) {
    if (error instanceof NotEmpty) {
      throw new Failure('failed', 'not_empty', `${error.message} Nothing was restored.`, {
        remedy: 'Restore into an empty PRECEDENT_DATA_DIR or database, before the service is started on it.',
      })
    }
    if (error instanceof DamagedBackup) {
      throw new Failure('failed', 'damaged_backup', error.message, {
        remedy: 'Nothing was restored. Take another backup.',
      })
    }
    throw error
  } finally {
    await ports.queue.close(0)
    await ports.close()
  }
}
