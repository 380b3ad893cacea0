/**
 * From the Authorization header to the actor. No refusal tells whether a key exists: all of them have one text, ask the
 * store the same, find nothing there, and leave nothing in the cache.
 */
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { problem } from '../problem.ts'
import type { Actor } from './actor.ts'
import { type Key, keys } from './keys.ts'
import { hashOf, secretPattern } from './secret.ts'
import { isReserved, userOfKey } from './user.ts'
import { type Workspace, workspaceReader } from './workspaces.ts'

/** ms. A revoked key stops working within this, in every process. */
const cachedFor = 5_000
/** Bounds the cache: credentials in use at one time. */
const mostCached = 10_000
/** ms. `last_used_at` is written at most this often a key. */
const touchEvery = 60_000

interface Known {
  key: Key
  actor: Actor
  /** When it was read, by `clock.elapsed`. */
  at: number
}

/**
 * Throws authentication_required for a header that is missing or malformed and for a key that is unknown, expired or
 * revoked; `failed` hears of writes of last_used_at that failed, which refuse nobody.
 */
export function authenticator(
  documents: Documents,
  clock: Clock,
  failed: (error: unknown) => void = () => {},
): (authorization: string | undefined) => Promise<Actor> {
  const cache = new Map<string, Known>()
  const touched = new Map<string, number>()
  const workspaceOf = workspaceReader(documents)

  async function lookUp(hash: string): Promise<Known | undefined> {
    const at = clock.elapsed()
    const key = await validKey(documents, hash, instant(clock))
    const workspace = key && (await workspaceOf(key.workspace))
    if (!workspace || !mayAct(key)) return undefined
    const known = { key, actor: actorOf(key, workspace), at }
    if (cache.size >= mostCached) cache.clear()
    cache.set(hash, known)
    return known
  }

  /** undefined: it is looked up. One that has expired since it was read must take as long as one that is unknown. */
  function cached(hash: string): Known | undefined {
    const known = cache.get(hash)
    if (!known) return undefined
    if (clock.elapsed() - known.at < cachedFor && !hasExpired(known.key, clock.now())) return known
    cache.delete(hash)
    return undefined
  }

  function touch({ id, last_used_at }: Key): void {
    const now = clock.now()
    const last = touched.get(id) ?? (last_used_at === null ? 0 : Date.parse(last_used_at))
    if (now - last < touchEvery) return
    if (touched.size >= mostCached) touched.clear()
    touched.set(id, now)
    documents.update(keys, id, { set: { last_used_at: new Date(now).toISOString() } }).catch(failed)
  }

  return async (authorization) => {
    const secret = bearerOf(authorization)
    if (secret === undefined) throw refused()
    const hash = hashOf(secret)
    const known = cached(hash) ?? (await lookUp(hash))
    if (!known) throw refused()
    touch(known.key)
    return known.actor
  }
}

/** The key, if it is neither revoked nor expired. The index tells: of what is not valid no row is read. */
async function validKey(documents: Documents, hash: string, now: string): Promise<Key | undefined> {
  const [lasting, expiring] = await Promise.all(
    [null, { gt: now }].map((expires_at) =>
      documents.find(keys, { where: { hash, revoked_at: null, expires_at }, limit: 1 }),
    ),
  )
  return lasting?.[0] ?? expiring?.[0]
}

/** A key that another version made, or that came by a backup, may have a name that is the service's own. */
function mayAct({ user }: Key): boolean {
  return user === null || !isReserved(user)
}

/** The scheme's name in any case, one space or more, one token and nothing else (RFC 6750). */
function bearerOf(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  return token !== undefined && secretPattern.test(token) ? token : undefined
}

function hasExpired({ expires_at }: Key, now: number): boolean {
  return expires_at !== null && now >= Date.parse(expires_at)
}

function actorOf(key: Key, workspace: Workspace): Actor {
  return Object.freeze({
    workspace: workspace.id,
    workspaceType: workspace.type,
    credential: key.id,
    user: key.user ?? userOfKey(key.id),
    teams: key.teams,
    scopes: key.scopes,
  })
}

function refused() {
  return problem('authentication_required', 'Send `Authorization: Bearer <key>` with a key that is in force.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="precedent"' },
  })
}
