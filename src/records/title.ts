/** The title of a record without one: its first sentence, cut to 120 code points. */
const titleLength = 120

export function titleFrom(text: string): string {
  const start = text.slice(0, 2000).trim()
  const line = start.split('\n', 1)[0]?.replace(/^[#>*\-\s]+/, '') || start
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  return cut(sentence.trim() || start || 'Untitled', titleLength)
}

/** At most `length` code points; what is cut ends in an ellipsis. */
export function cut(text: string, length: number): string {
  // a code unit is at most one code point: short texts need no counting
  if (text.length <= length) return text
  const points = [...text.slice(0, length * 2 + 2)]
  return points.length <= length && text.length <= length * 2
    ? text
    : `${points
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}
