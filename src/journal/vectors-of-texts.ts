/** Vectors of many texts: some at a time, and what the embedder refuses or fails at in smaller parts, or not at all. */
import { type Embedder, EmbedderUnavailable, embedWithin, TextRefused, textsAtOnce } from '../ports/embedder.ts'
import type { Space } from '../text/space.ts'
import type { Measuring } from '../text/space-measuring.ts'

export interface Asking {
  embedder: Embedder
  measuring: Measuring
  pace: Pace
  stopping: AbortSignal
}

/** What is asked of the embedder at a time: less of one that is slow, more again when that goes well. */
export interface Pace {
  texts: number
  calls: number
}

const callsAtOnce = 4
/** ms of one call, and of each text in it: a small machine takes seconds for a long one. */
const callTakes = 10_000
const textTakes = 1_500
/** Characters of a text: the beginning says what it is about, and models cut it themselves at a few thousand tokens. */
const longest = 6_000
/** Shorter than this a text is not refused for its length. */
const shortest = 200

export const firstPace = (): Pace => ({ texts: textsAtOnce, calls: callsAtOnce })

/** 'refused': in every form. 'missing': the embedder failed before. */
export type Given = Float32Array | 'refused' | 'missing'

/** In order, with the failure that ended it: what came before that is paid for, and kept. */
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
  // another model behind the same name
  asking.measuring.forget()
  throw new EmbedderUnavailable(`the endpoint answers ${other.length} dimensions, before ${dimensions}`)
}

function quicker({ texts, calls }: Pace): Pace {
  return { texts: Math.min(textsAtOnce, 2 * texts), calls: Math.min(callsAtOnce, 2 * calls) }
}

function slower({ texts }: Pace): Pace {
  return { texts: Math.max(1, texts >> 1), calls: 1 }
}

/** One text takes its whole batch with it: halves, down to the one. */
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
 * Servers of models say 500 to a text that is too long, answer NaN, hang or fall over at one: what others wait behind
 * for ever, if it is taken for an embedder that is away. One that takes a text it took before is not away.
 */
async function isOfTheTexts(asking: Asking, error: unknown): Promise<boolean> {
  if (error instanceof TextRefused) return true
  if (!(error instanceof EmbedderUnavailable) || error.askAgainIn !== undefined) return false
  if (!(await asking.measuring.isWell())) return false
  // or it was too much at a time
  asking.pace = slower(asking.pace)
  return true
}

async function embedShorter(asking: Asking, text: string, refusal: unknown): Promise<Given> {
  if (text.length > shortest) return (await embedBatch(asking, [cutAt(text, text.length >> 1)]))[0] as Given
  // if it refuses what it took before, then the text is not the reason
  if (await asking.measuring.isWell()) return 'refused'
  throw refusal instanceof EmbedderUnavailable ? refusal : new EmbedderUnavailable((refusal as Error).message)
}

/** Never between the halves of a pair. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] as string) ? length - 1 : length)
}
