/** Turns a record into a line of an export: the fields that an import sends, and the id of the record in this store. */
import { decisionBounds } from '../../decisions/input.ts'
import type { OutcomeResponse } from '../../records/present/outcomes.ts'
import { cut, titleFrom } from '../../records/title.ts'
import type { GetTaskOutput } from '../../tasks/schema.ts'
import { mostItems } from '../../validation/schema.ts'
import { partsOf } from './outcomes.ts'

/** A decision as decision.search and decision.get return it: only the fields that a line holds. */
export interface DecisionResponse {
  id: string
  title: string
  judgment: string
  context: string
  context_parts?: object
  decided_at: string
  rationale?: string
  consequences?: string
  category?: string
  significance?: string
  surface?: string
  supersession_reason?: string
  status: string
  /** Set if there are revisions other than the one shown. */
  history?: string
  external_id?: string
  decided_by: string[]
  entities: unknown[]
  sources: unknown[]
  supersedes: string[]
  pending_supersedes?: { id: string; at?: string; reason?: string }[]
  prior_positions?: { supersession_reason?: string }[]
  visibility: unknown
  /** Of the leading outcome, if it has outcomes. */
  outcome_status?: string
}

/** One revision as decision.get returns it. */
export interface RevisionResponse {
  title: string
  judgment: string
  context: string
  rationale?: string
  consequences?: string
  status: string
  decided_at: string
  shown: boolean
}

export interface MemoryResponse {
  id: string
  kind: string
  title: string
  content: string
  topics: string[]
  occurred_at: string
  visibility: unknown
  sources: unknown[]
  corrects_memory_id?: string
  superseded_by: { type: string; id?: string }[]
}

export type Line = { kind: 'decision' | 'memory' | 'task'; id: string } & Record<string, unknown>

/** Every imported line needs an external_id. If the record has none, its id in this store becomes one. */
export function externalIdOf({ id, external_id }: { id: string; external_id?: string }): string {
  return external_id ?? `${madeFromId}${id}`
}

export const madeFromId = 'precedent:'

/** One decision that another one supersedes, or will. */
export interface Supersession {
  /** An external id. */
  target: string
  /** in_effect and planned: `at` is the instant. on_hold: its decision is not accepted. */
  state: 'in_effect' | 'planned' | 'on_hold'
  at?: string | undefined
  reason?: string | undefined
}

function decisionLine(decision: DecisionResponse, supersessions: readonly Supersession[]): Line {
  const { context, context_parts } = decision
  return filled({
    kind: 'decision',
    id: decision.id,
    external_id: externalIdOf(decision),
    title: decision.title,
    status: decision.status,
    decided_at: decision.decided_at,
    decided_by: decision.decided_by,
    judgment: decision.judgment,
    context: context_parts ?? context,
    rationale: decision.rationale,
    consequences: decision.consequences,
    category: decision.category,
    significance: decision.significance,
    surface: decision.surface,
    entities: decision.entities,
    sources: decision.sources,
    ...supersedesOf(supersessions, decision.supersession_reason),
    visibility: decision.visibility,
  })
}

/** Sorted by what is superseded, so that the line stays the same when a planned supersession takes effect. */
function supersedesOf(supersessions: readonly Supersession[], own?: string) {
  const reasons = new Set(supersessions.flatMap(({ reason }) => reason ?? []))
  // a line can name no more. Without those in effect, what they ended would be in force again
  const inEffectFirst = [...supersessions].sort((a, b) => rankOf(a) - rankOf(b)).map(({ target }) => target)
  const joined = cut([...reasons].sort().join('\n'), decisionBounds.supersessionReason)
  return {
    supersedes: [...new Set(inEffectFirst)].slice(0, mostItems).sort(),
    supersession_reason: own ?? joined,
  }
}

const rankOf = ({ state }: Supersession) => (state === 'in_effect' ? 0 : 1)

/** Usually one line. If the outcomes are too long for one line, the others repeat the decision with further outcomes. */
export function decisionLines(
  decision: DecisionResponse,
  supersessions: readonly Supersession[],
  outcomes: readonly OutcomeResponse[],
): Line[] {
  const line = decisionLine(decision, supersessions)
  return outcomes.length === 0 ? [line] : partsOf(outcomes).map((some) => ({ ...line, outcomes: some }))
}

/**
 * All revisions in the order of acceptance. Only the shown revision has all fields; the API returns only texts, status
 * and date of the others. Each supersession is in the line of the revision that gave it its instant, so that it takes
 * effect at the same instant in the store that imports the lines.
 */
export function revisionLines(
  decision: DecisionResponse,
  revisions: readonly RevisionResponse[],
  supersessions: readonly Supersession[],
  outcomes: readonly OutcomeResponse[],
): Line[] {
  const { id, visibility } = decision
  const inOrder = [...revisions].reverse()
  const places = supersessions.map((one) => ({ ...one, revision: revisionOf(one, inOrder) }))
  return inOrder.flatMap((one) => {
    const own = places.filter(({ revision }) => revision === one)
    if (one.shown) return decisionLines(decision, own, outcomes)
    const { title, status, decided_at, judgment, context, rationale, consequences } = one
    const external_id = externalIdOf(decision)
    const texts = { title, status, decided_at, judgment, context, rationale, consequences }
    return filled({ kind: 'decision', id, external_id, ...texts, ...supersedesOf(own), visibility })
  })
}

/** undefined: no revision in this list is late enough. In another one it would take effect too early. */
function revisionOf({ state, at = '' }: Supersession, inOrder: readonly RevisionResponse[]) {
  const isDecided = ({ status }: RevisionResponse) => status === 'accepted' || status === 'deprecated'
  if (state === 'on_hold') return inOrder.findLast((one) => !isDecided(one))
  const decided = inOrder.filter(isDecided)
  const same = decided.findLast(({ decided_at }) => decided_at === at)
  if (same) return same
  return state === 'planned'
    ? decided.findLast(({ decided_at }) => decided_at > at)
    : inOrder.find(({ shown }) => shown)
}

/** The most sources and topics of one write. A memory that was confirmed may have more (specification 4). */
const mostSources = 50
const mostTopics = 30

/** Usually one line. If there are more sources or topics than one write may have, further lines repeat the text. */
export function memoryLines(memory: MemoryResponse): Line[] {
  const { id, kind, title, content, topics, occurred_at, sources, corrects_memory_id, visibility } = memory
  const lines = Math.max(1, Math.ceil(sources.length / mostSources), Math.ceil(topics.length / mostTopics))
  return Array.from({ length: lines }, (_, at) =>
    filled({
      kind: 'memory',
      id,
      memory_kind: kind,
      // the import makes this title again from the content
      title: title === titleFrom(content) ? undefined : title,
      content,
      topics: topics.slice(at * mostTopics, (at + 1) * mostTopics),
      occurred_at,
      sources: sources.slice(at * mostSources, (at + 1) * mostSources),
      corrects_memory_id,
      visibility,
    }),
  )
}

/** All fields: null tells an import to clear a field of the task that is there already. */
export function taskLine(task: GetTaskOutput, externalIdOfDecision: (id: string) => string): Line {
  const { id, name, description, status, priority, assignees, project, labels, start_at, due_at, parent_id } = task
  const { repo_full_name, decision_ids, inbox_status, visibility } = task
  // without the mode: an import starts no run
  const { mode: _, ...execution } = task.execution
  const fields = { name, description, status, priority, assignees, project, labels, start_at, due_at, parent_id }
  const decisions = decision_ids.map(externalIdOfDecision)
  const whole = {
    ...fields,
    ...{ repo_full_name, decision_ids: decisions, inbox_status, visibility },
    execution: Object.keys(execution).length === 0 ? undefined : execution,
  }
  const values = Object.entries(whole).map(([field, value]) => [field, isFilled(value) ? value : null])
  return { kind: 'task', id, external_id: externalIdOf(task), ...Object.fromEntries(values) }
}

/** Removes empty texts and lists. */
function filled(line: Record<string, unknown>): Line {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => isFilled(value))) as Line
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
