/** Passages: the verbatim pieces of a record of which a hit shows the best (best-passage.ts). */

/** Characters (UTF-16 units) of a passage, at most. */
export const maxPassageLength = 1200

/**
 * The text in pieces of at most 1,200 characters, in order, each trimmed and verbatim, and together all of it but
 * white space. Cut where paragraphs end, else sentences, else words.
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

// from the last third on, so that no passage is a scrap because a heading stands early in it
const earliestCut = maxPassageLength / 3

function endOfPassage(text: string, from: number): number {
  const window = text.slice(from, from + maxPassageLength)
  for (const boundary of [paragraph, sentence, /\s/g]) {
    const end = lastEnd(window, boundary)
    if (end >= earliestCut) return from + end
  }
  // no white space at all: never between the halves of a pair
  return from + (/[\ud800-\udbff]$/.test(window) ? maxPassageLength - 1 : maxPassageLength)
}

const paragraph = /\n[^\S\n]*\n\s*/g
const sentence = /[.!?…]["'”’)\]]*\s+|[。！？]+["”』」）]*|\n/g

function lastEnd(window: string, boundary: RegExp): number {
  let end = -1
  for (const match of window.matchAll(boundary)) end = match.index + match[0].length
  return end
}
