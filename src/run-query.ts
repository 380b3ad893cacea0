/** Running a query, and opening a stream: scope, validation, run. */
import { type Actor, requireScope } from './access/actor.ts'
import type { EventStream, Query, Reads, StreamEvent } from './operation.ts'
import { validated } from './validation/validated.ts'

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

/** Throws Problems. */
export async function openStream<Input>(
  reads: Reads,
  stream: EventStream<Input>,
  actor: Actor,
  input: unknown,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent> | undefined> {
  if (stream.scope !== null) requireScope(actor, stream.scope)
  return stream.open({ input: validated(stream.input, input), actor, reads, signal })
}
