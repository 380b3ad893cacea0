/**
 * The embedder port, which is optional: turns texts into vectors, so that texts of similar meaning are close even if
 * they share no word. It may be unavailable, slow or wrong at any time. This never loses or delays a write
 * (docs/embeddings.md).
 */
import { ModelUnavailable } from './unavailable.ts'
import { within } from './within.ts'

/** Models encode a question differently from a text that may answer it. */
export type TextKind = 'record' | 'query'

export interface Embedder {
  /** Identifies the model and its settings. Vectors with different names are never compared. At most 200 characters. */
  readonly model: string

  /**
   * Returns a vector of length 1 for each text, in order, all with the same dimensions. Rejects with TextRefused or
   * EmbedderUnavailable; with the latter also soon after `signal` is aborted.
   */
  embed(kind: TextKind, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

/** The most texts in one call. */
export const textsAtOnce = 32

/** The embedder is unreachable or slow, refuses calls, or returns unusable answers. Try again later. */
export class EmbedderUnavailable extends ModelUnavailable {
  override readonly name = 'EmbedderUnavailable'
}

/** The embedder never accepts one of these texts, usually because it is too long. */
export class TextRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TextRefused'
  }
}

/** Calls the embedder. Gives up after `ms`, or when the service stops. */
export function embedWithin(
  { embedder, stopping }: { embedder: Embedder; stopping: AbortSignal },
  ms: number,
  kind: TextKind,
  texts: readonly string[],
): Promise<Float32Array[]> {
  return within(ms, stopping, (signal) => embedder.embed(kind, texts, signal))
}
