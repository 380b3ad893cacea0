/** Embeds many texts in batches. If a batch fails or is refused, retries it in smaller parts. */
import { type Embedder, EmbedderUnavailable, embedWithin, TextRefused, textsAtOnce } from '../ports/embedder.ts'
import type { Space } from '../text/space.ts'
import type { Measuring } from '../text/space-measuring.ts'

export interface Asking {
  embedder: Embedder
  measuring: Measuring
  pace: Pace
  stopping: AbortSignal
}

/**
 * The size of a batch and the number of concurrent calls. Shrinks when the embedder is slow, and grows when calls
 * succeed.
 */
export interface Pace {
  texts: number
  calls: number
}

const callsAtOnce = 4
/** ms for one call, and in addition for each text: a small machine may need seconds for a long text. */
const callTakes = 10_000
const textTakes = 1_500
/** Characters. The beginning tells what a text is about, and most models cut texts after a few thousand tokens. */
const longest = 6_000
/** A text below this length is never too long. */
const shortest = 200

export const firstPace = (): Pace => ({ texts: textsAtOnce, calls: callsAtOnce })

/** 'refused': the embedder accepts no part of the text. 'missing': the embedder failed before it came to this text. */
export type Given = Float32Array | 'refused' | 'missing'

/**
 * Returns a result for each text, in order, and the failure that ended the work. Vectors made before the failure are
 * kept.
 */
export async function embedAll(
  asking: Asking,
  texts: readonly string[],
  space: Space,
): Promise<{ given: Given[]; failure: EmbedderUnavailable | undefined }> {
  const cut = texts.map((text) => cutAt(text, longest))
  const given: Given[] = []
  while (given.length < cut.length) {
    const { pace } = asking
    const batches: string[][] = []
    for (let from = given.length; from < cut.length && batches.length < pace.calls; from += pace.texts) {
      batches.push(cut.slice(from, from + pace.texts))
    }
    const outcomes = await Promise.allSettled(batches.map((batch) => embedIn(asking, batch, space)))
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') given.push(...outcome.value)
      else given.push(...(batches[n] as string[]).map(() => 'missing' as const))
    }
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) {
      if (!(failed.reason instanceof EmbedderUnavailable)) throw failed.reason
      asking.pace = slower(asking.pace)
      return { given: [...given, ...cut.slice(given.length).map(() => 'missing' as const)], failure: failed.reason }
    }
    if (asking.pace === pace) asking.pace = quicker(pace)
  }
  return { given, failure: undefined }
}

async function embedIn(asking: Asking, batch: readonly string[], { dimensions }: Space): Promise<Given[]> {
  const given = await embedBatch(asking, batch)
  const other = given.find((vector) => vector instanceof Float32Array && vector.length !== dimensions)
  if (other === undefined) return given
  // the endpoint now uses another model under the same name
  asking.measuring.forget()
  throw new EmbedderUnavailable(
    `the endpoint now returns ${other.length} dimensions, and returned ${dimensions} before`,
  )
}

function quicker({ texts, calls }: Pace): Pace {
  return { texts: Math.min(textsAtOnce, 2 * texts), calls: Math.min(callsAtOnce, 2 * calls) }
}

function slower({ texts }: Pace): Pace {
  return { texts: Math.max(1, texts >> 1), calls: 1 }
}

/** If one text is bad, the whole batch fails. Halves the batch until only the bad text is left. */
async function embedBatch(asking: Asking, batch: readonly string[]): Promise<Given[]> {
  try {
    return await embedWithin(asking, callTakes + textTakes * batch.length, 'record', batch)
  } catch (error) {
    if (!(await isOfTheTexts(asking, error))) throw error
    const [only] = batch
    if (only !== undefined && batch.length === 1) return [await embedShorter(asking, only, error)]
    const middle = batch.length >> 1
    const first = await embedBatch(asking, batch.slice(0, middle))
    return [...first, ...(await embedBatch(asking, batch.slice(middle)))]
  }
}

/**
 * Model servers react to a bad text in many ways: they return 500 or NaN, hang, or crash. If that counted as an outage,
 * the other texts would wait for ever. An embedder that still accepts a known good text is available.
 */
async function isOfTheTexts(asking: Asking, error: unknown): Promise<boolean> {
  if (error instanceof TextRefused) return true
  if (!(error instanceof EmbedderUnavailable) || error.askAgainIn !== undefined) return false
  if (!(await asking.measuring.isWell())) return false
  // or the batch was too large
  asking.pace = slower(asking.pace)
  return true
}

async function embedShorter(asking: Asking, text: string, refusal: unknown): Promise<Given> {
  if (text.length > shortest) return (await embedBatch(asking, [cutAt(text, text.length >> 1)]))[0] as Given
  // if it now refuses the known good text too, the text is not to blame
  if (await asking.measuring.isWell()) return 'refused'
  throw refusal instanceof EmbedderUnavailable ? refusal : new EmbedderUnavailable((refusal as Error).message)
}

/** Never cuts a surrogate pair in half. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] as string) ? length - 1 : length)
}
