/** Removes the comments of Markdown. An unclosed comment stays as text. */
export function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (let begin = text.indexOf('<!--'); begin >= 0; begin = text.indexOf('<!--', from)) {
    // no regular expression: it would search for the end again from each beginning, in quadratic time
    const end = text.indexOf('-->', begin + 4)
    if (end < 0) break
    kept += text.slice(from, begin)
    from = end + 3
  }
  return kept + text.slice(from)
}
