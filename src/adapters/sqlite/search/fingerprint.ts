/**
 * The distinct terms of a document in short: of each its hash and how often it occurs, in the order of the hashes. Ranking
 * reads it of many documents: to look for terms in their own text takes ten times as long.
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

/**
 * Calls `found` for each of these hashes that the fingerprint has. `hashes`: ascending. The fingerprint is
 * `text.slice(from, to)`. `n`: the position in `hashes`.
 */
export function eachFound(
  text: string,
  from: number,
  to: number,
  hashes: readonly number[],
  found: (n: number, frequency: number) => void,
): void {
  let n = 0
  for (let at = from; at < to && n < hashes.length; at += entryLength) {
    let hash = 0
    for (let unit = at; unit < at + entryLength - 1; unit++) hash = (hash << bits) | (text.charCodeAt(unit) - zero)
    while (n < hashes.length && (hashes[n] as number) < hash) n++
    if (hashes[n] === hash) found(n, text.charCodeAt(at + entryLength - 1) - zero)
  }
}
