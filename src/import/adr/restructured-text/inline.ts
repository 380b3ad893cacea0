/** Prints inline text of reStructuredText as Markdown. */
import {
  RstCitationRef,
  RstEmphasis,
  RstFootnoteRef,
  RstHyperlinkRef,
  RstInlineLiteral,
  RstInterpretedText,
  type RstNode,
  RstStrongEmphasis,
  RstSubstitutionRef,
} from 'rst-compiler'
import { codeSpan, escaped, link } from './escape.ts'
import type { References } from './references.ts'

/** Substitutions within substitutions that are followed. */
const mostDepth = 5

export function printInline(nodes: readonly RstNode[], references: References, depth = 0): string {
  let printed = ''
  for (const node of nodes) {
    const { start, name } = nameAcross(printed, node)
    const url = name === undefined ? undefined : references.urlOf(name)
    printed =
      name === undefined || url === undefined
        ? printed + printNode(node, references, depth)
        : start + link(escaped(name), url)
  }
  return printed
}

/** The name in `some-library_`, of which the parser takes only `library` as a reference. `start`: the text before it. */
function nameAcross(printed: string, node: RstNode): { start: string; name?: string } {
  if (!(node instanceof RstHyperlinkRef) || node.isEmbeded || node.isAnonymous) return { start: printed }
  const before = /(?<![\w.+-])[a-z][\w.+]{0,60}(?:-[\w.+]{1,60}){0,9}-$/i.exec(printed.slice(-500))?.[0]
  return before === undefined
    ? { start: printed }
    : { start: printed.slice(0, -before.length), name: before + node.label }
}

function printNode(node: RstNode, references: References, depth: number): string {
  const text = node.textContent
  if (node instanceof RstStrongEmphasis) return emphasis('**', text)
  if (node instanceof RstEmphasis) return emphasis('*', text)
  if (node instanceof RstInlineLiteral) return codeSpan(text)
  if (node instanceof RstHyperlinkRef) return printReference(node, references)
  if (node instanceof RstInterpretedText) return printRole(node.role, node.rawTextContent, references)
  if (node instanceof RstFootnoteRef || node instanceof RstCitationRef) return `[${references.footnote(text)}]`
  if (node instanceof RstSubstitutionRef) return printSubstitution(text, references, depth)
  return escaped(text)
}

/** Code inside is no code for docutils, but the author meant it. */
function emphasis(mark: string, text: string): string {
  // Markdown takes marks beside blanks as text
  const pieces = text.trim().split(/``(.+?)``/s)
  const inside = pieces.map((piece, at) => (at % 2 === 0 ? escaped(piece) : codeSpan(piece))).join('')
  return inside === '' ? '' : `${mark}${inside}${mark}`
}

function printReference(node: RstHyperlinkRef, references: References): string {
  const { label, target, isAlias, isAnonymous, isEmbeded } = node
  const isBare = !isEmbeded && !isAlias && (label === target || target === `mailto:${label}`)
  const byName = (name: string) => references.urlOf(name)
  const url = isEmbeded
    ? isAlias
      ? byName(target.slice(0, -1).replace(/^`|`$/g, ''))
      : target
    : isAnonymous
      ? references.nextAnonymous()
      : (byName(label) ?? (isAlias ? undefined : target))
  if (url === undefined) return escaped(label)
  // marks in a bare URL could be read as emphasis
  if (isBare && url === target) return /[*_~[\]\\]/.test(label) && /^[a-z]+:/i.test(url) ? `<${label}>` : label
  return link(escaped(label), url.replace(/\s+/g, ''))
}

/** Roles whose text is code. A text in single backticks without a role is too: people write it as in Markdown. */
const codeRoles =
  /^(?:title-reference|literal|code|samp|file|command|program|envvar|option|kbd|makevar|regexp|math|c|cpp|js|py|java|rb|go)$|(?:^|:)(?:class|func|meth|mod|attr|data|exc|const|obj|macro|type|member|var|enum|struct|setting|ticket-code)$/

function printRole(role: string, raw: string, references: References): string {
  const written = withoutEscapes(raw)
  const match = /^(.*?)\s*<([^<>]+)>$/s.exec(written)
  const target = match?.[2] ?? written
  const label = match?.[1] || undefined
  // `!` and `~` shorten what Sphinx shows
  const shown = label ?? target.replace(/^[!~]/, '')
  const name = role.toLowerCase()
  if (name === 'doc') return link(escaped(label ?? target), /\.\w{2,8}$/.test(target) ? target : `${target}.rst`)
  if (name === 'ref') {
    const title = references.titleAt(target)
    return title === undefined ? link(escaped(shown), target) : escaped(label ?? title)
  }
  if (name === 'pep' || name === 'rfc') return printProposal(name, label, target)
  if (name === 'strong') return emphasis('**', written)
  if (name === 'emphasis') return emphasis('*', written)
  return codeRoles.test(name) ? codeSpan(shown) : escaped(shown)
}

function printProposal(name: 'pep' | 'rfc', label: string | undefined, target: string): string {
  const number = Number.parseInt(target, 10)
  const text = label ?? `${name.toUpperCase()} ${target}`
  if (Number.isNaN(number)) return escaped(text)
  const url =
    name === 'pep'
      ? `https://peps.python.org/pep-${String(number).padStart(4, '0')}/`
      : `https://www.rfc-editor.org/rfc/rfc${number}`
  return link(escaped(text), url)
}

function printSubstitution(name: string, references: References, depth: number): string {
  const found = references.substitution(name)
  if (!found || depth >= mostDepth) return escaped(`|${name}|`)
  const written = found.children.map((child) => printInline(child.children, references, depth + 1)).join(' ')
  if (found.directive === 'replace') return written
  if (found.directive !== 'unicode') return ''
  return found.children
    .map(({ textContent }) => textContent)
    .join(' ')
    .split(/\s+/)
    .map((code) => {
      const point = Number.parseInt(/^(?:0x|x|\\x|U\+?|u)([0-9a-f]{1,6})$/i.exec(code)?.[1] ?? '', 16)
      return Number.isNaN(point) || point > 0x10ffff ? code : String.fromCodePoint(point)
    })
    .join('')
}

const withoutEscapes = (raw: string) => raw.replace(/\\(\s|.)/gs, (_, next: string) => (/\s/.test(next) ? '' : next))
