/** The files that fit a code search, best first, each with the lines to show. */
import type { Actor } from '../../../access/actor.ts'
import { audiencesOf } from '../../../access/actor.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import type { SearchFilter } from '../../../ports/search.ts'
import { invalid } from '../../../problem.ts'
import { analyze } from '../../../text/analyzer.ts'
import { maxTerms, termsOf } from '../../../text/query.ts'
import type { CodeFile } from '../../stored/file.ts'
import { hasWildcards, matcherOf } from '../../stored/path-patterns.ts'
import { type CodeKind, codeIndex, tagOf } from '../../stored/search-document.ts'
import type { CodeStore } from '../../stored/store.ts'
import { codeSymbols } from '../../stored/symbol.ts'
import type { Scope } from '../scope.ts'
import { filesOf } from '../shown-contents.ts'
import type { CodeQuery } from './query.ts'
import { type Asked, compareFiles, rankFiles } from './rank.ts'
import { type Budget, everyFile, holds, type Parsed, parsedFiles, wholeBudget } from './texts.ts'

export interface Hit {
  file: CodeFile
  /** The index of the chunk that is shown. */
  chunk: number
  score: number
}

interface Searching {
  query: CodeQuery
  asked: Asked
  scope: Scope
  store: CodeStore
  actor: Actor
  budget: Budget
}

const mostCandidates = 200
/** Files that only hold a text in quotes, and none of the words as the index has them. Below all others. */
const textScore = 0.01
/** Hits that are enough, so that no more files are read through for a text. */
const enoughHits = 50

/** Languages whose names say what code does, as in `parse json` and `build the html of a mail`. */
const alsoWords = new Set(
  'batch c cmake css csv d html ini json less make markdown nix r sql text toml xml yaml'.split(' '),
)

/** The tokens of a query without words that only name a language: those are in few texts of that language. */
export function askedOf({ words, wanted }: CodeQuery, languages: ReadonlySet<string>): Asked {
  const isLanguage = (word: string) => languages.has(word.toLowerCase()) && !alsoWords.has(word.toLowerCase())
  const others = words.split(/\s+/).filter((word) => !isLanguage(word))
  const kept = others.length > 0 && others.some((word) => word !== '') ? others.join(' ') : words
  const text = [kept, ...wanted.symbols, ...wanted.texts].join(' \n ')
  return { tokens: analyze(text), ...termsOf(text, maxTerms) }
}

export async function hitsOf(given: Omit<Searching, 'budget'>): Promise<Hit[]> {
  const { query, asked } = given
  const searching = { ...given, budget: wholeBudget() }
  if (asked.terms.length === 0 && query.wanted.texts.length + query.wanted.symbols.length === 0) {
    throw invalid('q', 'has no word to look for: add a word, "a text in quotes" or symbol:NAME')
  }
  const hits = await indexed(searching)
  if (query.wanted.symbols.length > 0) return [...hits, ...(await named(searching, hits))].sort(compareFiles)
  const known = new Set(hits.map(({ file }) => file.content))
  if (query.wanted.texts.length > 0 && hits.length < enoughHits) hits.push(...(await readThrough(searching, known)))
  return hits.sort(compareFiles)
}

async function indexed(searching: Searching): Promise<Hit[]> {
  const { query, asked, scope, store } = searching
  if (asked.terms.length === 0) return []
  // a path that names a folder or a file is a tag; the beginning of a name is not, but the folder around it is
  for (const folders of [query.wanted.paths.map(literalOf), query.wanted.paths.map(folderOf)]) {
    const filter = filterOf(searching, folders)
    const { items, statistics } = await store.search.candidates(codeIndex, filter, asked, mostCandidates)
    const contents = items.map(({ record_id }) => record_id)
    const shown = await filesOf(contents, scope.served, store.documents)
    const files = await fitting(shown, query)
    const ranked = rankFiles(items, statistics, files, asked, query.words)
    const hits = needsParsed(query) ? await verified(ranked, searching) : ranked.map(firstChunk)
    if (hits.length > 0 || query.wanted.paths.length === 0) return hits
  }
  return []
}

/** Symbols of one name that are looked at. */
const mostSymbols = 200

/** Files that define a wanted symbol and that the index did not find: many files may use a name that few define. */
async function named(searching: Searching, known: readonly Hit[]): Promise<Hit[]> {
  const { query, scope, store, actor, budget } = searching
  const contents = new Set<string>()
  for (const symbol of query.wanted.symbols) {
    const where = {
      workspace: actor.workspace,
      audience: { in: audiencesOf(actor) },
      name_key: symbol.toLowerCase(),
    }
    const fields = ['content'] as const
    const rows = await store.documents.find(codeSymbols, { where, limit: mostSymbols, fields })
    for (const { content } of rows) contents.add(content)
  }
  for (const { file } of known) contents.delete(file.content)
  const files = await fitting(await filesOf(contents, scope.served, store.documents), query)
  const hits: Hit[] = []
  for await (const { file, parsed } of parsedFiles(files.values(), store.documents, budget)) {
    const chunk = chunkThatFits(parsed, query, [])
    if (chunk !== undefined) hits.push({ file, chunk, score: textScore })
  }
  return hits
}

const firstChunk = ({ file, chunks, score }: ReturnType<typeof rankFiles>[number]): Hit => {
  return { file, chunk: chunks[0] as number, score }
}

function filterOf({ actor, query, scope }: Searching, folders: readonly string[]): SearchFilter<CodeKind> {
  const { repos, languages } = query.wanted
  const isPartial = repos.length > 0 || query.unwanted.repos.length > 0
  const tags = [
    isPartial ? [...scope.served.keys()].map(tagOf.repository) : [],
    languages.map(tagOf.language),
    folders.every((folder) => folder !== '') ? folders.map(tagOf.path) : [],
  ].filter((list) => list.length > 0)
  return {
    workspace: actor.workspace,
    audiences: audiencesOf(actor),
    kinds: ['chunk'],
    ...(tags.length > 0 ? { tags } : {}),
  }
}

/** The part of a pattern that is a path: all of it, or the folders before the first wildcard. */
function literalOf(pattern: string): string {
  const named = pattern.replace(/\/+$/, '')
  return hasWildcards(named) ? folderOf(pattern) : named
}

function folderOf(pattern: string): string {
  const literal = pattern.split(/[*?]/)[0] as string
  return literal.slice(0, Math.max(0, literal.lastIndexOf('/')))
}

/** By path and language. */
async function fitting(files: ReadonlyMap<string, CodeFile>, query: CodeQuery): Promise<Map<string, CodeFile>> {
  const turn = inTurns()
  const fits = fitsOf(query)
  const kept = new Map<string, CodeFile>()
  for (const [content, file] of files) {
    if (fits(file)) kept.set(content, file)
    await turn()
  }
  return kept
}

function fitsOf({ wanted, unwanted }: CodeQuery): (file: CodeFile) => boolean {
  const placeOf = (pattern: string) =>
    hasWildcards(pattern) ? matcherOf(pattern) : (path: string) => path.startsWith(pattern)
  const [inside, outside] = [wanted.paths.map(placeOf), unwanted.paths.map(placeOf)]
  return ({ path, language }) =>
    (inside.length === 0 || inside.some((isAt) => isAt(path))) &&
    !outside.some((isAt) => isAt(path)) &&
    (wanted.languages.length === 0 || wanted.languages.includes(language ?? '')) &&
    !unwanted.languages.includes(language ?? '')
}

function needsParsed({ wanted, unwanted }: CodeQuery): boolean {
  return [wanted, unwanted].some(({ texts, symbols }) => texts.length > 0 || symbols.length > 0)
}

/** Those that hold the texts and define the symbols, each with the chunk that shows one. */
async function verified(ranked: ReturnType<typeof rankFiles>, { query, store, budget }: Searching): Promise<Hit[]> {
  const byContent = new Map(ranked.map((one) => [one.file.content, one]))
  const hits: Hit[] = []
  // the best first: the budget may end before the last
  const best = [...ranked].sort(compareFiles).map((one) => one.file)
  for await (const { file, parsed } of parsedFiles(best, store.documents, budget)) {
    const { chunks, score } = byContent.get(file.content) as (typeof ranked)[number]
    const chunk = chunkThatFits(parsed, query, chunks)
    if (chunk !== undefined) hits.push({ file, chunk, score })
  }
  return hits
}

async function readThrough({ query, scope, store, budget }: Searching, known: ReadonlySet<string>): Promise<Hit[]> {
  const fits = fitsOf(query)
  const hits: Hit[] = []
  const isNew = (file: CodeFile) => !known.has(file.content) && fits(file)
  for await (const { file, parsed } of everyFile(scope.served.values(), isNew, store.documents, budget)) {
    const chunk = chunkThatFits(parsed, query, [])
    if (chunk !== undefined) hits.push({ file, chunk, score: textScore })
    if (hits.length >= enoughHits) break
  }
  return hits
}

/** undefined: the file does not fit. `best`: chunks in the order of their rank; those that show what was asked win. */
function chunkThatFits(parsed: Parsed, query: CodeQuery, best: readonly number[]): number | undefined {
  const { wanted, unwanted } = query
  if (!holds(parsed.text, wanted.texts, unwanted.texts)) return undefined
  const symbolsNamed = (names: readonly string[]) => {
    const lower = new Set(names.map((name) => name.toLowerCase()))
    return [...parsed.symbols.keys()].filter((at) => lower.has(parsed.symbols[at]?.name.toLowerCase() ?? ''))
  }
  const symbols = symbolsNamed(wanted.symbols)
  if (wanted.symbols.length > 0 && symbols.length === 0) return undefined
  if (unwanted.symbols.length > 0 && symbolsNamed(unwanted.symbols).length > 0) return undefined
  const all = [...parsed.chunks.keys()]
  const order = [...best, ...all.filter((at) => !best.includes(at))]
  if (symbols.length > 0) {
    const ofSymbol = order.find((at) => symbols.includes(parsed.chunks[at]?.symbol ?? -1))
    if (ofSymbol !== undefined) return ofSymbol
  }
  const lines = wanted.texts.length === 0 ? [] : linesWith(parsed.text, wanted.texts[0] as string)
  const shows = (at: number) => {
    const { start, end } = parsed.chunks[at] as Parsed['chunks'][number]
    return lines.some((line) => line >= start && line <= end)
  }
  return (lines.length > 0 ? order.find(shows) : undefined) ?? order[0]
}

/** Places of a text that are looked at. */
const mostPlaces = 200

/** The lines, from 1, on which the text begins. */
function linesWith(text: string, wanted: string): number[] {
  const lower = text.toLowerCase()
  const lines: number[] = []
  let [line, counted] = [1, 0]
  for (let at = lower.indexOf(wanted.toLowerCase()); at !== -1 && lines.length < mostPlaces; ) {
    for (let next = lower.indexOf('\n', counted); next !== -1 && next < at; next = lower.indexOf('\n', counted)) {
      line += 1
      counted = next + 1
    }
    lines.push(line)
    at = lower.indexOf(wanted.toLowerCase(), at + 1)
  }
  return lines
}
