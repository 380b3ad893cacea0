/** Whether an actor may call something. */
import { problem } from '../problem.ts'
import type { Actor, Scope } from './actor.ts'

/** Throws insufficient_scope, which names the scope that is missing. */
export function requireScope(actor: Pick<Actor, 'scopes'>, scope: Scope): void {
  if (actor.scopes.includes(scope)) return
  throw problem('insufficient_scope', `This call needs a credential with the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
