/** Unicode normalisation in linear time, for any text. */

/**
 * Combining marks after one letter that are normalised together, by the Stream-Safe Text Format (UAX 15, 13); no
 * language needs more than a few. Ordering marks takes quadratic time: 200,000 marks after one letter took 18 s.
 */
const mostMarks = 30
const moreMarks = new RegExp(`\\p{M}{${mostMarks + 1}}`, 'u')
const manyMarks = new RegExp(`\\p{M}{1,${mostMarks}}`, 'gu')

/** Like String.normalize, but normalises at most 30 marks after one letter at a time. */
export function normalForm(text: string, form: 'NFC' | 'NFKD'): string {
  if (text.length <= mostMarks || !moreMarks.test(text)) return text.normalize(form)
  let normal = ''
  let at = 0
  for (const { index, 0: marks } of text.matchAll(manyMarks)) {
    // include the text before the first marks: the letter may be composed with them
    const end = index + marks.length
    normal += text.slice(at, end).normalize(form)
    at = end
  }
  return normal + text.slice(at).normalize(form)
}
