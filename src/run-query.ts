/** Running a query: scope, validation, run. */
import type { Actor } from './access/actor.ts'
import { requireScope } from './access/scope.ts'
import type { Query, Reads } from './operation.ts'
import { validated } from './records/validated.ts'

/** Throws Problems. */
export async function runQuery<Input, Output>(
  reads: Reads,
  query: Query<Input, Output>,
  actor: Actor,
  input: unknown,
): Promise<Output> {
  if (query.scope !== null) requireScope(actor, query.scope)
  return query.run({ input: validated(query.input, input), actor, reads })
}
