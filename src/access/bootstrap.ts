/**
 * Creates the workspace and the admin key at the first start. `precedent keys recover` creates another key if all are
 * lost.
 */
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { type Scope, scopes, type WorkspaceType } from './actor.ts'
import { type Key, keys } from './keys.ts'
import { hashOf, newSecret } from './secret.ts'
import { firstWorkspace, workspaces } from './workspaces.ts'

const firstKey = '00000000-0000-7000-8000-000000000002'

export interface Bootstrap {
  documents: Documents
  clock: Clock
  workspaceType: WorkspaceType
  /** PRECEDENT_BOOTSTRAP_KEY. Used only if the store has no key yet. */
  secret?: string | undefined
  /** false: without `secret`, creates only the workspace. A later start makes the key, and shows it. */
  generate?: boolean
}

/**
 * Returns the secret of the first admin key if this call created it, otherwise undefined. Safe to call at every start
 * and by several processes at once: both documents have fixed ids, so only one insert succeeds. `generated`: the secret
 * must be shown. A configured one is known already.
 */
export async function bootstrap({
  documents,
  clock,
  workspaceType,
  secret,
  generate = true,
}: Bootstrap): Promise<{ secret: string; generated: boolean } | undefined> {
  const created_at = instant(clock)
  await documents.insert(workspaces, { id: firstWorkspace, name: 'default', type: workspaceType, created_at })
  if (secret === undefined && !generate) return undefined
  // a revoked key still exists, so a restart never restores access
  if (await documents.get(keys, firstKey, ['id'])) return undefined
  const made = secret ?? newSecret()
  if (!(await documents.insert(keys, adminKey(firstKey, 'first start', made, created_at)))) return undefined
  return { secret: made, generated: secret === undefined }
}

/** The configured bootstrap key has no effect: the store had keys before it was set, or this key was revoked. */
export async function isIgnored(documents: Documents, secret: string): Promise<boolean> {
  const inForce = await documents.find(keys, { where: { hash: hashOf(secret), revoked_at: null }, limit: 1 })
  return inForce.length === 0
}

/** Creates an admin key in the first workspace and returns its secret. It needs access to the store, but no key. */
export async function recover(documents: Documents, clock: Clock): Promise<{ id: string; secret: string }> {
  const secret = newSecret()
  const id = clock.id()
  const created_at = instant(clock)
  await documents.insert(workspaces, { id: firstWorkspace, name: 'default', type: 'company', created_at })
  if (!(await documents.insert(keys, adminKey(id, 'recovered', secret, created_at)))) {
    throw new Error('could not store the recovered key: run the command again')
  }
  return { id, secret }
}

function adminKey(id: string, name: string, secret: string, created_at: string): Key {
  return {
    id,
    workspace: firstWorkspace,
    name,
    hash: hashOf(secret),
    scopes: [...scopes] satisfies Scope[],
    user: null,
    teams: [],
    created_at,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  }
}
