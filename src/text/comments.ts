/** The beginning of a fenced block, of a comment, or a code span. */
const next = /^[ \t]*(?<fence>`{3,}|~{3,})[^\n]*|<!--|`[^`\n]+`/gm

/** Removes the comments of Markdown. In code, they are text. An unclosed comment stays as text. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  let kept = ''
  let from = 0
  next.lastIndex = 0
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const { fence } = found.groups ?? {}
    if (fence !== undefined) next.lastIndex = endOfFence(text, next.lastIndex, fence)
    else if (found[0] === '<!--') {
      // no regular expression: it would search for the end again from each beginning, in quadratic time
      const end = text.indexOf('-->', next.lastIndex)
      if (end < 0) break
      kept += text.slice(from, found.index)
      from = end + 3
      next.lastIndex = from
    }
  }
  return kept + text.slice(from)
}

/** Where the fence is closed; an unclosed one extends to the end. */
function endOfFence(text: string, start: number, fence: string): number {
  const closing = new RegExp(`^[ \\t]*${fence}[${fence[0]}]*[ \\t]*$`, 'gm')
  closing.lastIndex = start
  return closing.exec(text) === null ? text.length : closing.lastIndex
}
