/** Code points of a title made from a text. */
const titleLength = 120

/** The title of a record that has none: the first sentence of its text. */
export function titleFrom(text: string): string {
  const start = text.slice(0, 2000).trim()
  const line = start.split('\n', 1)[0]?.replace(/^[#>*\-\s]+/, '') || start
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  return cut(sentence.trim() || start || 'Untitled', titleLength)
}

/** At most `length` code points. A text that is cut ends in an ellipsis. */
export function cut(text: string, length: number): string {
  // a text has at most as many code points as UTF-16 units: short texts need no counting
  if (text.length <= length) return text
  const points = [...text.slice(0, length * 2 + 2)]
  return points.length <= length && text.length <= length * 2
    ? text
    : `${points
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}
