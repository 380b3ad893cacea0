/** Predictable vectors: each word has its own direction, and chosen synonyms share one. */
import { createHash } from 'node:crypto'

/** Words with the same meaning here. */
const synonyms: readonly (readonly string[])[] = [
  ['car', 'automobile', 'vehicle'],
  ['holiday', 'vacation', 'leave'],
  ['price', 'cost', 'fee'],
  ['doctor', 'physician'],
]
const meanings = new Map(synonyms.flatMap((words) => words.map((word) => [word, words[0] as string])))

/** Of length 1. A text without words gets a vector from its letters. */
export function hashedVector(text: string, dimensions: number): Float32Array {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [text]
  const sum = new Float64Array(dimensions)
  for (const word of words) {
    const direction = directionOf(meanings.get(word) ?? word, dimensions)
    for (let n = 0; n < dimensions; n++) sum[n] = (sum[n] as number) + (direction[n] as number)
  }
  const length = Math.hypot(...sum)
  return Float32Array.from(sum, (value) => value / length)
}

function directionOf(word: string, dimensions: number): Float64Array {
  const direction = new Float64Array(dimensions)
  let bytes = createHash('sha256').update(word).digest()
  for (let n = 0; n < dimensions; n++) {
    if (n > 0 && n % 32 === 0) bytes = createHash('sha256').update(bytes).digest()
    direction[n] = (bytes[n % 32] as number) - 127.5
  }
  return direction
}
