/**
 * The key that `precedent mcp` uses on a data directory if PRECEDENT_API_KEY is not set. It is made once, kept in the
 * file `local/key` of the directory with mode 600, and never shown. It has the scopes of an agent, and acts as the user
 * of the operating system.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { userOfSystem } from '../../../config/local.ts'
import { admitLocalKey } from '../../access/local-key.ts'
import { newSecret, secretPattern } from '../../access/secret.ts'
import { makeFolder } from '../../ports/make-folder.ts'
import { openStore } from '../client/store.ts'
import { Failure } from '../terminal/failure.ts'

/** `file`: of the key. Call it once the service runs on the store. Throws Failure if the key was revoked. */
export async function localKey(file: string): Promise<string> {
  const secret = read(file) ?? make(file)
  const remedy = `Remove ${file} so that another one is made, or set PRECEDENT_API_KEY.`
  if (!secretPattern.test(secret)) throw new Failure('unauthorised', 'bad_key', `${file} holds no key.`, { remedy })
  const { documents, clock, close } = await openStore('the first start creates the store')
  try {
    if (await admitLocalKey(documents, clock, { secret, user: userOfSystem() })) return secret
    throw new Failure('unauthorised', 'revoked_key', `The key in ${file} was revoked.`, { remedy })
  } finally {
    await close()
  }
}

/** Of several processes that make the file at once, one wins, and all get its key. */
function make(file: string): string {
  makeFolder(dirname(file))
  const whole = `${file}-${randomUUID()}`
  writeFileSync(whole, `${newSecret()}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(whole, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(whole, { force: true })
  }
  return read(file) ?? ''
}

/** undefined: there is no file. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
