/** Splits a text into passages. A hit shows the best of them (best-passage.ts). */

/** UTF-16 units of a passage, at most. */
export const maxPassageLength = 1200

/**
 * Splits a text into pieces of at most 1,200 characters, verbatim, trimmed and in order; only white space between them
 * is lost. Splits at the ends of paragraphs, else of sentences, else of words.
 */
export function passages(text: string): string[] {
  const found: string[] = []
  let from = 0
  while (from < text.length) {
    const to = from + maxPassageLength < text.length ? endOfPassage(text, from) : text.length
    const passage = text.slice(from, to).trim()
    if (passage !== '') found.push(passage)
    from = to
  }
  return found
}

// don't split in the first third: a heading there would become a very short passage
const earliestCut = maxPassageLength / 3

function endOfPassage(text: string, from: number): number {
  const window = text.slice(from, from + maxPassageLength)
  for (const boundary of [paragraph, sentence, /\s/g]) {
    const end = lastEnd(window, boundary)
    if (end >= earliestCut) return from + end
  }
  // no white space at all: split anywhere but inside a surrogate pair
  return from + (/[\ud800-\udbff]$/.test(window) ? maxPassageLength - 1 : maxPassageLength)
}

const paragraph = /\n[^\S\n]*\n\s*/g
const sentence = /[.!?…]["'”’)\]]*\s+|[。！？]+["”』」）]*|\n/g

function lastEnd(window: string, boundary: RegExp): number {
  let end = -1
  for (const match of window.matchAll(boundary)) end = match.index + match[0].length
  return end
}
