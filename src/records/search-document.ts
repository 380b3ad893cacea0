/** The search document of a record, and the tags by which filters find it. */
import type { SearchDocument } from '../ports/search.ts'
import { tokensOf } from '../text/analyzer.ts'
import type { Envelope, PrecedentRecord } from './record.ts'
import { taskKeysOf } from './task.ts'

export function searchDocumentOf(record: PrecedentRecord): SearchDocument {
  return {
    id: record.id,
    workspace: record.workspace,
    version: record.seq,
    // a tombstone is never found; if the record changes later, the new document has a higher version
    tombstone: record.invalidated_at !== null,
    // an outcome is found as its decision, which has the title
    record_id: record.kind === 'outcome' ? record.body.decision : record.record_id,
    kind: record.kind,
    audience: record.audience,
    title: record.title,
    tokens: tokensOf({
      title: record.kind === 'outcome' ? '' : record.title,
      topics: record.topics,
      text: record.text,
    }),
    valid_from: record.valid_from,
    valid_to: record.valid_to,
    status: record.status,
    category: record.category,
    significance: record.significance,
    surface: record.surface,
    entity_types: [...new Set(record.entities.map((entity) => entity.type))],
    tags: tagsIn(record),
  }
}

/** No search filters other records by them. */
function tagsIn(record: PrecedentRecord): string[] {
  if (record.kind === 'task') return taskKeysOf(record.mutable)
  return record.kind === 'decision' ? tagsOf(record, record.body.decided_by) : []
}

/** What a tag says of a decision. A filter by outcomes needs one more name here, and its values in tagsOf. */
export type TagName = 'category' | 'significance' | 'surface' | 'status' | 'entity_type' | 'entity' | 'decided_by'

export const tagOf = (name: TagName, value: string): string => `${name}:${value}`

type Tagged = Pick<Envelope, 'category' | 'significance' | 'surface' | 'status' | 'entities'>

/** Lists filter by the same tags from the store, so that a filter means the same with and without a question. */
export function tagsOf({ category, significance, surface, status, entities }: Tagged, decidedBy: readonly string[]) {
  const values: [TagName, readonly (string | null | undefined)[]][] = [
    ['category', [category]],
    ['significance', [significance]],
    ['surface', [surface]],
    ['status', [status]],
    ['entity_type', entities.map(({ type }) => type)],
    ['entity', entities.map(({ id }) => id)],
    ['decided_by', decidedBy],
  ]
  const tags = values.flatMap(([name, some]) => some.flatMap((value) => (value ? [tagOf(name, value)] : [])))
  return [...new Set(tags)]
}
