/** Three who see different things: of both teams, of one, of none. */
import type { Actor } from '../../src/access/actor.ts'
import { workspace } from './apply.ts'

export const teams = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'] as const

export const actors: Actor[] = [
  ['ada', [teams[0]]] as const,
  ['ben', [teams[0], teams[1]]] as const,
  ['eve', []] as const,
].map(([user, memberships]) => ({
  workspace,
  workspaceType: 'company',
  credential: `key-of-${user}`,
  user,
  teams: memberships,
  scopes: ['context:read', 'context:write'],
}))

/** All that a write may ask for. */
export const visibilities = [
  { scope: 'workspace' },
  { scope: 'private' },
  { scope: 'team', team_id: teams[0] },
  { scope: 'team', team_id: teams[1] },
] as const
