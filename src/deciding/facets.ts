/**
 * What filters look at of a decision. Its outcomes copy it, so that a search under filters finds a decision by the notes of
 * an outcome as well. They follow each change of it in the same entry.
 */
import type { DecisionBody, OutcomeMutable } from '../records/body.ts'
import type { ChangedFields, Envelope } from '../records/record.ts'
import type { RowUpdate } from './outcome.ts'
import type { StateAtHead } from './state-at-head.ts'

/** Of a decision these outcomes follow: those observed last. A bound, because each change of the decision writes them. */
export const mostFollowing = 50

const copied = ['status', 'category', 'significance', 'surface', 'entities', 'outcome_status', 'valid_to'] as const
type Facets = Pick<Envelope, (typeof copied)[number]>
type Decision = Facets & Pick<Envelope, 'kind' | 'record_id' | 'audience' | 'valid_from'>

/** For a new outcome of a decision. */
export function facetsOf(decision: Decision, { decided_by }: Pick<DecisionBody, 'decided_by'>) {
  return { ...pick(decision), mutable: { decided_by, decided_at: decision.valid_from } }
}

function pick({ status, category, significance, surface, entities, outcome_status, valid_to }: Facets): Facets {
  return { status, category, significance, surface, entities, outcome_status, valid_to }
}

/** The changes of outcomes. `decision`: its current revision after its change. `body`: if another revision is current. */
export async function followingOutcomes(
  state: StateAtHead,
  decision: Decision,
  at: string,
  body?: Pick<DecisionBody, 'decided_by'>,
): Promise<RowUpdate[]> {
  if (decision.kind !== 'decision' || (decision.outcome_status ?? 'none') === 'none') return []
  const changed: RowUpdate[] = []
  for (const outcome of await state.outcomesOf(decision)) {
    const set = { ...differing(outcome, decision), ...(body ? mutableAfter(outcome.mutable, decision, body) : {}) }
    if (Object.keys(set).length > 0) changed.push({ id: outcome.id, set: { ...set, updated_at: at } })
  }
  return changed
}

/** Only the fields that differ, so that a change adds little to the journal. */
function differing(before: Facets, after: Facets): Partial<Facets> {
  const fields = copied.filter((field) => !isEqual(before[field], after[field]))
  return Object.fromEntries(fields.map((field) => [field, after[field]]))
}

function mutableAfter(
  before: OutcomeMutable,
  { valid_from: decided_at }: Decision,
  { decided_by }: Pick<DecisionBody, 'decided_by'>,
): Pick<ChangedFields, 'mutable'> {
  const mutable = { ...before, decided_by, decided_at }
  return isEqual(before, mutable) ? {} : { mutable }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
