import type { SearchDocument } from '../../src/ports/search.ts'
import { documentOf } from '../contracts/search.contract.ts'

const words = 'queue queue c++ c# v1.2 データ a=b x~y queue queue queue store store'

/** Search documents that never change: a full one with this vector, an empty one and a tombstone. */
export const fixedDocuments = (values: Float32Array): SearchDocument[] => [
  documentOf('full', words, {
    category: 'Security & co',
    significance: 'high',
    surface: 'backend',
    entity_types: ['team', 'repo', 'team'],
    tags: ['status:accepted', 'entity:1', 'status:accepted'],
    valid_to: '2027-01-01T00:00:00.000Z',
    dated: '2023-01-01T00:00:00.000Z',
    vector: { space: 'model-2', values },
  }),
  documentOf('empty', ''),
  documentOf('gone', words, { tombstone: true }),
]
