import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bootstrap } from '../../src/access/bootstrap.ts'
import { inProcessQueue } from '../../src/adapters/in-process/queue.ts'
import { writeBackup } from '../../src/backup/file.ts'
import { NotEmpty, restoreBackup } from '../../src/backup/restore.ts'
import { takeBackup } from '../../src/backup/take.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { openWorld, type World } from '../journal/world.ts'
import { randomOf } from '../support/chaos.ts'
import { temporaryFolder } from '../support/clean-up.ts'

let folder: string
let file: string
const firstStart = ({ documents, clock }: World) => bootstrap({ documents, clock, workspaceType: 'company' })
let target: World

beforeEach(async () => {
  folder = temporaryFolder('precedent-restore-')
  file = join(folder, 'backup.gz')
  const source = await openWorld(randomOf(1))
  await firstStart(source)
  await writeBackup(file, takeBackup(source.documents, source.clock), new AbortController().signal)
  await source.close()
  target = await openWorld(randomOf(2))
})
afterEach(async () => {
  await target.close()
})

function restore(documents: Documents = target.documents) {
  const ports = { ...target, documents, queue: inProcessQueue(target.clock) }
  return restoreBackup(file, ports, pino({ level: 'silent' }))
}

it('a restore fails if another process makes its first key meanwhile, because the key of the backup would be lost', async () => {
  const racing: Documents = {
    ...target.documents,
    async insert(collection, document) {
      const inserted = await target.documents.insert(collection, document)
      if (document.id === 'restoring') await firstStart(target)
      return inserted
    },
  }
  await expect(restore(racing)).rejects.toThrow(NotEmpty)
})

it('of two restores at the same time, only one succeeds', async () => {
  const ended = await Promise.allSettled([restore(), restore()])
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
