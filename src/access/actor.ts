/** Who calls: workspace, credential, user, teams, scopes (SEMANTICS 2). */
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
  /** Id of the key. */
  credential: string
  /** The credential's user; of a key without one `key:<id>`. */
  user: string
  teams: readonly string[]
  scopes: readonly Scope[]
}

/** What the actor sees: `audience in` these, and nothing else. */
export function audiencesOf(actor: Pick<Actor, 'user' | 'teams'>): Audience[] {
  return ['workspace', `user:${actor.user}`, ...actor.teams.map((team): Audience => `team:${team}`)]
}

/** The service itself, in one workspace. No key acts as it (user.ts). */
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
