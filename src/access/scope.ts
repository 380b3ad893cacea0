/** Checks the scopes of an actor. */
import { problem } from '../problem.ts'
import type { Actor, Scope } from './actor.ts'

/** Throws insufficient_scope with the missing scope. */
export function requireScope(actor: Pick<Actor, 'scopes'>, scope: Scope): void {
  if (actor.scopes.includes(scope)) return
  throw problem('insufficient_scope', `This call needs a credential with the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
