/**
 * The distinct terms of a document as one short string: the hash of each term and how often the term occurs, ordered by
 * hash. Ranking reads it for many documents, because searching for the terms in a text takes ten times as long.
 */

/** An entry has four characters of the hash and one of the frequency. Each character stands for 6 bits. */
const entryLength = 5
const bits = 6
const zero = 48
const most = 63

/** `frequencies`: by encoded term. */
export function fingerprintOf(frequencies: ReadonlyMap<string, number>): string {
  const entries = [...frequencies].map(([term, n]): [hash: number, n: number] => [hashOf(term), n])
  entries.sort(([a], [b]) => a - b)
  let text = ''
  for (const [hash, n] of entries) {
    for (let shift = 3 * bits; shift >= 0; shift -= bits) text += String.fromCharCode(zero + ((hash >>> shift) & most))
    text += String.fromCharCode(zero + Math.min(most, n))
  }
  return text
}

/** FNV-1a, 24 bits. Two terms of one document and one query have the same hash about once in 100,000 documents. */
export function hashOf(encoded: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < encoded.length; at++) hash = Math.imul(hash ^ encoded.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 24)) & 0xffffff
}

/** Calls `found` for each of these hashes that the fingerprint has. `hashes`: ascending; `n` is the position among them. */
export function eachFound(
  fingerprint: string,
  hashes: readonly number[],
  found: (n: number, frequency: number) => void,
): void {
  let n = 0
  for (let at = 0; at < fingerprint.length && n < hashes.length; at += entryLength) {
    let hash = 0
    for (let digit = 0; digit < entryLength - 1; digit++)
      hash = (hash << bits) | (fingerprint.charCodeAt(at + digit) - zero)
    while (n < hashes.length && (hashes[n] as number) < hash) n++
    if (hashes[n] === hash) found(n, fingerprint.charCodeAt(at + entryLength - 1) - zero)
  }
}
