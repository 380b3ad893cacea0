/**
 * Chunks and names of symbols as documents of the search port, in an index of their own (codeIndex). The filters of
 * code are tags: `repo:<id>`, `lang:<language>`, and `path:<folder or file>` for the file and each folder around it.
 * Weights are repetitions, as in text/analyzer.ts.
 */
import { createHash } from 'node:crypto'
import type { Chunk, CodeSymbol } from '../../ports/code-parser.ts'
import type { SearchDocument, SearchEngine } from '../../ports/search.ts'
import { analyze } from '../../text/analyzer.ts'
import type { CodeFile } from './file.ts'

/** chunk: lines of a file. name: one for each distinct name of symbols in a repository, for fuzzy look-ups. */
export type CodeKind = 'chunk' | 'name'
export type CodeSearch = SearchEngine<CodeKind>
export type CodeSearchDocument = SearchDocument<CodeKind>

export const codeIndex = 'code'

export const tagOf = {
  repository: (id: string) => `repo:${id}`,
  language: (language: string) => `lang:${language}`,
  /** Of a prefix such as `src/http` or a whole path. */
  path: (path: string) => `path:${path}`,
}

export const weights = { name: 4, container: 2, path: 2, doc: 2, body: 1 }

/** `lines` of the whole file. record_id is the file's `content`, by which hits are grouped. */
export function chunkDocument(
  file: CodeFile,
  index: number,
  chunk: Chunk,
  symbol: CodeSymbol | undefined,
  lines: readonly string[],
): CodeSearchDocument {
  const body = lines.slice(chunk.start - 1, chunk.end).join('\n')
  return {
    ...common(file),
    id: chunkId(file, index),
    record_id: file.content,
    kind: 'chunk',
    title: symbol?.name ?? file.path,
    tokens: [
      ...repeated(symbol?.name, weights.name),
      ...repeated(symbol?.container, weights.container),
      ...repeated(file.path, weights.path),
      ...repeated(symbol?.doc, weights.doc - weights.body),
      ...analyze(body),
    ],
    tags: tagsOf(file),
  }
}

export function chunkId(file: Pick<CodeFile, 'content'>, index: number): string {
  return `${file.content}~${index}`
}

/** The index in `chunks` of the blob. */
export function chunkOf(candidateId: string): number {
  return Number(candidateId.slice(candidateId.lastIndexOf('~') + 1))
}

/** record_id is the name itself. It says only that the name was there once: readers look it up in code_symbols. */
export function nameDocument(file: CodeFile, name: string): CodeSearchDocument {
  return {
    ...common(file),
    id: nameId(file, name),
    record_id: name,
    kind: 'name',
    title: name,
    tokens: nameTokens(name),
    tags: [tagOf.repository(file.repository)],
  }
}

export function nameId({ repository }: Pick<CodeFile, 'repository'>, name: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([repository, name]))
    .digest('base64url')
  return `name~${hash.slice(0, 27)}`
}

/** Of a name or a query for one: trigrams, words and initials. The kinds of tokens never meet. */
export function nameTokens(name: string): string[] {
  const lower = name.toLowerCase()
  const framed = `^${lower}$`
  const words = analyze(name)
  const initials =
    name
      .match(/\p{Lu}|(?<![\p{L}\p{N}])\p{L}/gu)
      ?.join('')
      .toLowerCase() ?? ''
  const trigrams = Array.from({ length: Math.max(0, framed.length - 2) }, (_, at) => `3${framed.slice(at, at + 3)}`)
  return [
    ...new Set([...trigrams, ...words.map((word) => `w${word}`), ...(initials.length > 1 ? [`i${initials}`] : [])]),
  ]
}

const always = '1970-01-01T00:00:00.000Z'

function common({ workspace, audience, generation }: CodeFile) {
  return {
    workspace,
    audience,
    version: generation,
    valid_from: always,
    valid_to: null,
    status: null,
    category: null,
    significance: null,
    surface: null,
    entity_types: [],
  }
}

function tagsOf({ repository, language, path }: CodeFile): string[] {
  const parts = path.split('/')
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  return [
    tagOf.repository(repository),
    ...(language === null ? [] : [tagOf.language(language)]),
    ...paths.map(tagOf.path),
  ]
}

function repeated(text: string | undefined, times: number): string[] {
  if (text === undefined || times < 1) return []
  const tokens = analyze(text)
  return Array.from({ length: times }, () => tokens).flat()
}
