/** The caller of a request: workspace, credential, user, teams and scopes (SEMANTICS 2). */
import type { Audience, WorkspaceId } from '../records/ids.ts'
import { type ServicePart, userOfService } from './user.ts'

export const scopes = [
  'context:read',
  'context:write',
  'tasks:read',
  'tasks:write',
  'tasks:run',
  'repos:read',
  'admin',
] as const
export type Scope = (typeof scopes)[number]

/** Keys may have these, so that they need not be made anew later. No call of this version needs one. */
export const reservedScopes: readonly Scope[] = ['tasks:read', 'tasks:write', 'tasks:run', 'repos:read']

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
}

/** The audiences whose records the actor may see. */
export function audiencesOf(actor: Pick<Actor, 'user' | 'teams'>): Audience[] {
  return ['workspace', `user:${actor.user}`, ...actor.teams.map((team): Audience => `team:${team}`)]
}

/** The service acting in a workspace. No key can act as it (user.ts). */
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
