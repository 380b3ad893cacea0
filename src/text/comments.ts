/** Markdown without its comments. One that is not closed is text. */
export function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (let begin = text.indexOf('<!--'); begin >= 0; begin = text.indexOf('<!--', from)) {
    // not by a pattern: it would look for the end once for each beginning
    const end = text.indexOf('-->', begin + 4)
    if (end < 0) break
    kept += text.slice(from, begin)
    from = end + 3
  }
  return kept + text.slice(from)
}
