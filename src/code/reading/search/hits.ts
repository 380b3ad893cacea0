/** The files that fit a code search, best first, each with the chunk to show. */
import type { Actor } from '../../../access/actor.ts'
import { audiencesOf } from '../../../access/actor.ts'
import type { CodeSymbol } from '../../../ports/code-parser.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import type { SearchFilter } from '../../../ports/search.ts'
import { invalid } from '../../../problem.ts'
import { analyze } from '../../../text/analyzer.ts'
import { maxTerms, termsOf } from '../../../text/query.ts'
import { type CodeKind, tagOf } from '../../stored/search-document.ts'
import type { CodeStore } from '../../stored/store.ts'
import { codeSymbols } from '../../stored/symbol.ts'
import { indexesOf } from '../indexes.ts'
import type { Scope } from '../scope.ts'
import { type ContentFile, filesOf, shownOf } from '../shown-contents.ts'
import { askedName, isInside } from '../symbols/name.ts'
import { type Places, placesOf } from './places.ts'
import type { CodeQuery } from './query.ts'
import { type Asked, compareFiles, type RankedFile, rankFiles } from './rank.ts'
import { type Budget, everyFile, holds, type Parsed, parsedFiles, wholeBudget } from './texts.ts'

export interface Hit {
  file: ContentFile
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
  places: Places
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

/** Files that only words have found are not checked against the indexed commit: firstShown does it. */
export async function hitsOf(given: Omit<Searching, 'places' | 'budget'>): Promise<Hit[]> {
  const { query, asked, scope, store } = given
  if (asked.terms.length === 0 && query.wanted.texts.length + query.wanted.symbols.length === 0) {
    throw invalid('q', 'has no word to look for: add a word, "a text in quotes" or symbol:NAME')
  }
  const places = await placesOf(query, scope, store.documents)
  if (places.inside?.length === 0) return []
  const searching = { ...given, places, budget: wholeBudget() }
  const hits = await indexed(searching)
  if (query.wanted.symbols.length > 0) return [...hits, ...(await named(searching, hits))].sort(compareFiles)
  const known = new Set(hits.map(({ file }) => file.content))
  if (query.wanted.texts.length > 0 && hits.length < enoughHits) hits.push(...(await readThrough(searching, known)))
  return hits.sort(compareFiles)
}

async function indexed(searching: Searching): Promise<Hit[]> {
  const { query, asked, scope, store } = searching
  if (asked.terms.length === 0) return []
  const ranked: RankedFile[] = []
  const indexes = await indexesOf(scope, store.search)
  for (const { index, repositories } of indexes) {
    const filter = filterOf(searching, isPartial(query) || indexes.length > 1 ? repositories : [])
    const { items, statistics } = await store.search.candidates(index, filter, asked, mostCandidates)
    const contents = items.map(({ record_id }) => record_id)
    const files = await fitting(await filesOf(contents, scope.served, store.documents), searching)
    ranked.push(...rankFiles(items, statistics, files, asked, query.words))
  }
  return needsParsed(query) ? verified(ranked, searching) : ranked.map(firstChunk)
}

/** Symbols of one name that are looked at, and those of them whose files are read. */
const mostSymbols = 2_000
const mostDefining = 200

/** Files that define a wanted symbol and that the index did not find: many files may use a name that few define. */
async function named(searching: Searching, known: readonly Hit[]): Promise<Hit[]> {
  const { query, scope, store, actor, budget } = searching
  const contents = new Set<string>()
  const asked = isPartial(query)
    ? { repository: { in: [...scope.served.keys()] } }
    : { workspace: actor.workspace, audience: { in: audiencesOf(actor) } }
  for (const { name, containers } of query.wanted.symbols.map(askedName)) {
    const where = { ...asked, name_key: name }
    const fields = ['content', 'container'] as const
    const rows = await store.documents.find(codeSymbols, { where, limit: mostSymbols, fields })
    const inside = rows.filter(({ container }) => isInside(container, containers))
    for (const { content } of inside.slice(0, mostDefining)) contents.add(content)
  }
  for (const { file } of known) contents.delete(file.content)
  const files = await fitting(await filesOf(contents, scope.served, store.documents), searching)
  const shown = await shownOf([...files.values()], scope.served, store.documents)
  const hits: Hit[] = []
  for await (const { file, parsed } of parsedFiles(shown, store.documents, budget)) {
    const chunk = chunkThatFits(parsed, query, [])
    if (chunk !== undefined) hits.push({ file, chunk, score: textScore })
  }
  return hits
}

const firstChunk = ({ file, chunks, score }: RankedFile): Hit => {
  return { file, chunk: chunks[0] as number, score }
}

/** Not of all repositories that the caller sees. */
function isPartial({ wanted, unwanted }: CodeQuery): boolean {
  return wanted.repos.length > 0 || unwanted.repos.length > 0
}

/** `repositories`: empty if the index is searched for all that the caller sees. */
function filterOf({ actor, query, places }: Searching, repositories: readonly string[]): SearchFilter<CodeKind> {
  const { languages } = query.wanted
  const tags = [
    repositories.map(tagOf.repository),
    languages.map(tagOf.language),
    (places.inside ?? []).map(tagOf.path),
  ].filter((list) => list.length > 0)
  return {
    workspace: actor.workspace,
    audiences: audiencesOf(actor),
    kinds: ['chunk'],
    ...(tags.length > 0 ? { tags } : {}),
  }
}

/** By path and language. */
async function fitting(
  files: ReadonlyMap<string, ContentFile>,
  searching: Searching,
): Promise<Map<string, ContentFile>> {
  const turn = inTurns()
  const kept = new Map<string, ContentFile>()
  for (const [content, file] of files) {
    if (fits(file, searching)) kept.set(content, file)
    await turn()
  }
  return kept
}

function fits(file: ContentFile, { query: { wanted, unwanted }, places }: Searching): boolean {
  const language = file.language ?? ''
  return (
    places.fits(file) &&
    (wanted.languages.length === 0 || wanted.languages.includes(language)) &&
    !unwanted.languages.includes(language)
  )
}

function needsParsed({ wanted, unwanted }: CodeQuery): boolean {
  return [wanted, unwanted].some(({ texts, symbols }) => texts.length > 0 || symbols.length > 0)
}

/** Those that hold the texts and define the symbols, each with the chunk that shows one. */
async function verified(ranked: readonly RankedFile[], { query, scope, store, budget }: Searching): Promise<Hit[]> {
  const byContent = new Map(ranked.map((one) => [one.file.content, one]))
  const hits: Hit[] = []
  // the best first: the budget may end before the last
  const best = [...ranked].sort(compareFiles).map((one) => one.file)
  const shown = await shownOf(best, scope.served, store.documents)
  for await (const { file, parsed } of parsedFiles(shown, store.documents, budget)) {
    const { chunks, score } = byContent.get(file.content) as (typeof ranked)[number]
    const chunk = chunkThatFits(parsed, query, chunks)
    if (chunk !== undefined) hits.push({ file, chunk, score })
  }
  return hits
}

async function readThrough(searching: Searching, known: ReadonlySet<string>): Promise<Hit[]> {
  const { query, scope, store, places, budget } = searching
  const hits: Hit[] = []
  const looked = {
    served: scope.served.values(),
    beginnings: places.beginnings,
    fits: (file: ContentFile) => !known.has(file.content) && fits(file, searching),
    isHeld: (text: string) => holds(text, query.wanted.texts, query.unwanted.texts),
  }
  for await (const { file, parsed } of everyFile(looked, store.documents, budget)) {
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
    const asked = names.map(askedName)
    const isAsked = ({ name, container }: CodeSymbol) =>
      asked.some((one) => name.toLowerCase() === one.name && isInside(container ?? null, one.containers))
    return [...parsed.symbols.keys()].filter((at) => isAsked(parsed.symbols[at] as CodeSymbol))
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
