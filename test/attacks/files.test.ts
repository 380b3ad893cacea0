/** Other users of the machine must not be able to read what the service stores. */
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../../src/access/settings.ts'
import { fileIn } from '../../src/engines/stores.ts'
import { openPorts, type Ports } from '../../src/engines.ts'
import { logger } from '../../src/log/log.ts'
import { temporaryFolder } from '../support/clean-up.ts'

const engines = {
  mongodb: undefined,
  redis: undefined,
  elasticsearch: undefined,
  embedder: undefined,
  judge: undefined,
}
const log = logger('silent', [])
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

let parent: string
let umask: number
let ports: Ports | undefined

beforeEach(() => {
  parent = temporaryFolder('precedent-')
  // the most permissive that an account can have
  umask = process.umask(0)
})
afterEach(async () => {
  process.umask(umask)
  await ports?.queue.close(0)
  await ports?.close()
  ports = undefined
})

async function openStore(dataDir: string): Promise<void> {
  ports = await openPorts({ engines, dataDir }, log)
  await ports.documents.insert(settings, { id: 'written', version: 1, value: 'so that there is a journal of SQLite' })
}

describe('the data directory', () => {
  it('the data directory is created with mode 700, and every file in it with mode 600', async () => {
    const dataDir = join(parent, 'new', 'data')
    await openStore(dataDir)
    expect(modeOf(join(parent, 'new'))).toBe('700')
    expect(modeOf(dataDir)).toBe('700')
    const files = readdirSync(dataDir)
    expect(files).toEqual(expect.arrayContaining(['lock.sqlite', 'precedent.sqlite', 'precedent.sqlite-wal']))
    for (const file of files) expect(modeOf(join(dataDir, file)), file).toBe('600')
  })

  it('an existing data directory keeps its mode, and new files in it get mode 600', async () => {
    chmodSync(parent, 0o750)
    writeFileSync(join(parent, 'lock.sqlite'), '', { mode: 0o640 })
    await openStore(parent)
    expect(modeOf(parent)).toBe('750')
    expect(modeOf(join(parent, 'lock.sqlite'))).toBe('640')
    expect(modeOf(fileIn(parent))).toBe('600')
  })
})
