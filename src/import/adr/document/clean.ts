/** Tidies a Markdown text, or a part of it. */
import { withoutComments } from '../../../text/comments.ts'

/** Removes comments, and rules and empty lines at both ends. */
export function clean(text: string): string {
  const bare = withoutComments(text)
  const within = bare.trim()
  if (/^(?:-{3,}|\*{3,})$/.test(within)) return bare === within ? within : ''
  const body = withoutRuleAtEnd(within.replace(/^(?:-{3,}|\*{3,})\s*\n/, ''))
  return body.trim()
}

/** Searches from the end: on a text of empty lines, a regular expression would take the square of their number. */
function withoutRuleAtEnd(text: string): string {
  for (const mark of ['-', '*']) {
    let from = text.length
    while (text[from - 1] === mark) from--
    if (text.length - from < 3) continue
    const before = text.slice(0, from)
    const trimmed = before.trimEnd()
    if (before.slice(trimmed.length).includes('\n')) return trimmed
  }
  return text
}

/** Some editors escape all Markdown when they export a text: `\# ADR-002`, `\*\*Status:\*\* Accepted`. */
export function unescaped(text: string): string {
  return /^\s*\\#/.test(text) ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text
}

/** Hugo and Jekyll write a link to a file as `({{< ref "0003-users.md" >}})` or `({% link adr/0003-users.md %})`. */
export function withPaths(text: string): string {
  return text.replace(
    /\]\((?:\{\{[<%] ?(?:rel)?ref "([^"\s]{1,300})" ?[%>]\}\}|\{% ?link ([^\s%]{1,300}) ?%\})/g,
    (_, hugo: string | undefined, jekyll: string | undefined) => `](${hugo ?? jekyll}`,
  )
}
