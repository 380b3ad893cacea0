/**
 * The embedder port, which is optional: turns texts into vectors, so that texts of similar meaning are close even if
 * they share no word. It may be unavailable, slow or wrong at any time. This never loses or delays a write
 * (docs/embeddings.md).
 */

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
export class EmbedderUnavailable extends Error {
  /** ms. Set if the embedder is healthy but asks for fewer calls; undefined: any other failure. */
  readonly askAgainIn: number | undefined

  constructor(reason: string, { cause, askAgainIn }: { cause?: unknown; askAgainIn?: number } = {}) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'EmbedderUnavailable'
    this.askAgainIn = askAgainIn
  }
}

/** The embedder never accepts one of these texts, usually because it is too long. */
export class TextRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TextRefused'
  }
}

/** Calls the embedder. Gives up after `ms`, or when the service stops. */
export async function embedWithin(
  { embedder, stopping }: { embedder: Embedder; stopping: AbortSignal },
  ms: number,
  kind: TextKind,
  texts: readonly string[],
): Promise<Float32Array[]> {
  // Not AbortSignal.any: with a signal that lives as long as the process, each call would leak memory.
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, ms)
  stopping.addEventListener('abort', end)
  try {
    if (stopping.aborted) end()
    return await embedder.embed(kind, texts, ending.signal)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}
