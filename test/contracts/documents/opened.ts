/** A store under test, opened by its adapter. */
import type { Documents } from '../../../src/ports/documents.ts'

export interface OpenedDocuments {
  documents: Documents
  /** Closes the store like a stopping process, and opens it again. Left out if the store does not persist. */
  reopen?: () => Promise<Documents>
  /**
   * Why this server sorts characters beyond U+FFFF differently from the port's contract. It is not the adapter's fault.
   */
  ordersOtherwise?: string
  close(): Promise<void>
}

/** Opens an empty store, or one that keeps its content separate from other tests. */
export type OpenDocuments = () => Promise<OpenedDocuments>

/** A store with the collections of the contract. It is closed after the test. */
export type Start = () => Promise<OpenedDocuments>
/** Like the one above, but returns only its documents. */
export type Started = () => Promise<Documents>
