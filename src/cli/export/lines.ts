/** A record as a line of an export: what the import sends to make it again, and the id that it has here. */
import { titleFrom } from '../../records/title.ts'

/** A decision as decision.search and decision.get show it; of its fields those that a line holds. */
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
  /** There are other revisions, before or after the one shown. */
  history?: string
  external_id?: string
  decided_by: string[]
  entities: unknown[]
  sources: unknown[]
  supersedes: string[]
  visibility: unknown
}

/** One revision as decision.get shows it. */
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
}

export type Line = { kind: 'decision' | 'memory'; id: string } & Record<string, unknown>

/** A decision without one is known by its id here; an import needs an external_id. */
export function externalIdOf({ id, external_id }: Pick<DecisionResponse, 'id' | 'external_id'>): string {
  return external_id ?? `${madeFromId}${id}`
}

export const madeFromId = 'precedent:'

/** `supersedes`: external_ids. */
export function decisionLine(decision: DecisionResponse, supersedes: readonly string[]): Line {
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
    supersedes,
    supersession_reason: decision.supersession_reason,
    visibility: decision.visibility,
  })
}

/** All revisions in the order of their acceptance: the one that is shown whole, the others as far as they are shown. */
export function revisionLines(
  decision: DecisionResponse,
  revisions: readonly RevisionResponse[],
  supersedes: readonly string[],
): Line[] {
  const { id, visibility } = decision
  return [...revisions]
    .reverse()
    .map(({ shown, title, status, decided_at, judgment, context, rationale, consequences }) => {
      if (shown) return decisionLine(decision, supersedes)
      const external_id = externalIdOf(decision)
      const texts = { title, status, decided_at, judgment, context, rationale, consequences }
      return filled({ kind: 'decision', id, external_id, ...texts, visibility })
    })
}

/** What one memory may have when it is sent; more come together where it was said again (specification 4). */
const mostSources = 50
const mostTopics = 30

/** One line, or several that say the same: each adds the sources and topics that the ones before had no room for. */
export function memoryLines(memory: MemoryResponse): Line[] {
  const { id, kind, title, content, topics, occurred_at, sources, corrects_memory_id, visibility } = memory
  const lines = Math.max(1, Math.ceil(sources.length / mostSources), Math.ceil(topics.length / mostTopics))
  return Array.from({ length: lines }, (_, at) =>
    filled({
      kind: 'memory',
      id,
      memory_kind: kind,
      // one that was made from the content will be made again
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

/** Without what says nothing: empty texts and lists. */
function filled(line: Record<string, unknown>): Line {
  const says = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(line).filter(([, value]) => says(value))) as Line
}
