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
  if (text.length <= length || unitsOf(text, length) >= text.length) return text
  return `${text.slice(0, unitsOf(text, length - 1)).trimEnd()}…`
}

/** UTF-16 units of the first `points` code points. Without a list of them: lists of hits cut many texts. */
function unitsOf(text: string, points: number): number {
  let units = 0
  for (let n = 0; n < points && units < text.length; n++) units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1
  return units
}
