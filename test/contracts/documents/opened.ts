/** A store under test, as its adapter opens it. */
import type { Documents } from '../../../src/ports/documents.ts'

export interface OpenedDocuments {
  documents: Documents
  /** Closes the store as a stopping process does, and opens it again. Left out where nothing is kept. */
  reopen?: () => Promise<Documents>
  /** Why the server under test, not the adapter, orders characters beyond U+FFFF otherwise than the port says. */
  ordersOtherwise?: string
  close(): Promise<void>
}

/** Opens a store that is empty, or keeps what it holds apart from what others opened. */
export type OpenDocuments = () => Promise<OpenedDocuments>

/** A store with the collections of the contract, closed after the test. */
export type Start = () => Promise<OpenedDocuments>
/** The same, where only its documents matter. */
export type Started = () => Promise<Documents>
