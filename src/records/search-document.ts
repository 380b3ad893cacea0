/** The search document of a record, and the tags by which filters find it. */
import { inTurns } from '../ports/in-turns.ts'
import type { SearchDocument } from '../ports/search.ts'
import { tokensInPieces } from '../text/analyzer.ts'
import type { Envelope, PrecedentRecord } from './record.ts'
import { taskKeysOf } from './task.ts'

/** `turn` is awaited while a long text is analysed. */
export async function searchDocumentOf(
  record: PrecedentRecord,
  turn: () => Promise<void> = inTurns(),
): Promise<SearchDocument> {
  // an outcome is found as its decision, which has the title
  const title = record.kind === 'outcome' ? '' : record.title
  const tokens: string[] = []
  for (const piece of tokensInPieces({ title, topics: record.topics, text: record.text })) {
    for (const token of piece) tokens.push(token)
    await turn()
  }
  return {
    id: record.id,
    workspace: record.workspace,
    version: record.seq,
    // a tombstone is never found; if the record changes later, the new document has a higher version
    tombstone: record.invalidated_at !== null,
    record_id: record.kind === 'outcome' ? record.body.decision : record.record_id,
    kind: record.kind,
    audience: record.audience,
    title: record.title,
    tokens,
    valid_from: record.valid_from,
    ...(record.kind === 'outcome' && record.mutable.decided_at ? { dated: record.mutable.decided_at } : {}),
    valid_to: record.valid_to,
    status: record.status,
    category: record.category,
    significance: record.significance,
    surface: record.surface,
    entity_types: [...new Set(record.entities.map((entity) => entity.type))],
    tags: tagsIn(record),
  }
}

/** Those of an outcome are those of its decision. No search filters other records by them. */
function tagsIn(record: PrecedentRecord): string[] {
  if (record.kind === 'task') return taskKeysOf(record.mutable)
  if (record.kind === 'decision') return tagsOf(record, record.body.decided_by)
  // outcomes of the first stores lack it until their decision changes
  return record.kind === 'outcome' ? tagsOf(record, record.mutable.decided_by ?? []) : []
}

/** What a tag says of a decision. */
export type TagName =
  | 'category'
  | 'significance'
  | 'surface'
  | 'status'
  | 'entity_type'
  | 'entity'
  | 'decided_by'
  | 'outcome'

export const tagOf = (name: TagName, value: string): string => `${name}:${value}`

type Tagged = Pick<
  Envelope,
  'kind' | 'category' | 'significance' | 'surface' | 'status' | 'entities' | 'outcome_status'
>

/** Lists compute these tags from rows and filter by them. So a filter finds the same records as in a search. */
export function tagsOf(
  { kind, category, significance, surface, status, entities, outcome_status }: Tagged,
  decidedBy: readonly string[],
): string[] {
  const values: [TagName, readonly (string | null | undefined)[]][] = [
    ['category', [category]],
    ['significance', [significance]],
    ['surface', [surface]],
    ['status', [status]],
    ['entity_type', entities.map(({ type }) => type)],
    ['entity', entities.map(({ id }) => id)],
    ['decided_by', decidedBy],
    // null in decisions of the first stores: no outcome could be recorded
    ['outcome', [outcome_status ?? (kind === 'decision' ? 'none' : null)]],
  ]
  const tags = values.flatMap(([name, some]) => some.flatMap((value) => (value ? [tagOf(name, value)] : [])))
  return [...new Set(tags)]
}
