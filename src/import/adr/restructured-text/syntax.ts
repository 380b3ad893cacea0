/**
 * Parses reStructuredText with the parser of rst-compiler. Its resolver of names is not used, because it throws at names
 * that a file defines twice, nor is its generator, because it throws at roles and directives that it does not know.
 */
import {
  createDefaultParserOptions,
  RstBlockquote,
  RstCompiler,
  RstDefinitionList,
  RstDefinitionListItem,
  type RstNode,
  type RstNodeParser,
  RstParagraph,
  RstParserError,
  RstParserState,
} from 'rst-compiler'
import { rawDirectives, titledDirectives } from './directive-names.ts'

const options = createDefaultParserOptions({
  disableWarnings: true,
  disableErrors: true,
  parseFirstFieldListAsDocumentMeta: false,
  directivesWithRawText: [...rawDirectives],
  directivesWithInitContent: [...rawDirectives, ...titledDirectives],
})

/** The blocks of a text. Throws if the parser does. `text`: as from `tidied`. */
export function blocksOf(text: string): readonly RstNode[] {
  const compiler = new RstCompiler()
  // tried before the parsers of the library
  for (const parser of [definitions, quotes, paragraphs]) compiler.useNodeParser(parser)
  const tokens = text.split('\n').map((str) => ({ idx: 0, str }))
  try {
    return new RstParserState(options, tokens, compiler).rootBodyNodes
  } catch (error) {
    if (!(error instanceof RstParserError)) throw error
    // only its text tells the line, counted from 0
    const line = Number(/line:(\d+)/.exec(error.toString())?.[1] ?? 0) + 1
    throw new Error(`${error.message}, near line ${Math.min(line, text.trimEnd().split('\n').length)}`)
  }
}

const tabWidth = 8

/** The text as the parser needs it: lines end with `\n` alone, without blanks at their end, and have no tabs. */
export function tidied(text: string): string {
  const lines = text.replace(/\r\n?|[\f\v]/g, '\n').split('\n')
  return lines.map((line) => withoutTabs(line).trimEnd()).join('\n')
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  let spaced = ''
  for (const [at, part] of line.split('\t').entries()) {
    spaced += at === 0 ? part : ' '.repeat(tabWidth - (spaced.length % tabWidth)) + part
  }
  return spaced
}

const underline = /^([-=`:.'"~^_*+#])\1+$/
/** Lines that begin something else than a term or a paragraph. */
const otherStart =
  /^(?:\.\.(?: |$)|[-+*] |\(?(?:\d{1,9}|[a-z]|#|[ivxlcdm]{1,9})[.)] |:[^:\s][^:]*:(?: |$)|\||>>> |__ |[+=][-=+ ]+$)/i

const isIndented = (state: RstParserState, indent: number, at = 0) =>
  state.peekIsContent(at) && state.peekIndentSize(at) > indent

/** A term above a text with any indentation. The library accepts only one indentation in the whole file. */
const definitions: RstNodeParser<'DefinitionList'> = {
  parse(state, indent) {
    const startLineIdx = state.lineIdx
    const items: RstDefinitionListItem[] = []
    while (isTerm(state, indent)) {
      const start = state.lineIdx
      const source = { startLineIdx: start, endLineIdx: start + 1 }
      const [term = [], ...classifiers] = state.parseInlineNodesWithDelimiter(state.consume().str.trim(), source, ' : ')
      const body = state.parseBodyNodes(state.peekIndentSize(), 'DefinitionListItem')
      const whole = { startLineIdx: start, endLineIdx: state.lineIdx }
      items.push(new RstDefinitionListItem(state.registrar, whole, term, classifiers, body))
      state.consumeAllNewLines()
    }
    return items.length === 0
      ? null
      : new RstDefinitionList(state.registrar, { startLineIdx, endLineIdx: state.lineIdx }, items)
  },
}

function isTerm(state: RstParserState, indent: number): boolean {
  const line = state.peek()?.str.trim() ?? ''
  return (
    state.peekIsContent() &&
    state.peekIndentSize() === indent &&
    isIndented(state, indent, 1) &&
    !otherStart.test(line) &&
    !underline.test(line) &&
    // the indented lines are code
    !line.endsWith('::')
  )
}

/** Any text with more indentation than the text around it. */
const quotes: RstNodeParser<'Blockquote'> = {
  parse(state, indent, _, before) {
    if (!isIndented(state, indent) || startsCode(before)) return null
    const startLineIdx = state.lineIdx
    const children = state.parseBodyNodes(state.peekIndentSize(), 'Blockquote')
    return new RstBlockquote(state.registrar, { startLineIdx, endLineIdx: state.lineIdx }, children)
  },
}

/** Below such a paragraph, an indented text is code. */
export function startsCode(node: RstNode | undefined): boolean {
  return node instanceof RstParagraph && node.children.at(-1)?.textContent.endsWith('::') === true
}

/** A line above `::` or `...`, which are too short to make it a title. The library would make it one. */
const paragraphs: RstNodeParser<'Paragraph'> = {
  parse(state, indent, parentType) {
    const line = state.peek()?.str.trim() ?? ''
    const below = state.peek(1)?.str.trim() ?? ''
    const isShort = underline.test(below) && below.length < Math.min(4, line.length)
    const hasOverline = underline.test(line)
    if (!isShort || hasOverline || otherStart.test(line) || state.peekIndentSize() !== indent) return null
    const startLineIdx = state.lineIdx
    const text = state.parseBodyText(indent, parentType, /\S/)
    const source = { startLineIdx, endLineIdx: state.lineIdx }
    return new RstParagraph(state.registrar, source, state.parseInlineNodes(text, source))
  },
}
