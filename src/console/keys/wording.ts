import type { Key } from '../service/service.ts'

export type Scope = Key['scopes'][number]

/** What each scope lets a key do. */
export const scopesTold: Record<Scope, string> = {
  'context:read': 'read the brief, search, records, questions and changes',
  'context:write': 'record memories and decisions, answer questions',
  'tasks:read': 'read tasks and their runs',
  'tasks:write': 'create and change tasks',
  'tasks:run': 'start and cancel runs',
  'tasks:approve': 'approve the plans of runs',
  'repos:read': 'read connected repositories',
  admin: 'create and revoke keys, rebuild indexes',
}

export type Standing = 'valid' | 'expired' | 'revoked'

export function standingOf({ revoked_at, expires_at }: Key, now: string): Standing {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid'
}
