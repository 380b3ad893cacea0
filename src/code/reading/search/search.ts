/** repository.search: places in the code of connected repositories, one for each file, best first. */
import { boundCursor } from '../../../access/bound-cursor.ts'
import { defineQuery } from '../../../operation.ts'
import type { CodeFile } from '../../stored/file.ts'
import type { CodeStore } from '../../stored/store.ts'
import { languageNamed } from '../languages.ts'
import { placeUrl } from '../place-url.ts'
import type { ServedRepository } from '../repositories.ts'
import { type SearchCodeInput, type SearchCodeOutput, searchCodeInput, searchCodeOutput } from '../schema.ts'
import { scopeOf } from '../scope.ts'
import { askedOf, type Hit, hitsOf } from './hits.ts'
import { assertPattern, type CodeQuery, parseCodeQuery } from './query.ts'
import { compareFiles } from './rank.ts'
import { snippetOf } from './snippet.ts'
import { parsedFiles } from './texts.ts'

type Item = SearchCodeOutput['items'][number]

/** Of the last hit shown. */
type Position = Pick<CodeFile, 'repository' | 'path'> & { score: number }

export const searchCode = defineQuery<SearchCodeInput, SearchCodeOutput>({
  name: 'repository.search',
  scope: 'repos:read',
  summary: 'Finds places in the code of connected repositories by words, by exact text, and by filters.',
  input: searchCodeInput,
  output: searchCodeOutput,

  async run({ input, actor, reads }) {
    const { cursor: given, limit, compact, ...asking } = input
    const query = queryOf(input)
    const cursor = boundCursor<Position>(reads, actor, 'search', ['repository.search', asking], given)
    const names = query.wanted.repos.length > 0 ? query.wanted.repos : undefined
    const field = input.repo === undefined ? 'q' : 'repo'
    const { scope, store } = await scopeOf(reads.code, actor, { wanted: names, unwanted: query.unwanted.repos }, field)
    const languages = new Set([...scope.served.values()].flatMap((row) => Object.keys(row.languages)))
    const asked = askedOf(query, languages)
    const { coverage } = scope
    if (store === undefined || scope.served.size === 0) return { items: [], coverage }
    const hits = await hitsOf({ query, asked, scope, store, actor })
    const after = cursor.position
    const left =
      after === undefined
        ? hits
        : hits.filter((hit) => compareFiles(placeOf(hit), { file: after, score: after.score }) > 0)
    const page = left.slice(0, limit)
    const items = await itemsOf(page, {
      served: scope.served,
      store,
      terms: asked.terms,
      texts: query.wanted.texts,
      compact,
    })
    const last = page.at(-1)
    const hasMore = left.length > page.length && last !== undefined
    return { items, coverage, ...(hasMore ? { next_cursor: cursor.next(positionOf(last)) } : {}) }
  },
})

const placeOf = ({ file, score }: Hit) => ({ file, score })
const positionOf = ({ file: { repository, path }, score }: Hit): Position => ({ repository, path, score })

/** Parameters and the text of the query ask for the same things. */
function queryOf({ q, repo, language, path }: SearchCodeInput): CodeQuery {
  const { words, wanted, unwanted } = parseCodeQuery(q)
  if (path !== undefined) assertPattern('path', path)
  return {
    words,
    unwanted,
    wanted: {
      ...wanted,
      // of two ways to name repositories or a place, the parameter decides
      repos: repo ?? wanted.repos,
      languages: language === undefined ? wanted.languages : [languageNamed(language)],
      paths: path === undefined ? wanted.paths : [path],
    },
  }
}

interface Showing {
  served: ReadonlyMap<string, ServedRepository>
  store: CodeStore
  terms: readonly string[]
  texts: readonly string[]
  /** Only the first line of each snippet. */
  compact: boolean
}

async function itemsOf(page: readonly Hit[], { served, store, terms, texts, compact }: Showing): Promise<Item[]> {
  const hits = new Map(page.map((hit) => [hit.file.content, hit]))
  const items = new Map<string, Item>()
  for await (const { file, parsed } of parsedFiles(
    page.map((hit) => hit.file),
    store.documents,
  )) {
    const { chunk: at, score } = hits.get(file.content) as Hit
    const chunk = parsed.chunks[at]
    if (chunk === undefined) continue
    const symbol = chunk.symbol === undefined ? undefined : parsed.symbols[chunk.symbol]
    const { name, commit, url } = served.get(file.repository) as ServedRepository
    const shown = await snippetOf(parsed.text.split(/\r?\n/), chunk, terms, texts)
    items.set(file.content, {
      repo: name,
      path: file.path,
      commit,
      ...(file.language === null ? {} : { language: file.language }),
      ...(symbol === undefined ? {} : { symbol: symbol.name, kind: symbol.kind }),
      ...shown,
      ...(compact ? { snippet: firstLine(shown.snippet) } : {}),
      score: Math.round(score * 10_000) / 10_000,
      url: placeUrl(url, commit, file.path, shown.lines),
    })
  }
  return page.flatMap(({ file }) => items.get(file.content) ?? [])
}

/** The first line that says something: code, or the words of a comment. */
function firstLine(snippet: string): string {
  const lines = snippet.split('\n')
  return (lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines[0] ?? '').trim()
}
