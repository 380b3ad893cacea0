/**
 * Finds the actor of an Authorization header. A refusal does not reveal whether a key exists: every refused request
 * gets the same text, runs the same queries without a result, and leaves nothing in the cache.
 */
import { LRUCache } from 'lru-cache'
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { problem } from '../problem.ts'
import type { Actor } from './actor.ts'
import { isReserved, userOfKey } from './actor.ts'
import { type Key, keys } from './keys.ts'
import { hashOf, secretPattern, sessionSecretPattern } from './secret.ts'
import { type SessionKey, sessionActor, sessionKeys } from './session-keys.ts'
import { type Workspace, workspaceReader } from './workspaces.ts'

/** ms. A revoked key stops working within this time, in every process. */
const cachedFor = 5_000
/** The most credentials in the cache. */
const mostCached = 10_000
/** ms. `last_used_at` of a key is written at most this often. */
const touchEvery = 60_000

interface Known {
  /** undefined: the key of a session, whose last use is not noted. */
  key: Key | undefined
  expires_at: string | null
  actor: Actor
  /** When the key was read, by `clock.elapsed`. */
  at: number
}

/**
 * Throws authentication_required if the header is missing or malformed, or if the key is unknown, expired or revoked.
 * `failed` is called if a write of last_used_at fails; the request goes on. `againIn`: ms until the caller asks again.
 * A cached key must not be too old by then.
 */
export function authenticator(
  documents: Documents,
  clock: Clock,
  failed: (error: unknown) => void = () => {},
): (authorization: string | undefined, againIn?: number) => Promise<Actor> {
  const cache = new LRUCache<string, Known>({ max: mostCached })
  /** Requests that come while a key is looked up share the answer: many streams of a key check it at the same time. */
  const lookingUp = new Map<string, { at: number; found: Promise<Known | undefined> }>()
  const touched = new LRUCache<string, number>({ max: mostCached })
  const workspaceOf = workspaceReader(documents)

  function lookUp(secret: string, hash: string): Promise<Known | undefined> {
    const at = clock.elapsed()
    const before = lookingUp.get(hash)
    if (before && at - before.at < cachedFor) return before.found
    const found = read(secret, hash, at).finally(() => {
      if (lookingUp.get(hash)?.found === found) lookingUp.delete(hash)
    })
    lookingUp.set(hash, { at, found })
    return found
  }

  async function read(secret: string, hash: string, at: number): Promise<Known | undefined> {
    const found = await (sessionSecretPattern.test(secret) ? ofSession(hash) : ofKey(hash))
    if (!found) return undefined
    const known = { ...found, at }
    cache.set(hash, known)
    return known
  }

  async function ofKey(hash: string): Promise<Omit<Known, 'at'> | undefined> {
    const key = await validKey(documents, hash, instant(clock))
    const workspace = key && (await workspaceOf(key.workspace))
    if (!workspace || !mayAct(key)) return undefined
    return { key, expires_at: key.expires_at, actor: actorOf(key, workspace) }
  }

  async function ofSession(hash: string): Promise<Omit<Known, 'at'> | undefined> {
    const key = await validSessionKey(documents, hash, instant(clock))
    const workspace = key && (await workspaceOf(key.workspace))
    if (!workspace) return undefined
    return { key: undefined, expires_at: key.expires_at, actor: Object.freeze(sessionActor(key, workspace.type)) }
  }

  /**
   * undefined: the key must be looked up. An expired key in the cache is looked up too, so that it takes as long as an
   * unknown one.
   */
  function cached(hash: string, freshFor: number): Known | undefined {
    const known = cache.get(hash)
    if (!known) return undefined
    if (clock.elapsed() - known.at < freshFor && !hasExpired(known, clock.now())) return known
    cache.delete(hash)
    return undefined
  }

  function touch({ id, last_used_at }: Key): void {
    const now = clock.now()
    const last = touched.get(id) ?? (last_used_at === null ? 0 : Date.parse(last_used_at))
    if (now - last < touchEvery) return
    touched.set(id, now)
    documents.update(keys, id, { set: { last_used_at: new Date(now).toISOString() } }).catch(failed)
  }

  return async (authorization, againIn = 0) => {
    const secret = bearerOf(authorization)
    if (secret === undefined) throw refused()
    const hash = hashOf(secret)
    const known = cached(hash, cachedFor - againIn) ?? (await lookUp(secret, hash))
    if (!known) throw refused()
    if (known.key) touch(known.key)
    return known.actor
  }
}

/**
 * The key, if it is neither revoked nor expired. The conditions are in the index, so no row of an invalid key is read.
 */
async function validKey(documents: Documents, hash: string, now: string): Promise<Key | undefined> {
  const [lasting, expiring] = await Promise.all(
    [null, { gt: now }].map((expires_at) =>
      documents.find(keys, { where: { hash, revoked_at: null, expires_at }, limit: 1 }),
    ),
  )
  return lasting?.[0] ?? expiring?.[0]
}

/** The same two queries as for other keys, so that both kinds of keys are refused alike. */
async function validSessionKey(documents: Documents, hash: string, now: string): Promise<SessionKey | undefined> {
  const [endless, expiring] = await Promise.all(
    [null, { gt: now }].map((expires_at) => documents.find(sessionKeys, { where: { hash, expires_at }, limit: 1 })),
  )
  return endless?.[0] ?? expiring?.[0]
}

/** A key from another version or from a backup may have a user name that is reserved for the service. */
function mayAct({ user }: Key): boolean {
  return user === null || !isReserved(user)
}

/** The scheme `Bearer` in any case, one or more spaces, and a single token (RFC 6750). */
function bearerOf(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  const isSecret = token !== undefined && (secretPattern.test(token) || sessionSecretPattern.test(token))
  return isSecret ? token : undefined
}

function hasExpired({ expires_at }: Known, now: number): boolean {
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
  return problem('authentication_required', 'Send `Authorization: Bearer <key>` with a valid key.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="precedent"' },
  })
}
