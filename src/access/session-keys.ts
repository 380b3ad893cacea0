/**
 * The keys of sessions: with it an executor calls this service while it carries out a run. The worker that begins a
 * session makes its key. Whoever ends the session, or takes the run from it, deletes the key.
 */
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import type { Actor, Scope, WorkspaceType } from './actor.ts'
import { userOfKey } from './actor.ts'
import { hashOf, newSecret, sessionPrefix } from './secret.ts'

export interface SessionKey {
  /** Of the session. It is also the credential in what the session writes. */
  id: string
  workspace: WorkspaceId
  hash: string
  run: RecordId
  fence: number
  /** null: `key:<id>`, which sees nothing that is private. */
  user: string | null
  teams: string[]
  scopes: Scope[]
  /** Never null. It bounds the life of a key whose worker died before it deleted it. */
  expires_at: string
}

export const sessionKeys: Collection<SessionKey> = {
  name: 'session_keys',
  fields: {
    id: 'string',
    workspace: 'string',
    hash: 'string',
    run: 'string',
    fence: 'integer',
    user: 'string',
    teams: 'json',
    scopes: 'json',
    expires_at: 'string',
  },
  unique: [['hash']],
  indexes: [['hash', 'expires_at'], ['id']],
}

export interface NewSessionKey extends Pick<SessionKey, 'id' | 'workspace' | 'run' | 'fence' | 'expires_at'> {
  /** Of the task. The key sees what everyone who sees the task sees. */
  audience: Audience
  /** What the operator allows the executor. */
  executor: readonly Scope[]
  /** What the credential that started the run may do now. */
  requester: readonly Scope[]
}

/** Returns its secret. */
export async function makeSessionKey(documents: Documents, key: NewSessionKey): Promise<string> {
  const { audience, executor, requester, ...rest } = key
  const secret = newSecret(sessionPrefix)
  const made = { ...rest, ...seenBy(audience), scopes: sharedScopes(executor, requester), hash: hashOf(secret) }
  // an attempt before may have stored a key whose answer was lost: nobody knows its secret
  await documents.delete(sessionKeys, [key.id])
  await documents.insert(sessionKeys, made)
  return secret
}

export async function deleteSessionKeys(documents: Documents, ids: readonly string[]): Promise<void> {
  await documents.delete(sessionKeys, ids)
}

export function sessionActor(key: SessionKey, type: WorkspaceType): Actor {
  return {
    workspace: key.workspace,
    workspaceType: type,
    credential: key.id,
    user: key.user ?? userOfKey(key.id),
    teams: key.teams,
    scopes: key.scopes,
    isSession: true,
  }
}

/** A session neither starts, approves nor administers anything, whatever its requester may do. */
const neverOfSessions: readonly Scope[] = ['tasks:run', 'tasks:approve', 'admin']

export function sharedScopes(executor: readonly Scope[], requester: readonly Scope[]): Scope[] {
  return executor.filter((scope) => requester.includes(scope) && !neverOfSessions.includes(scope))
}

/** Of a private task only the user, of a team's task the team, and of other tasks what all see. */
export function seenBy(audience: Audience): Pick<SessionKey, 'user' | 'teams'> {
  if (audience.startsWith('user:')) return { user: audience.slice('user:'.length), teams: [] }
  if (audience.startsWith('team:')) return { user: null, teams: [audience.slice('team:'.length)] }
  return { user: null, teams: [] }
}
