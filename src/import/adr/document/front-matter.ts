/**
 * Reads front matter. The YAML parser accepts plain values only: no tags that create objects, no aliases. Code in front
 * matter is never run. If it is not valid YAML, it is read line by line as `key: value`.
 */
import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument, visit } from 'yaml'
import { partialWords, wordKey } from './dictionary.ts'

export interface FrontValue {
  /** One for each list item. YAML reads `{ accepted }` as a map; here it is the word `accepted`. */
  values: string[]
  /** The maps that it is, or is a list of: their keys, by `wordKey`, and the first word of each. */
  maps?: Record<string, string>[]
  line: number
}

export interface FrontMatter {
  /** By `wordKey` of the key. */
  fields: Map<string, FrontValue>
  /** A comment in the first line. It may be the title, written in the wrong place. */
  comment?: string
  /** The rest of the file begins at this offset, after this many lines. */
  end: number
  lines: number
  notes: { line: number; message: string }[]
}

const mostCharacters = 65_536
/** UTF-16 units of YAML. A hostile text costs the YAML parser much more time than reading it line by line. */
const mostYaml = 16_384
const mostFields = 200
const mostValues = 200

export function readFrontMatter(text: string): FrontMatter {
  const none: FrontMatter = { fields: new Map(), end: 0, lines: 0, notes: [] }
  const opening = /^(?:\s*\n)?(---|\+\+\+|;;;)([^\n]*)\n/.exec(text.slice(0, 1000))
  if (!opening) return none
  const [whole, fence = '', language = ''] = opening
  const start = whole.length
  const closing = new RegExp(`^${fence.replace(/\+/g, '\\+')}[ \\t]*$`, 'm').exec(
    text.slice(start, start + mostCharacters),
  )
  if (!closing) return none
  const body = text.slice(start, start + closing.index)
  const named = language.trim()
  const isYaml = named === '' || /^ya?ml$/i.test(named)
  if (!isYaml && !/^[a-z]{1,20}$/i.test(named)) return none
  // a horizontal rule between two paragraphs is not front matter
  if (
    fence === '---' &&
    isYaml &&
    body.trim() !== '' &&
    !/^[ \t]*["']?[\p{L}_][^\n]{0,80}?[ \t]*:(?:[ \t]|$)/mu.test(body)
  ) {
    return none
  }
  const first = lineCount(whole) + 1
  const end = Math.min(text.length, start + closing.index + closing[0].length + 1)
  const result: FrontMatter = { fields: new Map(), end, lines: lineCount(text.slice(0, end)), notes: [] }
  const comment = /^#\s+(\p{Lu}[^.:\n]{4,150})$/mu.exec(body.split('\n', 1)[0] ?? '')?.[1]?.trim()
  if (comment !== undefined) result.comment = comment
  if (!isYaml) {
    const message = `front matter in ${JSON.stringify(named)} was ignored: only YAML is read`
    result.notes.push({ line: first - 1, message })
  } else if (fence === '---') readYaml(body, first, result)
  else readLines(body, first, /^\s*([\w-]+)\s*[=:]\s*(.*)$/, result)
  return result
}

function readYaml(body: string, first: number, result: FrontMatter): void {
  const note = (message: string, line = first) => result.notes.push({ line, message })
  if (body.length > mostYaml) {
    note(
      `front matter is longer than ${mostYaml} characters: only its first ${mostFields} lines were read, line by line`,
    )
    readLines(body, first, plainLine, result)
    return
  }
  try {
    const document = parseDocument(body, {
      prettyErrors: false,
      schema: 'core',
      version: '1.2',
      strict: false,
      uniqueKeys: false,
      logLevel: 'silent',
    })
    const aliases = aliasCount(document.contents)
    if (aliases > 0) note(`front matter uses ${aliases} aliases, which were ignored`)
    if (document.errors.length === 0 && isMap(document.contents)) {
      for (const { key, value } of withNested(document.contents.items).slice(0, mostFields)) {
        const name = wordsOf(key as Node | null)[0] ?? ''
        const at = isNode(key) && key.range ? key.range[0] : 0
        const line = first + lineCount(body.slice(0, at))
        const maps = mapsOf(value as Node | null)
        const values = withScope(name, wordsOf(value as Node | null), (value as Node | null)?.comment)
        result.fields.set(fieldKey(name), { values, ...(maps.length === 0 ? {} : { maps }), line })
      }
      return
    }
    const [error] = document.errors
    if (error) {
      const { line, why } = faultIn(body, error.pos[0])
      note(`front matter is not YAML${why}: read line by line`, first + line)
    }
  } catch {
    note('front matter is not YAML: read line by line')
  }
  readLines(body, first, plainLine, result)
}

/** The line with the fault, counted from 0, and what is wrong in it. Empty: it is none of the common faults. */
function faultIn(body: string, offset: number): { line: number; why: string } {
  const lines = body.split('\n')
  const line = lineCount(body.slice(0, offset))
  // the parser notices on a later line that a list is not closed
  const open = lines.slice(0, line + 1).findLastIndex((text) => /:\s*\[[^\]]*\s#/.test(text))
  const isSame = open >= 0 && lines.slice(open + 1, line).every((text) => !/^\S/.test(text))
  if (isSame) return { line: open, why: ', because “ #” in a list […] begins a comment: put that item in quotes' }
  const sign = /:\s+([`@%])/.exec(lines[line] ?? '')?.[1]
  const why = sign === undefined ? '' : `, because a value begins with “${sign}”: put it in quotes`
  return { line, why }
}

/** Fields in `meta:` are read like fields at the top level. */
function withNested(items: readonly Pair[]): Pair[] {
  return items.flatMap((item) => {
    const [name = ''] = wordsOf(item.key as Node | null)
    return isMap(item.value) && /^(?:meta|metadata|adr)$/i.test(name) ? item.value.items : item
  })
}

/** `superseded_by: ADR-23 # §5 only`: the comment says that only a part is superseded. */
function withScope(name: string, values: string[], comment: string | null | undefined): string[] {
  const isScope =
    /supersed|replac/i.test(name) && (/§|\bonly\b/.test(comment ?? '') || partialWords.test(comment ?? ''))
  return isScope && values.length === 1 ? [`${values[0]} (${comment?.trim()})`] : values
}

const plainLine = /^([\p{L}][\p{L}\p{N} _-]{0,60}?)\s*:\s*(.*)$/u

function readLines(body: string, first: number, pattern: RegExp, result: FrontMatter): void {
  for (const [at, line] of body.split('\n').slice(0, mostFields).entries()) {
    const match = pattern.exec(line.slice(0, 2000))
    if (!match) continue
    result.fields.set(fieldKey(match[1] ?? ''), { values: valuesOf((match[2] ?? '').trim()), line: first + at })
  }
}

/** A value of one line, or the items of a list such as `[ADR 3, ADR 4]`. Without quotes. */
function valuesOf(value: string): string[] {
  const list = /^\[([^[\]]*)\]$/.exec(value)?.[1]
  return (list?.split(',') ?? [value])
    .map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((one) => one !== '')
    .slice(0, mostValues)
}

/** Makes `supersededBy`, `superseded_by` and `Superseded by` the same key. */
function fieldKey(name: string): string {
  return wordKey(name.replace(/([a-z])([A-Z])/g, '$1 $2'))
}

/** Scalars in their order. Includes keys of a map without values, because people write `status: { accepted }`. */
function wordsOf(node: Node | null, depth = 0): string[] {
  if (node === null || depth > 4) return []
  if (isScalar(node)) {
    const plain = node.value === null || node.value === undefined ? '' : String(node.source ?? node.value)
    // in `superseded by #12`, YAML reads the number as a comment
    const value = /^\d+\b/.test(node.comment ?? '') ? `${plain} #${node.comment}` : plain
    return value.trim() === '' ? [] : [value.trim()]
  }
  if (isSeq(node)) return node.items.slice(0, mostValues).flatMap((item) => wordsOf(item as Node | null, depth + 1))
  if (isMap(node)) {
    return node.items.slice(0, mostValues).flatMap(({ key, value }) => {
      const name = wordsOf(key as Node | null, depth + 1)
      const words = wordsOf(value as Node | null, depth + 1)
      // {name: Ada, email: …} means its values
      return words.length > 0 ? words : name
    })
  }
  return []
}

function mapsOf(node: Node | null): Record<string, string>[] {
  const nodes = isSeq(node) ? node.items.slice(0, mostValues) : [node]
  return nodes.filter(isMap).map(({ items }) => {
    const named = items.slice(0, mostFields).flatMap(({ key, value }) => {
      const name = wordsOf(key as Node | null)[0]
      const [word] = wordsOf(value as Node | null, 1)
      return name === undefined || word === undefined ? [] : [[fieldKey(name), word] as const]
    })
    return Object.fromEntries(named)
  })
}

function aliasCount(contents: unknown): number {
  let count = 0
  if (isNode(contents)) {
    visit(contents, {
      Alias() {
        count++
      },
    })
  }
  return count
}

const lineCount = (text: string) => text.split('\n').length - 1
