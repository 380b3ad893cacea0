/** What the matches of a query say, as plain values, so that the tree can be freed. Positions are indexes in the text. */
import type { Node, QueryMatch } from 'web-tree-sitter'
import { type SymbolKind, symbolKinds } from '../../../ports/code-parser.ts'

export interface Found {
  definitions: Definition[]
  comments: Span[]
  decorators: Span[]
  /** Parts that the grammar does not understand. */
  errors: Span[]
}

export interface Definition extends Span {
  kind: SymbolKind | 'scope' | 'prototype'
  name: string
  nameAt: number
  receiver?: string
  bodyAt?: number
  docstring?: Span
}

export interface Span {
  start: number
  end: number
}

const kinds = new Set<string>([...symbolKinds, 'scope', 'prototype'])
/** Matches that are looked at. A file of 512 KB with more is data. */
const mostMatches = 100_000

export function foundIn(matches: readonly QueryMatch[], text: string): Found {
  const found: Found = { definitions: [], comments: [], decorators: [], errors: [] }
  const byName = new Map<number, { definition: Definition; pattern: number; node: number }>()
  const docstrings = new Map<number, Span>()

  for (const { captures, patternIndex } of matches.slice(0, mostMatches)) {
    const parts = new Map(captures.map(({ name, node }) => [name, node]))
    const defining = captures.find(({ name }) => kinds.has(name))
    if (defining !== undefined) {
      const definition = definitionOf(defining.name as Definition['kind'], defining.node, parts, text)
      if (definition === undefined) continue
      const earlier = byName.get(definition.nameAt)
      if (earlier === undefined || patternIndex < earlier.pattern) {
        byName.set(definition.nameAt, { definition, pattern: patternIndex, node: defining.node.id })
      }
    } else if (parts.has('docstring')) {
      const documented = parts.get('documented')
      if (documented !== undefined) docstrings.set(documented.id, spanOf(parts.get('docstring') as Node))
    } else {
      for (const { name, node } of captures) {
        if (name === 'comment') found.comments.push(spanOf(node))
        else if (name === 'decorator') found.decorators.push(spanOf(node))
        else if (name === 'error') found.errors.push(spanOf(node))
      }
    }
  }
  for (const { definition, node } of byName.values()) {
    const docstring = docstrings.get(node)
    found.definitions.push(docstring === undefined ? definition : { ...definition, docstring })
  }
  return found
}

function definitionOf(
  kind: Definition['kind'],
  node: Node,
  parts: ReadonlyMap<string, Node>,
  text: string,
): Definition | undefined {
  const declared = parts.get('declarator')
  const nameNode = parts.get('name') ?? (declared ? nameInside(declared) : node.childForFieldName('name'))
  if (!nameNode) return undefined
  const { start, end } = spanOf(node)
  const receiver = parts.get('receiver')
  const body = parts.get('body') ?? (declared || parts.has('name') ? undefined : node.childForFieldName('body'))
  return {
    kind: kind === 'prototype' && !(declared !== undefined && declaresFunction(declared)) ? 'field' : kind,
    start,
    end: start + text.slice(start, end).trimEnd().length,
    name: declared
      ? withoutMacros(text.slice(nameNode.startIndex, nameNode.endIndex))
      : text.slice(nameNode.startIndex, nameNode.endIndex),
    nameAt: nameNode.startIndex,
    ...(receiver && { receiver: text.slice(receiver.startIndex, receiver.endIndex) }),
    ...(body && { bodyAt: body.startIndex }),
  }
}

const declaredNames = new Set([
  ...['identifier', 'field_identifier', 'type_identifier', 'qualified_identifier', 'destructor_name', 'operator_name'],
  ...['operator_cast', 'template_function'],
])
/** A declarator nested deeper than this is no code that somebody wrote. */
const deepest = 12

/** C and C++ write the type around the name: in `int *(*f)(int)` the name is `f`. */
function nameInside(declarator: Node): Node | undefined {
  let node: Node | null = declarator
  for (let depth = 0; node !== null && depth < deepest; depth += 1) {
    if (declaredNames.has(node.type)) return node
    node = node.childForFieldName('declarator') ?? node.firstNamedChild
  }
  return undefined
}

/** A macro before a type, as in `EXPORT int f()`, makes the grammar take `int f` for a name. */
function withoutMacros(name: string): string {
  return name.replace(/^(?:[\w&*]+\s+)+(?=operator\b|[\w:~<>, ]+$)/, '')
}

/** A pointer to a function, `int (*f)(int)`, is no function. */
function declaresFunction(declarator: Node): boolean {
  let node: Node | null = declarator
  for (let depth = 0; node !== null && depth < deepest; depth += 1) {
    if (node.type === 'operator_cast') return true
    if (node.type === 'function_declarator') {
      return node.childForFieldName('declarator')?.type !== 'parenthesized_declarator'
    }
    node = node.childForFieldName('declarator') ?? node.firstNamedChild
  }
  return false
}

function spanOf(node: Node): Span {
  return { start: node.startIndex, end: node.endIndex }
}
