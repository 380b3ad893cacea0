/** Unicode normalisation in time that grows with the text alone, whatever the text. */

/**
 * Marks behind one letter that are put in order together, as many as the Stream-Safe Text Format allows (UAX 15, 13):
 * no language needs more than a few. Each mark is inserted among those before it, so that the time grows with the
 * square of their number: 200,000 marks behind one letter took 18 s.
 */
const mostMarks = 30
const moreMarks = new RegExp(`\\p{M}{${mostMarks + 1}}`, 'u')
const manyMarks = new RegExp(`\\p{M}{1,${mostMarks}}`, 'gu')

/** As String.normalize, but of a letter with more than 30 marks 30 are put in order at a time. */
export function normalForm(text: string, form: 'NFC' | 'NFKD'): string {
  if (text.length <= mostMarks || !moreMarks.test(text)) return text.normalize(form)
  let normal = ''
  let at = 0
  for (const { index, 0: marks } of text.matchAll(manyMarks)) {
    // what stands before goes with the first marks, which may be composed with it
    const end = index + marks.length
    normal += text.slice(at, end).normalize(form)
    at = end
  }
  return normal + text.slice(at).normalize(form)
}
