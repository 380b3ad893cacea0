/**
 * Keeps the key of an import in the browser until the import has ended, as the command does in a file
 * (src/cli/import/run-state.ts): an import that was interrupted then sends the same records with the same idempotency keys.
 */
import { Failure } from '../../cli/terminal/failure.ts'
import { sha256Of } from '../../text/sha256.ts'
import { newIdempotencyKey } from '../service/http.ts'

export interface Run {
  /** The beginning of all idempotency keys of this run. */
  key: string
  /** An earlier page began it. */
  isResumed: boolean
  /** Call it after the last write was answered. The next import is then a new run. */
  end(): Promise<void>
}

interface RunOf {
  url: string
  /** The API key. Only a hash of it is kept. */
  key: string
  path: string
  source: string
  /** Of everything that will be sent, in order. The service would refuse other content with the same keys. */
  hash: string
}

interface Kept {
  key: string
  fingerprint: string
}

const store = 'runs'

/** The key is on the disk when this resolves. */
export async function openRun({ url, key, path, source, hash }: RunOf): Promise<Run> {
  const name = sha256Of(JSON.stringify([url, sha256Of(key), path, source]))
  // the address of this script changes with each version, which may read the same file differently
  const fingerprint = sha256Of(JSON.stringify([location.pathname, hash]))
  try {
    const database = await opened(indexedDB.open('precedent.import', 1))
    const kept = () => answered(database, 'readonly', (runs) => runs.get(name)) as Promise<Kept | undefined>
    const begun = await kept()
    const isResumed = begun?.fingerprint === fingerprint
    const run: Kept = isResumed ? begun : { key: newIdempotencyKey(), fingerprint }
    if (!isResumed) await answered(database, 'readwrite', (runs) => runs.put(run, name))
    const end = async () => {
      // meanwhile another page may have begun a run with other content: its key stays
      if ((await kept())?.key === run.key) await answered(database, 'readwrite', (runs) => runs.delete(name))
    }
    return { key: run.key, isResumed, end }
  } catch (error) {
    throw new Failure(
      'failed',
      'no_state',
      `The browser lets this page keep nothing, so an import could not be continued after an interruption: ${(error as Error).message}. Allow this site to store data, or use the command line.`,
      { cause: error },
    )
  }
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function answered(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  ask: (runs: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // strict: it is on the disk when the transaction is complete
    const transaction = database.transaction(store, mode, { durability: 'strict' })
    const request = ask(transaction.objectStore(store))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}
