/** Reads the vectors in the response of an embedding endpoint. */
import { EmbedderUnavailable, TextRefused } from '../../ports/embedder.ts'

/** Both search engines can store this many. One dimension is too few to distinguish texts. */
const dimensionsAtMost = 4096
const dimensionsAtLeast = 2

/** Returns `count` vectors of length 1, in the order of the texts. If `dimensions` is set, each must have as many. */
export function vectorsOf(body: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  const data = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count) throw wrong(`a response without ${count} embeddings`)
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [n, item] of data.entries()) {
    const { index = n, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number]) {
      throw wrong('embeddings with invalid indexes')
    }
    vectors[index as number] = unit(embedding)
  }
  const all = vectors as Float32Array[]
  const expected = dimensions ?? all[0]?.length
  const other = all.find(({ length }) => length !== expected)
  if (other !== undefined) throw wrong(`${other.length} dimensions instead of ${expected}`)
  return all
}

function unit(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length < dimensionsAtLeast || embedding.length > dimensionsAtMost) {
    throw wrong('something that is not an embedding')
  }
  let squares = 0
  for (const value of embedding as unknown[]) {
    if (typeof value !== 'number') throw wrong('an embedding that contains something other than numbers')
    squares += value * value
  }
  const length = Math.sqrt(squares)
  // a model may return a zero vector for a text without content
  if (!Number.isFinite(length) || length === 0) throw new TextRefused('the embedding has no direction')
  return Float32Array.from(embedding as number[], (value) => value / length)
}

function wrong(what: string): EmbedderUnavailable {
  return new EmbedderUnavailable(`the endpoint returned ${what}`)
}
