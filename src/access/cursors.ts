/**
 * Opaque cursors: sealed with AES-256-GCM under a key kept in the store, so that a caller can neither forge one nor
 * read positions out of it. Rotatable: the predecessor is still accepted. `kind` is bound into the seal.
 */
export interface Cursors {
  /** base64url, at most 4,096 characters. */
  seal(kind: 'search' | 'decision_search' | 'sync' | 'receipts', content: unknown): string
  /** undefined: forged, cut, of another kind, or of a key that is gone. */
  open(kind: 'search' | 'decision_search' | 'sync' | 'receipts', cursor: string): unknown
}
