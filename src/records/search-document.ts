/** The search document of a record. */
import type { SearchDocument } from '../ports/search.ts'
import { tokensOf } from '../text/analyzer.ts'
import type { PrecedentRecord } from './record.ts'

export function searchDocumentOf(record: PrecedentRecord): SearchDocument {
  return {
    id: record.id,
    workspace: record.workspace,
    version: record.seq,
    // a tombstone is never found; if the record changes later, the new document has a higher version
    tombstone: record.invalidated_at !== null,
    record_id: record.record_id,
    kind: record.kind,
    audience: record.audience,
    title: record.title,
    tokens: tokensOf({ title: record.title, topics: record.topics, text: record.text }),
    valid_from: record.valid_from,
    valid_to: record.valid_to,
    status: record.status,
    category: record.category,
    significance: record.significance,
    surface: record.surface,
    entity_types: [...new Set(record.entities.map((entity) => entity.type))],
  }
}
