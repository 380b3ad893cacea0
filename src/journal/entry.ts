/** An entry of the journal: one document. Appending it is the only commit point of a workspace (PROTOCOL 2). */

import type { WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'
import type { Decided } from '../receipt.ts'
import type { DocumentsByName } from '../records/entry-documents.ts'
import type { RowChange } from '../records/record.ts'

export interface Entry {
  id: string
  workspace: WorkspaceId
  number: number
  first_seq: number
  last_seq: number
  at: string
  format: number
  /** true: the entry was pruned. Its number stays for ever, its content is gone. */
  emptied: boolean
  receipts: Decided[]
  records: RowChange[]
  /** Documents of further collections. */
  documents: DocumentsByName
}

export const entries: Collection<Entry> = {
  name: 'journal',
  fields: {
    id: 'string',
    workspace: 'interned',
    number: 'integer',
    first_seq: 'integer',
    last_seq: 'integer',
    at: 'instant',
    format: 'integer',
    emptied: 'boolean',
    receipts: 'json',
    records: 'json',
    documents: 'json',
  },
  unique: [['workspace', 'number']],
  indexes: [['workspace', 'emptied', 'number']],
}

export function entryId(workspace: WorkspaceId, number: number): string {
  return `${workspace}/${number}`
}
