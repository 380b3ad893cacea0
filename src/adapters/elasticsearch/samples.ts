/**
 * Samples of the documents, chosen only by their ids. If counting all visible documents costs too much, they are counted
 * in the largest sample that is cheap enough, and the count is multiplied. So the result depends only on what the caller
 * can see, and not on the records of others or the order of writes.
 */

/**
 * Sample n holds one document in 2^n. The first one holds all documents; each other one is an eighth of the one
 * before.
 */
export const sampleSteps = [0, 3, 6, 9] as const
export type SampleStep = (typeof sampleSteps)[number]

/** How many documents of the index one document of the sample represents. */
export function sharesOf(step: SampleStep): number {
  return 2 ** step
}

/** The name of a sample in documents and queries. */
export function sampleName(step: SampleStep): string {
  return String(step)
}

/** The samples that contain the document, except the first. */
export function samplesOf(id: string): string[] {
  const hash = hashOf(id)
  return sampleSteps.filter((step) => step > 0 && (hash & (2 ** step - 1)) === 0).map(sampleName)
}

/** FNV-1a with more mixing, because its low bits are too similar for ids that differ in one character. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
