/** The search document of a judged text. */
import type { RecordId, WorkspaceId } from '../../src/ids.ts'
import type { SearchDocument } from '../../src/ports/search.ts'
import { tokensInPieces } from '../../src/text/analyzer.ts'
import type { Text } from './bm25.ts'

/** `id`: of the row. `n`: its place among the texts, from 0. Everyone in the workspace sees it. */
export function searchDocumentOf(
  { id: record, title, text }: Text,
  n: number,
  { id, workspace }: Pick<SearchDocument, 'id' | 'workspace'>,
): SearchDocument {
  return {
    id,
    record_id: record as RecordId,
    workspace: workspace as WorkspaceId,
    version: n + 1,
    kind: 'decision',
    audience: 'workspace',
    title,
    tokens: [...tokensInPieces({ title, topics: [], text })].flat(),
    valid_from: '2024-01-01T00:00:00.000Z',
    valid_to: null,
    status: 'accepted',
    category: null,
    significance: null,
    surface: null,
    entity_types: [],
    tags: [],
  }
}
