/**
 * Reads YAML of an operator, and knows the line and column of every value in it. Bounds what the parser would spend on a
 * hostile text: it compares all keys of a map with each other, and ends the whole process if values are nested too deep.
 */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)
/** Loaded with the first file: processes without one need 3 MB less. Settings are read before anything can be awaited. */
const library = () => require('yaml') as typeof Yaml

export interface Place {
  line: number
  column: number
}

/** Something that the operator must correct. */
export interface Flaw extends Place {
  message: string
}

export interface ReadYaml {
  /** undefined: the text is empty. */
  value: unknown
  /** Of the value at this path, or of its key. If it is missing: of what should hold it. */
  placeOf(path: readonly PropertyKey[], part: 'value' | 'key'): Place
}

/** Levels. The file of an operator needs six. */
const deepest = 20
/** Spaces. Together with `deepest` it bounds the levels of blocks. */
const widestIndent = 100
/** Words, signs and spaces. A rule has about 30; parsing this many takes less than a second. */
const mostTokens = 200_000
const mostAliases = 100
/** Also those that YAML allows: a file that a person wrote has none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const controlCharacter = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** Returns every flaw if there is one. */
export function readYaml(text: string): ReadYaml | Flaw[] {
  const { LineCounter, parseDocument } = library()
  const early = flawBeforeParsing(text)
  if (early !== undefined) return [{ ...placeIn(text, early.offset), message: early.message }]
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // would compare each key with every other one: keyFlaws() does it instead
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // less than this would hide a second document
    logLevel: 'error',
    lineCounter: lines,
  })
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const parsing = [...document.errors, ...document.warnings].map((error) => ({
    offset: error.pos[0],
    message: `is not valid YAML: ${shown(error)}`,
  }))
  const flaws = parsing.length > 0 ? parsing : flawsIn(document)
  if (flaws.length > 0) return flaws.map(({ offset, message }) => ({ ...place(offset), message }))
  return {
    value: document.contents === null ? undefined : document.toJS({ maxAliasCount: -1 }),
    placeOf: (path, part) => place(offsetOf(document, path, part)),
  }
}

interface FlawAt {
  offset: number
  message: string
}

function flawBeforeParsing(text: string): FlawAt | undefined {
  const control = text.search(controlCharacter)
  if (control >= 0) return { offset: control, message: 'has a control character: remove it' }
  const indented = new RegExp(`^ {${widestIndent + 1}}`, 'm').exec(text)
  if (indented) return { offset: indented.index, message: `is indented by more than ${widestIndent} spaces: use fewer` }
  return tooMuch(text)
}

/** Marks that the lexer puts between the parts of the text. */
const marks: readonly string[] = ['\u0002', '\u0018', '\u001f']

function tooMuch(text: string): FlawAt | undefined {
  const { CST, Lexer } = library()
  let offset = 0
  let tokens = 0
  let flow = 0
  let inLine = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (marks.includes(lexeme)) continue
    const type = CST.tokenType(lexeme)
    tokens += 1
    if (type === 'flow-seq-start' || type === 'flow-map-start') flow += 1
    else if (type === 'flow-seq-end' || type === 'flow-map-end') flow -= 1
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') inLine += 1
    else if (type === 'newline') inLine = 0
    if (flow > deepest || inLine > deepest)
      return { offset, message: `is nested more than ${deepest} levels deep: use fewer` }
    if (tokens > mostTokens) return { offset, message: 'is beyond what a file may contain: leave something out' }
    offset += lexeme.length
  }
  return undefined
}

/** What YAML allows, but this file does not. */
function flawsIn(document: Yaml.Document): FlawAt[] {
  const { isAlias, isMap, visit } = library()
  const flaws: FlawAt[] = []
  const anchors = new Set<string>()
  let aliases = 0
  visit(document, {
    Node(_, node, path) {
      if (isMap(node)) flaws.push(...keyFlaws(node))
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor)
        return undefined
      }
      aliases += 1
      const message = aliases > mostAliases ? tooManyAliases : aliasFlaw(node, anchors, path)
      if (message !== undefined) flaws.push({ offset: node.range?.[0] ?? 0, message })
      return aliases > mostAliases ? visit.BREAK : undefined
    },
  })
  return flaws
}

const tooManyAliases = `is one of more than ${mostAliases} aliases in the file: write it out`

function aliasFlaw({ source }: Yaml.Alias, anchors: ReadonlySet<string>, path: readonly unknown[]): string | undefined {
  const { isMap, isSeq } = library()
  if (!anchors.has(source)) return 'names no anchor above it: correct the name after *'
  const isRepeated = path.some((holder) => (isMap(holder) || isSeq(holder)) && holder.anchor !== undefined)
  // if what aliases repeat had aliases too, a small file could become huge
  return isRepeated ? 'is an alias inside a value with an anchor: write it out' : undefined
}

function keyFlaws(map: Yaml.YAMLMap): FlawAt[] {
  const { isNode } = library()
  const known = new Set<string>()
  return map.items.flatMap(({ key }) => {
    const name = nameOf(key)
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
    const isAgain = known.has(name)
    known.add(name)
    if (name === '__proto__') return [{ offset, message: 'is a name that is not allowed: choose another' }]
    return isAgain ? [{ offset, message: 'is a name that this map already has: leave one out' }] : []
  })
}

function offsetOf(document: Yaml.Document, path: readonly PropertyKey[], part: 'value' | 'key'): number {
  const { isAlias, isMap, isNode, isSeq } = library()
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const [at, step] of path.entries()) {
    const held = isAlias(node) ? node.resolve(document) : node
    const pair = isMap(held) ? held.items.find(({ key }) => nameOf(key) === String(step)) : undefined
    const next = isSeq(held) ? held.items[Number(step)] : pair?.value
    const isKey = pair !== undefined && (part === 'key' || at < path.length - 1)
    const shownNode = isKey || next === null ? (pair?.key ?? next) : next
    if (!isNode(shownNode)) return offset
    offset = shownNode.range?.[0] ?? offset
    node = next
  }
  return offset
}

function nameOf(key: unknown): string {
  return library().isScalar(key) ? String(key.value) : ''
}

/** Messages of the parser that quote the file in their middle. */
const unquoted: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'Tags are not supported: remove the word that begins with !',
  BAD_DIRECTIVE: 'Directives are not supported: remove the line that begins with %',
  BAD_DQ_ESCAPE: 'Invalid escape sequence: write \\\\ for a backslash, or use single quotes',
}

/** Never shows what the message quotes from the file: that may be a secret. */
function shown({ code, message }: Yaml.YAMLError): string {
  return unquoted[code] ?? message.replace(/(?<=\w): .*$/s, '')
}

function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - start + 1 }
}
