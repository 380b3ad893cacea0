/** The built file of the writer thread, because Node can't run TypeScript in a thread. `npm test` builds it first. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from '../../support/repository.ts'

export const writerThread = pathToFileURL(join(repository, 'dist/src/adapters/sqlite/writer-thread.js'))
