/** Creates, lists and revokes keys. A key is shown once and stored as SHA-256. */
import { z } from 'zod'
import { uuidPattern, type WorkspaceId } from '../ids.ts'
import { type Clock, instant } from '../ports/clock.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import { invalid, problem } from '../problem.ts'
import { refuseSecret } from '../secrets/find.ts'
import { atMost } from '../validation/schema.ts'
import { validated } from '../validation/validated.ts'
import { type Actor, isReserved, requireScope, reservedPrefixes, type Scope, scopes } from './actor.ts'
import { hashOf, newSecret } from './secret.ts'
import { firstWorkspace, workspaces } from './workspaces.ts'

/** As stored. */
export interface Key {
  id: string
  workspace: WorkspaceId
  name: string
  hash: string
  scopes: Scope[]
  user: string | null
  teams: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export const keys: Collection<Key> = {
  name: 'keys',
  fields: {
    id: 'string',
    workspace: 'string',
    name: 'string',
    hash: 'string',
    scopes: 'json',
    user: 'string',
    teams: 'json',
    created_at: 'string',
    expires_at: 'string',
    last_used_at: 'string',
    revoked_at: 'string',
  },
  unique: [['hash']],
  indexes: [
    ['workspace', 'id'],
    // authenticate: revoked and expired keys are not found, just like unknown ones
    ['hash', 'revoked_at', 'expires_at'],
  ],
}

/** The most keys of a workspace, including revoked ones, so that one response can list them all. */
export const mostKeys = 10_000

/** The id of a user in the caller's own system. */
export const userPattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+:|/-]{0,199}$/u

export const keyRequest = z.strictObject({
  name: z.string().trim().min(1).max(300).describe('What the key is for; shown in lists.'),
  scopes: atMost(scopes.length, z.array(z.enum(scopes)).min(1)).describe('What it may do.'),
  user: z
    .string()
    // not regex(): it would show the pattern in OpenAPI, and generators such as Python's can't compile \p{L}
    .refine((user) => userPattern.test(user), {
      error: 'must be 1 to 200 letters, digits and . _ @ + : | / -, and begin with a letter or digit',
    })
    .meta({ minLength: 1, maxLength: 200 })
    .refine((user) => !isReserved(user), {
      error: `must not begin with ${reservedPrefixes.join(' or ')}, which names keys and the service itself: choose another name`,
    })
    .optional()
    .describe(
      'The user that it acts as: it sees what is private to this user. Letters, digits and . _ @ + : | / -, beginning with a letter or digit. Without a user, the key has a private audience of its own.',
    ),
  teams: z
    .array(z.string().regex(uuidPattern, 'must be a UUID'))
    .max(50)
    .optional()
    .describe('Teams (uuids) whose records it sees.'),
  workspace: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The workspace of the new key. Left out: your own. Only admins of the first workspace may name another.'),
  expires_at: z.iso.datetime().optional().describe('The key is refused from this instant on.'),
})

/** A key as shown to admins, without its secret. */
export const keyResponse = z.strictObject({
  id: z.string(),
  name: z.string(),
  workspace: z.string(),
  user: z.string().nullable(),
  teams: z.array(z.string()),
  scopes: z.array(z.enum(scopes)),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
})
export type KeyResponse = z.infer<typeof keyResponse>

/** The only response with a secret. */
export const keyMade = keyResponse.extend({ key: z.string().describe('The secret, shown this once.') })
export type KeyMade = z.infer<typeof keyMade>

export interface Keys {
  /** Throws insufficient_scope, invalid_request, or not_found if the workspace does not exist or belongs to others. */
  create(by: Actor, request: unknown): Promise<KeyMade>
  /** All of the actor's workspace, newest first. */
  list(by: Actor): Promise<KeyResponse[]>
  /** false: the actor's workspace has no key with this id. Revoking a key again changes nothing. */
  revoke(by: Actor, id: string): Promise<boolean>
}

export function keysIn(documents: Documents, clock: Clock): Keys {
  return {
    async create(by, request) {
      requireScope(by, 'admin')
      const wanted = validated(keyRequest, request)
      await refuseSecret('name', wanted.name)
      if (wanted.user !== undefined) await refuseSecret('user', wanted.user)
      const now = instant(clock)
      const expires = wanted.expires_at === undefined ? null : new Date(wanted.expires_at).toISOString()
      if (expires !== null && expires <= now) throw invalid('expires_at', 'is in the past: give a later instant')
      const workspace = await workspaceFor(documents, by, wanted.workspace)
      const there = await documents.count(keys, { where: { workspace }, upTo: mostKeys })
      if (there >= mostKeys) throw invalid('workspace', `already has ${mostKeys} keys, which is the maximum`)
      return makeKey(documents, clock, { ...wanted, expires_at: expires }, workspace)
    },

    async list(by) {
      requireScope(by, 'admin')
      const found = await documents.find(keys, {
        where: { workspace: by.workspace },
        sort: [['id', 'desc']],
        limit: mostKeys,
      })
      return found.map(responseOf)
    },

    async revoke(by, id) {
      requireScope(by, 'admin')
      const mine = { workspace: by.workspace }
      if (await documents.update(keys, id, { set: { revoked_at: instant(clock) } }, { ...mine, revoked_at: null })) {
        return true
      }
      return (await documents.get(keys, id, ['id'], mine)) !== undefined
    },
  }
}

/** What this key may do now. undefined: it was revoked, has expired, or is no key of the workspace. */
export async function scopesOfKey(
  documents: Documents,
  clock: Clock,
  { id, workspace }: Pick<Key, 'id' | 'workspace'>,
): Promise<readonly Scope[] | undefined> {
  const key = await documents.get(keys, id, ['scopes', 'expires_at'], { workspace, revoked_at: null })
  const isValid = key !== undefined && (key.expires_at === null || key.expires_at > instant(clock))
  return isValid ? key.scopes : undefined
}

/** The same error for a workspace of others and for one that does not exist. */
async function workspaceFor(documents: Documents, by: Actor, wanted: string | undefined): Promise<WorkspaceId> {
  if (wanted === undefined || wanted === by.workspace) return by.workspace
  const found = by.workspace === firstWorkspace ? await documents.get(workspaces, wanted, ['id']) : undefined
  if (!found) throw problem('not_found', 'There is no workspace with this id that you can create keys for.')
  return wanted as WorkspaceId
}

type Wanted = Pick<Key, 'name' | 'scopes' | 'expires_at'> & { user?: string | undefined; teams?: string[] | undefined }

async function makeKey(documents: Documents, clock: Clock, wanted: Wanted, workspace: WorkspaceId): Promise<KeyMade> {
  const secret = newSecret()
  const key: Key = {
    id: clock.id(),
    workspace,
    name: wanted.name,
    hash: hashOf(secret),
    scopes: [...new Set(wanted.scopes)],
    user: wanted.user ?? null,
    teams: [...new Set((wanted.teams ?? []).map((team) => team.toLowerCase()))],
    created_at: instant(clock),
    expires_at: wanted.expires_at,
    last_used_at: null,
    revoked_at: null,
  }
  if (!(await documents.insert(keys, key))) throw problem('unavailable', 'The key could not be created. Try again.')
  return { ...responseOf(key), key: secret }
}

function responseOf({ hash: _, ...key }: Key): KeyResponse {
  return key
}
