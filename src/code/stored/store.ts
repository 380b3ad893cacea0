/** The stores of code: embedded in a file of their own, code.db; scaled in MongoDB and Elasticsearch. */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import type { AnyCollection, Documents } from '../../ports/documents.ts'
import { codeBlobs } from './blob.ts'
import { fetchRequests } from './fetch-request.ts'
import { codeFiles } from './file.ts'
import { codeRepositories } from './repository.ts'
import type { CodeSearch } from './search-document.ts'
import { codeSymbols } from './symbol.ts'

export const codeCollections: readonly AnyCollection[] = [
  codeRepositories,
  codeFiles,
  codeBlobs,
  codeSymbols,
  fetchRequests,
]

/** Both instances belong to code alone. */
export interface CodeStore {
  documents: Documents
  search: CodeSearch
}

export interface CodeReads {
  connected: readonly ConnectedRepository[]
  /** Opens the stores at the first call. Throws EngineUnavailable. */
  open(): Promise<CodeStore>
}
