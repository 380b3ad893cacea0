/** Divides a list item of an option into its title and its text. */
import { optionPrefix } from '../document/dictionary.ts'
import { joined } from '../document/markdown.ts'

/** `Title: text`, `Title - text`, `Title (rejected: text)`. A long line without them: its first sentence, and all of it. */
export function splitTitle(text: string): [string, string] {
  const [line = '', ...others] = text.split('\n')
  const match = /^(.{2,160}?)\s*(?::\s|：|\s[–—-]\s)\s*(\S.*)$/su.exec(line)
  if (match && !isNumber(match[1] ?? '')) {
    const open = openBracketIn(match[1] ?? '')
    if (open > 0) return [text.slice(0, open), withoutBracket(text.slice(open + 1))]
    return [match[1] ?? '', [match[2] ?? '', ...others].join('\n').trim()]
  }
  // `Keep the rope. See the guide`
  const pointed = /^(.{2,160}?)\.\s+((?:see|cf\.?|siehe|voir|details)\s.*)$/isu.exec(line)
  if (pointed) return [pointed[1] ?? '', [pointed[2] ?? '', ...others].join('\n').trim()]
  if (line.length <= 200) return [line, others.join('\n').trim()]
  return [/^.{20,200}?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line, text]
}

/** In `Option 1: title` and `Option A - title`, `Option 1` and `Option A` are not the title. */
export function isNumber(title: string): boolean {
  const bare = title.trim()
  return /^(?:\p{L}+\s*)?#?\d{1,2}$/u.test(bare) || optionPrefix.exec(bare)?.[0] === bare
}

/** The offset of the first bracket that is not closed, as in `A queue (rejected`; -1: there is none. */
function openBracketIn(title: string): number {
  const open: number[] = []
  for (const [at, letter] of [...title.matchAll(/[()]/g)].map((match) => [match.index, match[0]] as const)) {
    if (letter === '(') open.push(at)
    else open.pop()
  }
  return open[0] ?? -1
}

/** The text behind an opening bracket, without the closing one. */
function withoutBracket(text: string): string {
  let depth = 1
  for (const { 0: letter, index } of text.matchAll(/[()]/g)) {
    depth += letter === '(' ? 1 : -1
    if (depth > 0) continue
    const rest = text.slice(index + 1).replace(/^[\s,;:.–—-]+/u, '')
    return joined(text.slice(0, index).trim(), rest.trim())
  }
  return text.trim()
}
