/**
 * Samples of the documents: each holds one in so many, chosen by their ids and nothing else. What would cost too much
 * to count in all that a caller sees is counted in the largest sample that costs little, and multiplied: the outcome
 * depends on what the caller sees alone, not on what others keep or on the order of writing.
 */

/** Each sample is an eighth of the one before; the first is all documents. Named by the power of two. */
export const sampleSteps = [0, 3, 6, 9] as const
export type SampleStep = (typeof sampleSteps)[number]

/** What of a sample stands for. */
export function sharesOf(step: SampleStep): number {
  return 2 ** step
}

/** As it stands in a document and in a query. */
export function sampleName(step: SampleStep): string {
  return String(step)
}

/** The samples that a document is in, without the first. */
export function samplesOf(id: string): string[] {
  const hash = hashOf(id)
  return sampleSteps.filter((step) => step > 0 && (hash & (2 ** step - 1)) === 0).map(sampleName)
}

/** FNV-1a, mixed once more: its low bits alone are too much alike for ids that differ in one place. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
