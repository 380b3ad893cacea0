/** Converts the visibility of a request to the stored audience, and back. */
import { type Actor, userOfKey, type WorkspaceType } from '../access/actor.ts'
import type { Audience } from '../ids.ts'
import { invalid, problem } from '../problem.ts'

export type Visibility = { scope: 'workspace' } | { scope: 'private' } | { scope: 'team'; team_id: string }

/** The visibility of a write that names none: private in a personal workspace, shared in a company workspace. */
export function defaultVisibility(workspaceType: WorkspaceType): Visibility {
  return { scope: workspaceType === 'personal' ? 'private' : 'workspace' }
}

type Writer = Pick<Actor, 'user' | 'teams'> & Partial<Pick<Actor, 'credential' | 'isSession'>>

/** Throws not_found for a team that the caller isn't in, and invalid_request for what nobody could ever read. */
export function audienceFor(visibility: Visibility | undefined, actor: Writer, workspaceType: WorkspaceType): Audience {
  const { scope } = visibility ?? defaultVisibility(workspaceType)
  if (scope === 'workspace') return 'workspace'
  if (scope === 'private') {
    assertReadable(actor)
    return `user:${actor.user}`
  }
  const team = (visibility as { team_id: string }).team_id.toLowerCase()
  if (!actor.teams.includes(team)) throw problem('not_found', 'There is no team with this id that you are in.')
  return `team:${team}`
}

/** The key of a session is deleted with it. If it acts for no user, nobody could read what is private to it. */
function assertReadable({ user, credential, isSession }: Writer): void {
  if (!isSession || credential === undefined || user !== userOfKey(credential)) return
  throw invalid('visibility', 'must be workspace or team: what is private to a session is lost when the session ends')
}

/** Whether everyone who sees the narrower record also sees the other. */
export function areComparable(a: Audience, b: Audience): boolean {
  return a === b || a === 'workspace' || b === 'workspace'
}

/** Whether only one user sees it. */
export function isPrivate({ audience }: { audience: Audience }): boolean {
  return visibilityOf(audience).scope === 'private'
}

export function visibilityOf(audience: Audience): Visibility {
  if (audience === 'workspace') return { scope: 'workspace' }
  if (audience.startsWith('team:')) return { scope: 'team', team_id: audience.slice('team:'.length) }
  return { scope: 'private' }
}
