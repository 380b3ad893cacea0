/** The caller of a request: workspace, credential, user, teams and scopes (SEMANTICS 2). */
import type { Audience, WorkspaceId } from '../ids.ts'
import { problem } from '../problem.ts'

export const scopes = [
  'context:read',
  'context:write',
  'tasks:read',
  'tasks:write',
  'tasks:run',
  'tasks:approve',
  'repos:read',
  'admin',
] as const
export type Scope = (typeof scopes)[number]

export type WorkspaceType = 'personal' | 'company'

export interface Actor {
  workspace: WorkspaceId
  workspaceType: WorkspaceType
  /** The id of the key. */
  credential: string
  /** The user of the key; `key:<id>` if it has none. */
  user: string
  teams: readonly string[]
  scopes: readonly Scope[]
  /** The key was made for a session of a run. It can't approve plans. */
  isSession?: true
}

/** The audiences whose records the actor may see. */
export function audiencesOf(actor: Pick<Actor, 'user' | 'teams'>): Audience[] {
  return ['workspace', `user:${actor.user}`, ...actor.teams.map((team): Audience => `team:${team}`)]
}

/** The service acting in a workspace. A key can't act as it: isReserved refuses its name. */
export function serviceActor(part: ServicePart, workspace: WorkspaceId, type: WorkspaceType): Actor {
  return {
    workspace,
    workspaceType: type,
    credential: part,
    user: userOfService(part),
    teams: [],
    scopes: ['admin'],
  }
}

/** Throws insufficient_scope with the missing scope. */
export function requireScope(actor: Pick<Actor, 'scopes'>, scope: Scope): void {
  if (actor.scopes.includes(scope)) return
  throw problem('insufficient_scope', `This call needs a credential with the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}

/** Parts of the service that make writes of their own. */
export const serviceParts = ['maintain', 'compare', 'run'] as const
export type ServicePart = (typeof serviceParts)[number]

const ofKeys = 'key:'
const ofService = 'precedent:'
/** Prefixes that a key's user must not have: it would act as another key, or as the service. */
export const reservedPrefixes: readonly string[] = [ofKeys, ofService]

/** The user name of a key that has no user. */
export function userOfKey(id: string): string {
  return `${ofKeys}${id}`
}

export function userOfService(part: ServicePart): string {
  return `${ofService}${part}`
}

/**
 * Whether a name is reserved, or looks like a reserved one: in other case, in compatibility forms, or with invisible
 * characters.
 */
export function isReserved(user: string): boolean {
  const plain = user
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase()
  return reservedPrefixes.some((prefix) => plain.startsWith(prefix))
}
