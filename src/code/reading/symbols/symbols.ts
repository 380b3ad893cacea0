/** repository.symbols: where names are defined in connected repositories. */
import { boundCursor } from '../../../access/bound-cursor.ts'
import { defineQuery } from '../../../operation.ts'
import { nameKey } from '../../stored/repository.ts'
import { languageNamed } from '../languages.ts'
import { type FindSymbolsInput, type FindSymbolsOutput, findSymbolsInput, findSymbolsOutput } from '../schema.ts'
import { hasMoved, mostReads, scopeOf } from '../scope.ts'
import {
  compareDefinitions,
  compareLines,
  type Definition,
  definitionsIn,
  definitionsOf,
  type Looking,
  type Match,
  type Placed,
} from './find.ts'
import { askedName } from './name.ts'

type Item = FindSymbolsOutput['items'][number]

interface Position {
  /** Of the page before: without `match`, prefixes stand in for an exact name that nothing has. */
  match: Match
  last: Placed
}

export const findSymbols = defineQuery<FindSymbolsInput, FindSymbolsOutput>({
  name: 'repository.symbols',
  scope: 'repos:read',
  summary: 'Where functions, classes and other names are defined in connected repositories.',
  input: findSymbolsInput,
  output: findSymbolsOutput,

  async run({ input, actor, reads }) {
    const { cursor: given, limit, compact, ...asking } = input
    const query = ['repository.symbols', { ...asking, repo: asking.repo?.map(nameKey) }]
    const cursor = boundCursor<Position>(reads, actor, 'search', query, given)
    for (let read = 1; ; read++) {
      const { scope, store } = await scopeOf(reads.code, actor, { wanted: input.repo }, 'repo')
      const { coverage } = scope
      if (store === undefined || scope.served.size === 0) return { items: [], coverage }
      const looking = { ...wantedBy(input), isNarrowed: input.repo !== undefined, scope, store, actor }
      const { match, found } =
        input.name === undefined
          ? { match: 'exact' as const, found: await definitionsIn(looking) }
          : await matching(input.match ?? cursor.position?.match, looking)
      if (read < mostReads && (await hasMoved(scope, scope.served.keys(), store))) continue
      const left = definitionsAfter(
        found,
        cursor.position,
        input.name === undefined ? compareLines : compareDefinitions,
      )
      const page = left.slice(0, limit)
      const items = page.map((one) => itemOf(one, looking, match, compact))
      const last = page.at(-1)
      const hasMore = left.length > page.length && last !== undefined
      return { items, coverage, ...(hasMore ? { next_cursor: cursor.next({ match, last: placeOf(last) }) } : {}) }
    }
  },
})

function wantedBy({ name, kind, language, path }: FindSymbolsInput) {
  return {
    asked: askedName(name ?? ''),
    path,
    kind,
    language: language === undefined ? undefined : languageNamed(language),
  }
}

function definitionsAfter(
  found: readonly Definition[],
  position: Position | undefined,
  compare: typeof compareDefinitions,
): readonly Definition[] {
  return position === undefined ? found : found.filter((one) => compare(one, position.last) > 0)
}

async function matching(match: Match | undefined, looking: Looking): Promise<{ match: Match; found: Definition[] }> {
  const exact = match ?? 'exact'
  const found = await definitionsOf(exact, looking)
  if (found.length > 0 || match !== undefined) return { match: exact, found }
  return { match: 'prefix', found: await definitionsOf('prefix', looking) }
}

function placeOf({ row: { id, path, repository, start, name }, score, repeats }: Definition): Placed {
  return { row: { id, path, repository, start, name }, score, repeats }
}

function itemOf({ row, score }: Definition, { scope }: Looking, match: Match, compact: boolean): Item {
  const repository = scope.served.get(row.repository)
  return {
    name: row.name,
    kind: row.kind,
    ...(row.container === null ? {} : { container: row.container }),
    repo: repository?.name ?? '',
    path: row.path,
    commit: repository?.commit ?? '',
    lines: { start: row.start, end: row.end },
    signature: row.signature,
    ...(row.doc === null || compact ? {} : { doc: row.doc }),
    ...(match === 'exact' ? {} : { score: Math.round(score * 10_000) / 10_000 }),
  }
}
