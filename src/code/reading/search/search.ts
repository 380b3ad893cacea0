/** repository.search: places in the code of connected repositories, one for each file, best first. */
import type { Actor } from '../../../access/actor.ts'
import { boundCursor } from '../../../access/bound-cursor.ts'
import { defineQuery } from '../../../operation.ts'
import { unpackLines } from '../../stored/blob.ts'
import type { CodeFile } from '../../stored/file.ts'
import type { CodeReads, CodeStore } from '../../stored/store.ts'
import { languageNamed } from '../languages.ts'
import { placeUrl } from '../place-url.ts'
import type { ServedRepository } from '../repositories.ts'
import { type SearchCodeInput, type SearchCodeOutput, searchCodeInput, searchCodeOutput } from '../schema.ts'
import { hasMoved, mostReads, scopeOf } from '../scope.ts'
import { firstShown } from '../shown-contents.ts'
import { askedOf, type Hit, hitsOf } from './hits.ts'
import { assertPatterns, type CodeQuery, parseCodeQuery } from './query.ts'
import { compareFiles } from './rank.ts'
import { snippetOf } from './snippet.ts'
import { packedFiles } from './texts.ts'

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
    for (let read = 1; ; read++) {
      const { scope, store } = await scopeFor(query, input, actor, reads.code)
      const { coverage, served } = scope
      const languages = new Set([...served.values()].flatMap((row) => Object.keys(row.languages)))
      const asked = askedOf(query, languages)
      if (store === undefined || served.size === 0) return { items: [], coverage }
      const hits = await hitsOf({ query, asked, scope, store, actor })
      // one more than the page has, to tell whether another page follows
      const shown = await firstShown(hitsAfter(hits, cursor.position), limit + 1, served, store.documents)
      const page = shown.slice(0, limit)
      const items = await itemsOf(page, { served, store, terms: asked.terms, texts: query.wanted.texts, compact })
      if (read < mostReads && (await hasMoved(scope, repositoriesOf(page), store))) continue
      const last = page.at(-1)
      const hasMore = shown.length > page.length && last !== undefined
      return { items, coverage, ...(hasMore ? { next_cursor: cursor.next(positionOf(last)) } : {}) }
    }
  },
})

function scopeFor({ wanted, unwanted }: CodeQuery, input: SearchCodeInput, actor: Actor, code: CodeReads | undefined) {
  const names = wanted.repos.length > 0 ? wanted.repos : undefined
  return scopeOf(code, actor, { wanted: names, unwanted: unwanted.repos }, input.repo === undefined ? 'q' : 'repo')
}

const repositoriesOf = (page: readonly Hit[]) => page.map(({ file }) => file.repository)

function hitsAfter(hits: readonly Hit[], after: Position | undefined): readonly Hit[] {
  if (after === undefined) return hits
  return hits.filter((hit) => compareFiles(placeOf(hit), { file: after, score: after.score }) > 0)
}

const placeOf = ({ file, score }: Hit) => ({ file, score })
const positionOf = ({ file: { repository, path }, score }: Hit): Position => ({ repository, path, score })

/** Parameters and the text of the query ask for the same things. */
function queryOf({ q, repo, language, path }: SearchCodeInput): CodeQuery {
  const { words, wanted, unwanted } = parseCodeQuery(q)
  if (path !== undefined) assertPatterns('path', [path, ...unwanted.paths])
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
  const files = page.map((hit) => hit.file)
  for await (const { file, packed } of packedFiles(files, store.documents, { bytes: Number.POSITIVE_INFINITY })) {
    const { chunk: at, score } = hits.get(file.content) as Hit
    const chunk = packed.chunks[at]
    if (chunk === undefined) continue
    const symbol = chunk.symbol === undefined ? undefined : packed.symbols[chunk.symbol]
    const { name, commit, url } = served.get(file.repository) as ServedRepository
    const shown = await snippetOf(unpackLines(packed.text, chunk), chunk.start, terms, texts)
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
