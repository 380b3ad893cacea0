/** Clean-up after each test file, even if its tests fail. clean-up.setup.ts runs it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const registered: (() => unknown)[] = []

/** Runs `work` after the file, the last registered first. It may run on things that the test has already removed. */
export function cleanUp(work: () => unknown): void {
  registered.push(work)
}

export async function cleanUpAll(): Promise<void> {
  const errors: unknown[] = []
  for (const work of registered.splice(0).reverse()) {
    try {
      await work()
    } catch (error) {
      // the rest is cleaned up too
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'clean-up failed')
}

/** A new folder that is removed after the file. */
export function temporaryFolder(prefix = 'precedent-', parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix))
  cleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/**
 * The same, beside the folder of the run, which may be in memory. There, an open descriptor can write to an immutable
 * file.
 */
export function temporaryFolderOnDisk(prefix?: string): string {
  return temporaryFolder(prefix, process.env.PRECEDENT_TEST_TMPDIR)
}
