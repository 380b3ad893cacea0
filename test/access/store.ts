/** An empty store for each test, and a clock that the test sets. */
import { join } from 'node:path'
import type { Actor, Scope } from '../../src/access/actor.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../src/adapters/sqlite/documents.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { collections } from '../../src/collections.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { temporaryFolder } from '../support/clean-up.ts'

export interface Store {
  documents: Documents
  clock: Clock & {
    pass(ms: number): void
    /** Lets `elapsed` advance as before. */
    setBack(ms: number): void
  }
  close(): Promise<void>
}

export async function openStore(): Promise<Store> {
  const folder = temporaryFolder('precedent-access-')
  const sqlite = openSqlite({ path: join(folder, 'precedent.sqlite') })
  const documents = sqliteDocuments(sqlite)
  await documents.declare(collections)
  let passed = 0
  let back = 0
  return {
    documents,
    clock: {
      ...systemClock,
      now: () => Date.now() + passed - back,
      elapsed: () => performance.now() + passed,
      pass(ms) {
        passed += ms
      },
      setBack(ms) {
        back += ms
      },
    },
    async close() {
      await documents.close()
      await sqlite.close()
    },
  }
}

export function actorWith(scopes: Scope[], more: Partial<Actor> = {}): Actor {
  return {
    workspace: firstWorkspace,
    workspaceType: 'company',
    credential: 'some-key',
    user: 'key:some-key',
    teams: [],
    scopes,
    ...more,
  }
}
