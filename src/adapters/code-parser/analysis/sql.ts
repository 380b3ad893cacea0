/** SQL has too many dialects for one grammar. Patterns find what its statements create. */
import type { CodeSymbol, SymbolKind } from '../../../ports/code-parser.ts'
import { plainWords } from './doc-comments.ts'
import { cut } from './signature.ts'
import type { SourceLines } from './source-lines.ts'
import { mostSymbols } from './symbols.ts'

const create =
  /^\s*create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:global|local|temp|temporary|unlogged|external|foreign|materialized|recursive|editionable|unique|clustered|nonclustered|constraint|virtual|force|definer\s*=\s*\S+)\s+)*(?<what>table|view|function|procedure|proc|trigger|package(?:\s+body)?|type|domain|schema|index|sequence|enum)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?<name>(?:[\w$#]+|"[^"]+"|`[^`]+`|\[[^\]]+\])(?:\s*\.\s*(?:[\w$#]+|"[^"]+"|`[^`]+`|\[[^\]]+\]))*)/i

const kinds: Readonly<Record<string, SymbolKind>> = {
  table: 'class',
  view: 'class',
  function: 'function',
  procedure: 'function',
  proc: 'function',
  trigger: 'function',
  package: 'module',
  type: 'type',
  domain: 'type',
  schema: 'module',
  index: 'constant',
  sequence: 'variable',
}
/** Characters of a line that are looked at. */
const longestLine = 500

/** The statement ends at the last `;` before the next `create`, or before an empty line that follows one. */
export function sqlSymbols(lines: SourceLines): CodeSymbol[] {
  const symbols: CodeSymbol[] = []
  const state: LexerState = {}
  for (let line = 1; line <= lines.count && symbols.length < mostSymbols; line += 1) {
    const text = lines.text(line).slice(0, longestLine)
    const match = state.inside === undefined ? create.exec(text) : null
    if (match === null) {
      skipLine(text, state)
      continue
    }
    const [start, first] = [line, text]
    let isOver = skipLine(text, state)
    while (!isOver && line < lines.count && !nextIsNew(lines, line + 1, state)) {
      line += 1
      isOver = skipLine(lines.text(line).slice(0, longestLine), state)
    }
    symbols.push({ ...named(match), start, end: line, signature: signatureOf(first), ...commentAbove(start, lines) })
  }
  return symbols
}

interface LexerState {
  /** What ends the text, comment or body that a line is in. */
  inside?: string | undefined
}

/** Follows quotes, comments and `$$` bodies over a line. True: a statement ends on it. */
function skipLine(text: string, state: LexerState): boolean {
  let isOver = false
  for (let at = 0; at < text.length; ) {
    if (state.inside !== undefined) {
      const end = text.indexOf(state.inside, at)
      if (end < 0) return false
      at = end + state.inside.length
      state.inside = undefined
      continue
    }
    const token = /--|\/\*|'|\$\w*\$|;/g
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null || found[0] === '--') break
    at = found.index + found[0].length
    if (found[0] === ';') isOver = true
    else state.inside = found[0] === '/*' ? '*/' : found[0]
  }
  return isOver && state.inside === undefined
}

function nextIsNew(lines: SourceLines, line: number, { inside }: LexerState): boolean {
  const text = lines.text(line).slice(0, longestLine)
  return inside === undefined && (create.test(text) || /^\s*(?:go|\/)\s*$/i.test(text))
}

function named({ groups }: RegExpExecArray): Pick<CodeSymbol, 'name' | 'kind' | 'container'> {
  const what = (groups?.what ?? '').toLowerCase().split(/\s/)[0] as string
  const parts = (groups?.name ?? '').match(/"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$#]+/g) ?? []
  const names = parts.map((part) => part.replace(/^["`[]|["`\]]$/g, ''))
  const container = names.slice(0, -1).join('/')
  return { name: names.at(-1) ?? '', kind: kinds[what] ?? 'type', ...(container !== '' && { container }) }
}

function commentAbove(start: number, lines: SourceLines): Pick<CodeSymbol, 'doc' | 'docStart'> {
  let first = start
  while (first > 1 && /^\s*--/.test(lines.text(first - 1))) first -= 1
  if (first === start) return {}
  const comment = Array.from({ length: start - first }, (_, at) => lines.text(first + at)).join('\n')
  const doc = plainWords(comment)
  return doc === '' ? {} : { doc, docStart: first }
}

function signatureOf(text: string): string {
  return cut(
    text
      .replace(/\s+/g, ' ')
      .replace(/\s*\(?\s*$/, '')
      .trim(),
    300,
  )
}
