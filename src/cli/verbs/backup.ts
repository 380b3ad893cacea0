/**
 * `precedent backup` and `precedent restore`: the whole store in one file, which a store of either profile can be
 * restored from.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Act, Session } from '../client/session.ts'
import { openStore, placeOf } from '../client/store.ts'
import { type ExitCode, exitCodes, Failure, interrupted, notWritten } from '../terminal/failure.ts'
import { count } from '../terminal/terminal.ts'

export function addBackup(program: Command, act: Act): void {
  program
    .command('backup')
    .argument('<path>', 'the file to write, or a folder, in which the file gets a name')
    .option('--force', 'replace the file if it exists')
    .description('write the whole store, as of one point in time, to one file; the service may keep running')
    .action(act(backup))
  program
    .command('restore')
    .argument('<file>', 'a file that `precedent backup` wrote')
    .description('restore a backup into an empty store; do this before you start the service on it')
    .action(act(restore))
}

interface Force {
  force?: boolean
}

async function backup({ terminal, signal }: Session, path: string, { force = false }: Force): Promise<ExitCode> {
  const { takeBackup } = await import('../../backup/take.ts')
  const { placeFor, writeBackup } = await import('../../backup/file.ts')
  const store = await openStore('the first start creates the store')
  try {
    const file = await placeFor(path, new Date(store.clock.now()))
    if (file === undefined) {
      throw new Failure('failed', 'no_folder', `The folder ${path} does not exist.`, {
        // not made here: if a disk is not mounted, backups would fill the disk below it
        remedy:
          'Nothing was written. Create the folder, or leave out the slash at the end to write a file of this name.',
      })
    }
    if (!force && existsSync(file)) {
      throw new Failure('failed', 'file_exists', `${file} exists already.`, {
        remedy: 'Nothing was written. Choose another name, or replace the file with --force.',
      })
    }
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
      throw notWritten(file, error)
    })
    if (terminal.json) terminal.printJson({ file, bytes, documents })
    else {
      terminal.note(
        `Backed up ${count(documents, 'document')} from ${store.where} (${count(bytes, 'byte')}). The file holds everything that the store holds: protect it in the same way.`,
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
  const { logger } = await import('../../log/log.ts')
  const { restoreBackup, NotEmpty } = await import('../../backup/restore.ts')
  const { DamagedBackup } = await import('../../backup/lines.ts')
  const config = load(undefined, 'command')
  // the command reports by itself: log errors only
  const log = logger('error', config.secrets)
  const ports = await openPorts(config, log)
  try {
    const restored = await restoreBackup(resolve(given), ports, log, config.approvalDays)
    if (terminal.json) terminal.printJson(restored)
    else {
      const { records = 0, receipts = 0 } = restored.documents
      terminal.print(
        `Restored into ${placeOf(config)}: ${count(restored.workspaces, 'workspace')}, ${count(records, 'record')}, ${count(receipts, 'receipt')}, as of ${restored.at}.`,
      )
      terminal.note(
        'The keys are those of the backup. Clients that sync will start over by themselves. You can start the service now.',
      )
    }
    return exitCodes.ok
  } catch (error) {
    if (error instanceof NotEmpty) {
      throw new Failure('failed', 'not_empty', `${error.message} Nothing was restored.`, {
        remedy: 'Use an empty PRECEDENT_DATA_DIR or database, and restore before you start the service on it.',
      })
    }
    if (error instanceof DamagedBackup) {
      throw new Failure('failed', 'damaged_backup', error.message, {
        remedy: 'Nothing was restored. Use another file that `precedent backup` wrote.',
      })
    }
    throw error
  } finally {
    await ports.queue.close(0)
    await ports.close()
  }
}
