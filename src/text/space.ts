/**
 * The vector space of an embedder. The cosine of unrelated texts differs between models (0.1 with one, 0.75 with
 * another), so it is measured on sentences about different topics.
 */
import { strict as assert } from 'node:assert'
import { EmbedderUnavailable, TextRefused } from '../ports/embedder.ts'

export interface Space {
  /** Model and dimensions. Vectors of different spaces are never compared. */
  name: string
  dimensions: number
  /** The greatest cosine of two unrelated texts. */
  unrelated: number
}

/** The model in the name of a space. */
export function modelOf(space: string): string {
  return space.slice(0, space.lastIndexOf('/'))
}

/** Embeds texts as records, with the model of the space. */
export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** Rejects with EmbedderUnavailable. */
export async function measureSpace(model: string, embed: Embed): Promise<Space> {
  const vectors = await embed(sentences).catch((error: unknown) => {
    // these texts are acceptable, so the request itself is wrong
    throw error instanceof TextRefused ? new EmbedderUnavailable(error.message, { cause: error }) : error
  })
  const dimensions = (vectors[0] as Float32Array).length
  const cosines: number[] = []
  for (const [n, one] of vectors.entries()) for (const other of vectors.slice(n + 1)) cosines.push(cosine(one, other))
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length
  // two standard deviations: about one unrelated pair in fifty exceeds it
  const unrelated = Math.min(0.99, Math.max(0, mean + 2 * Math.sqrt(variance)))
  return { name: `${model}/${dimensions}`, dimensions, unrelated }
}

/** Whether the embedder accepts a known text and answers in this space. Never rejects. */
export async function isWell(embed: Embed, { dimensions }: Space): Promise<boolean> {
  const vectors = await embed(sentences.slice(0, 1)).catch(() => undefined)
  return vectors?.[0]?.length === dimensions
}

/** 0: no nearer than unrelated texts; 1: equal. */
export function nearness(cosine: number, { unrelated }: Space): number {
  return Math.min(1, Math.max(0, (cosine - unrelated) / (1 - unrelated)))
}

/** For vectors of length 1. */
export function cosine(one: Float32Array, other: Float32Array): number {
  assert(one.length === other.length)
  let sum = 0
  for (let n = 0; n < one.length; n++) sum += (one[n] as number) * (other[n] as number)
  return sum
}

/** The first one is also the text that isWell embeds. */
const sentences = [
  'The ferry to the island leaves from the second pier at dawn.',
  'Invoices are paid within thirty days of their arrival.',
  'She tuned her violin before the concert began.',
  'The database keeps three copies of each row.',
  'Tomatoes grow best against a wall that faces south.',
  'The goalkeeper was injured in the final minutes.',
  'Passwords are changed whenever somebody leaves the team.',
  'Glaciers carved this valley long before people came.',
  'The bakery on the corner closes on Mondays.',
  'Our lawyers advise against signing the lease.',
  'He soldered the loose wire back onto the board.',
  'Vaccines are stored between two and eight degrees.',
  'The novel tells of two sisters and a lighthouse.',
  'A build that fails is never deployed.',
  'Whales sing to each other across hundreds of miles.',
  'The mayor opened the new bridge with a short speech.',
]
