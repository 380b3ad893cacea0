/**
 * Loads the extension sqlite-vec into a connection when it first compares vectors. Some platforms lack the extension.
 */
import { EngineUnavailable } from '../../../ports/unavailable.ts'
import type { Database } from './database.ts'

/** The path of the extension, or why it is missing. */
type Extension = { path: string; missing?: never } | { path?: never; missing: string }

let found: Promise<Extension> | undefined
const loaded = new WeakSet<Database>()

/** Why vectors can't be compared on this platform; undefined: they can. */
export async function extensionFault(): Promise<string | undefined> {
  return (await extension()).missing
}

/** Returns a function that loads the extension into a connection. Throws EngineUnavailable if it is missing. */
export async function vectorExtension(): Promise<(db: Database) => void> {
  const { path, missing } = await extension()
  if (path === undefined) throw new EngineUnavailable('vectors', missing, undefined, 'failing')
  return (db) => {
    if (loaded.has(db)) return
    db.enableLoadExtension(true)
    try {
      db.loadExtension(path)
    } catch (error) {
      throw new EngineUnavailable(
        'vectors',
        `sqlite-vec cannot be loaded: ${(error as Error).message}`,
        error,
        'failing',
      )
    } finally {
      db.enableLoadExtension(false)
    }
    loaded.add(db)
  }
}

function extension(): Promise<Extension> {
  found ??= find()
  return found
}

/** Imported only when needed, because most stores have no vectors. */
async function find(): Promise<Extension> {
  try {
    const { getLoadablePath } = await import('sqlite-vec')
    return { path: getLoadablePath() }
  } catch {
    return { missing: `sqlite-vec is not available for ${process.platform}-${process.arch}; search uses words only` }
  }
}
