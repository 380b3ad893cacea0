/**
 * The embedder port, optional: texts as vectors, so that what means alike is near though it shares no word. It may be
 * away, slow or wrong at any time: nothing is ever lost or held up by that (docs/embeddings.md).
 */

/** What a text is: models tell a question from what may answer it. */
export type TextKind = 'record' | 'query'

export interface Embedder {
  /** Names the model and how it is asked: vectors of two names are never compared. At most 200 characters. */
  readonly model: string

  /**
   * A vector of length 1 for each text, in order, all of as many dimensions. Rejects with EmbedderUnavailable, at the
   * latest soon after `signal` is aborted, or with TextRefused.
   */
  embed(kind: TextKind, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

/** Texts of one call at most. */
export const textsAtOnce = 32

/** Away, slow, refusing, or answering what no vectors can be made of: try again later. */
export class EmbedderUnavailable extends Error {
  /** ms. It is well, and says that too much is asked of it; undefined: nothing of the kind. */
  readonly askAgainIn: number | undefined

  constructor(reason: string, { cause, askAgainIn }: { cause?: unknown; askAgainIn?: number } = {}) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'EmbedderUnavailable'
    this.askAgainIn = askAgainIn
  }
}

/** It does not take one of these texts, and never will: too long, mostly. */
export class TextRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TextRefused'
  }
}

/** Asks for so many ms at most, and no longer than the service runs. */
export async function embedWithin(
  { embedder, stopping }: { embedder: Embedder; stopping: AbortSignal },
  ms: number,
  kind: TextKind,
  texts: readonly string[],
): Promise<Float32Array[]> {
  // by hand: what AbortSignal.any makes of a signal that lives as long as the process is never given back
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
