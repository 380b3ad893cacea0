/**
 * The key of `precedent mcp` for a data directory of its own machine. The secret is in a file that only the user of the
 * service may read. Such a user can read the whole store anyway.
 */
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { isReserved, type Scope } from './actor.ts'
import { keys, userPattern } from './keys.ts'
import { hashOf } from './secret.ts'
import { firstWorkspace } from './workspaces.ts'

/** What an agent does. It manages no keys, and approves no plans. */
const scopesOfAgents: readonly Scope[] = [
  'context:read',
  'context:write',
  'tasks:read',
  'tasks:write',
  'tasks:run',
  'repos:read',
]

export interface LocalKey {
  secret: string
  /** The user of the operating system. Private records belong to the user of this name. */
  user: string | undefined
}

/**
 * Makes the key valid, unless it was revoked: false. Safe to call at every start, and by several processes at once. A
 * key of an earlier version gets the scopes of this one.
 */
export async function admitLocalKey(documents: Documents, clock: Clock, { secret, user }: LocalKey): Promise<boolean> {
  const hash = hashOf(secret)
  const scopes = [...scopesOfAgents]
  const isUsable = user !== undefined && userPattern.test(user) && !isReserved(user)
  await documents.insert(keys, {
    id: clock.id(),
    workspace: firstWorkspace,
    name: 'precedent mcp on this machine',
    hash,
    scopes,
    user: isUsable ? user : null,
    teams: [],
    created_at: instant(clock),
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  })
  // if the hash was there, nothing was inserted
  const [key] = await documents.find(keys, { where: { hash, revoked_at: null }, limit: 1 })
  if (key === undefined) return false
  if (key.scopes.join() !== scopes.join()) await documents.update(keys, key.id, { set: { scopes } })
  return true
}
