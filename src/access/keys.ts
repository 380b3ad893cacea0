/** Keys: made, listed, revoked, recovered. A key is shown once and kept as SHA-256. */
import type { Actor, Scope } from './actor.ts'

export interface KeyRequest {
  name: string
  scopes: Scope[]
  user?: string
  teams?: string[]
  workspace?: string
  expires_at?: string
}

/** A key as it is shown: never its secret. */
export interface KeyShown {
  id: string
  name: string
  workspace: string
  user: string | null
  teams: string[]
  scopes: Scope[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export interface Keys {
  create(by: Actor, request: KeyRequest): Promise<KeyShown & { key: string }>
  list(by: Actor): Promise<KeyShown[]>
  /** false: there is none with this id in the actor's workspace. */
  revoke(by: Actor, id: string): Promise<boolean>
}
