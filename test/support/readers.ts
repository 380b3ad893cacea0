/** Three readers who see different records: in both teams, in one, and in none. */
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
  scopes: ['context:read', 'context:write', 'tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'],
}))

/** All scopes that a write may need. */
export const visibilities = [
  { scope: 'workspace' },
  { scope: 'private' },
  { scope: 'team', team_id: teams[0] },
  { scope: 'team', team_id: teams[1] },
] as const
