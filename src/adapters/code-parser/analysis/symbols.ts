/** Makes symbols of what a query found: names, containers, kinds, lines, signatures and doc comments. */
import type { CodeSymbol, SymbolKind } from '../../../ports/code-parser.ts'
import type { Language } from '../languages/language.ts'
import { aboveLines, plainWords } from './doc-comments.ts'
import type { Definition, Found } from './found.ts'
import { cut, signatureOf, startsLine } from './signature.ts'
import type { SourceLines } from './source-lines.ts'

/** Symbols of a file. One with more is data. */
export const mostSymbols = 5_000
/** Characters of a name. Longer ones are no names that somebody looks for. */
export const longestName = 300
/** Characters. */
const longestContainer = 1_000
/** Levels of containers. Deeper ones are generated. */
const deepest = 20

const types = new Set<Open['kind']>(['class', 'interface', 'enum', 'scope'])
const callables = new Set<Open['kind']>(['function', 'method'])
const values = new Set<Definition['kind']>(['constant', 'variable', 'field', 'prototype'])

interface Open extends Pick<Definition, 'kind' | 'start' | 'end' | 'bodyAt'> {
  names: readonly string[]
}

export function symbolsOf(found: Found, language: Language, lines: SourceLines, text: string): CodeSymbol[] {
  const ordered = found.definitions.sort((a, b) => a.start - b.start || b.end - a.end || a.nameAt - b.nameAt)
  const decorators = found.decorators.sort((a, b) => a.start - b.start)
  const above = aboveLines(found, lines, text)
  const aboveOf = (definition: Definition) => {
    const line = lines.at(definition.start)
    return startsLine(definition, decorators, lines, text) ? above(line) : { start: line }
  }
  const open: Open[] = []
  const symbols: CodeSymbol[] = []

  for (const definition of ordered) {
    while (open.length > 0 && !isInside(definition, open.at(-1) as Open)) open.pop()
    const around = open.at(-1)
    // local variables are nobody's search
    if (values.has(definition.kind) && around !== undefined && callables.has(around.kind)) continue
    const names = namesOf(definition, language)
    const name = names.at(-1)
    if (name === undefined || name.length > longestName) continue
    const signature = signatureOf(definition, decorators, lines, text)
    const outside = open.slice(0, deepest).flatMap((one) => one.names)
    const containers = [...outside, ...names.slice(0, -1)]
    const kind = kindOf(definition, { around, isQualified: names.length > 1, signature, language })
    // `exports.a = function a() {}` is one function
    if (around?.bodyAt !== undefined && around.bodyAt === definition.bodyAt) continue
    if (kind !== 'type') open.push({ ...definition, kind, names })
    if (kind === 'scope') continue
    const { start, ...comment } = aboveOf(definition)
    const docstring = definition.docstring
    const doc = docstring ? { doc: plainWords(text.slice(docstring.start, docstring.end)) } : comment
    symbols.push({
      name,
      kind,
      ...(containers.length > 0 && { container: cut(containers.join('/'), longestContainer) }),
      start,
      end: Math.max(start, lines.at(Math.max(definition.start, definition.end - 1))),
      signature,
      ...doc,
    })
    if (symbols.length === mostSymbols) break
  }
  return symbols.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Two names that one statement defines are beside each other. */
function isInside({ start, end }: Definition, around: Open): boolean {
  return around.end > start && !(around.start === start && around.end === end)
}

interface Place {
  around: Open | undefined
  isQualified: boolean
  signature: string
  language: Language
}

function kindOf({ kind }: Definition, { around, isQualified, signature, language }: Place): SymbolKind | 'scope' {
  if (kind === 'function' || kind === 'prototype') {
    const isMember =
      types.has(around?.kind as Open['kind']) || (language.moduleMethods === true && around?.kind === 'module')
    return isQualified || isMember ? 'method' : 'function'
  }
  if (kind !== 'field' && kind !== 'variable') return kind
  if (language.constant?.test(signature)) return 'constant'
  return around !== undefined && types.has(around.kind) ? 'field' : kind
}

/** From outside to inside, the name of the definition last. */
function namesOf({ name, receiver }: Definition, { separator }: Language): string[] {
  const plain = plainName(name)
  const qualified = separator !== undefined && plain.includes(separator) ? split(plain, separator) : [plain]
  return [...(receiver === undefined ? [] : receiverNames(receiver)), ...qualified].filter((one) => one !== '')
}

/** `operator` of C++ may be followed by anything. */
function split(name: string, separator: string): string[] {
  const operator = name.search(/\boperator\b/)
  const head = operator < 0 ? name : name.slice(0, operator)
  const names = head.split(separator).map((one) => one.trim())
  if (operator >= 0) names[names.length - 1] = name.slice(operator)
  return names.filter((one) => one !== '')
}

/** The bare name: `"a"` and `:a` are `a`, `List<T>` is `List`. */
function plainName(name: string): string {
  const oneLine = name.replace(/\s+/g, ' ').trim()
  const quoted = /^(["'`])(.*)\1$/.exec(oneLine)
  if (quoted) return quoted[2] as string
  // symbols of Ruby
  const bare = oneLine.replace(/^:(?=\w)/, '')
  const operator = bare.search(/\boperator\b/)
  if (operator >= 0) return withoutArguments(bare.slice(0, operator)) + operatorName(bare.slice(operator))
  return /^\W/.test(bare) && !bare.startsWith('~') ? bare : (/^[^(]*/.exec(withoutArguments(bare))?.[0] ?? '').trim()
}

/** `operator bool() const` is `operator bool`. */
function operatorName(name: string): string {
  return /^operator\s+[\w:<>*& ]*[\w>*&]/.exec(name)?.[0] ?? name
}

/** `Stack<Pair<A, B>>::push` is `Stack::push`. */
function withoutArguments(name: string): string {
  let rest = name
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/\s*<[^<>]*>/g, '')
  }
  return rest
}

/** `*Stack[T]` is Stack, `Foo.prototype` is Foo, `module.exports` is nothing. */
function receiverNames(receiver: string): string[] {
  const names = receiver
    .slice(0, longestName)
    .replace(/\[[^\]]*\]|<[^>]*>|["'*&()\s]/g, '')
    .split('.')
    .filter(
      (one) => /^[\w$-]+$/.test(one) && !['prototype', 'exports', 'module', 'this', 'self', 'window'].includes(one),
    )
  return names.slice(-3)
}
