/** The definitions of a name that are shown, in the order in which they are listed. */
import { type Actor, audiencesOf } from '../../../access/actor.ts'
import type { Audience } from '../../../ids.ts'
import { chunks } from '../../../ports/chunks.ts'
import type { SymbolKind } from '../../../ports/code-parser.ts'
import type { Where } from '../../../ports/documents.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import { pathKind } from '../../stored/path-kind.ts'
import { nameTokens, tagOf } from '../../stored/search-document.ts'
import { shownFiles } from '../../stored/shown-files.ts'
import type { CodeStore } from '../../stored/store.ts'
import { type CodeSymbolRow, codeSymbols } from '../../stored/symbol.ts'
import { indexesOf } from '../indexes.ts'
import type { Scope } from '../scope.ts'
import { shownOf } from '../shown-contents.ts'
import { type AskedName, isInside, likeness } from './name.ts'

export type Match = 'exact' | 'prefix' | 'fuzzy'

export interface Definition {
  row: CodeSymbolRow
  /** How like the name is to the one asked for: 0 to 1. */
  score: number
  /** Definitions of the same name before it. A list by likeness shows each name once before it repeats one. */
  repeats: number
}

export interface Looking {
  asked: AskedName
  /** Only in this file. */
  path: string | undefined
  kind: SymbolKind | undefined
  language: string | undefined
  /** The caller has named the repositories. */
  isNarrowed: boolean
  scope: Scope
  store: CodeStore
  actor: Actor
}

/** Definitions that are read and put in order; a name that has more can be narrowed by repository. */
const mostRows = 2_000
/** Names that are like the one asked for. */
const mostNames = 50
const leastLikeness = 0.5
const namesAtOnce = 25

export async function definitionsOf(match: Match, looking: Looking): Promise<Definition[]> {
  const { name } = looking.asked
  if (match === 'fuzzy') return similar(looking)
  const keys = match === 'exact' ? name : { gte: name, lt: `${name}\u{10ffff}` }
  const rows = await shown(await rowsOf(keys, looking), looking)
  return ordered(rows.map((row) => ({ row, score: likeness(looking.asked.written, row.name), repeats: 0 })))
}

/** All definitions in the file, in the order of their lines. */
export async function definitionsIn(looking: Looking): Promise<Definition[]> {
  const { path, scope, store } = looking
  const found: Definition[] = []
  for (const repository of scope.served.values()) {
    const [file] = await shownFiles(repository, path === undefined ? [] : [path], store.documents)
    if (file === undefined) continue
    const where = { repository: repository.id, content: file.content }
    const rows = await store.documents.find(codeSymbols, { where, sort: [['id', 'asc']], limit: mostRows })
    found.push(...(await shown(rows, looking)).map((row) => ({ row, score: 1, repeats: 0 })))
  }
  return found.sort(compareLines)
}

async function similar(looking: Looking): Promise<Definition[]> {
  const { asked, actor, scope, store, isNarrowed } = looking
  // the query may be the initials of a name
  const terms = [...new Set([...nameTokens(asked.written).slice(0, 63), `i${asked.name.slice(0, 60)}`])]
  const query = { terms, weights: terms.map(() => 1) }
  const indexes = await indexesOf(scope, store.search)
  const like: string[] = []
  for (const { index, repositories } of indexes) {
    const tags = isNarrowed || indexes.length > 1 ? { tags: [repositories.map(tagOf.repository)] } : {}
    const filter = { workspace: actor.workspace, audiences: audiencesOf(actor), kinds: ['name' as const], ...tags }
    const { items } = await store.search.candidates(index, filter, query, 200)
    like.push(...items.map(({ record_id }) => record_id))
  }
  const turn = inTurns()
  const scores = new Map<string, number>()
  for (const name of like) {
    const score = likeness(asked.written, name)
    const key = name.toLowerCase()
    if (score >= leastLikeness) scores.set(key, Math.max(score, scores.get(key) ?? 0))
    await turn()
  }
  const best = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostNames)
  const rows: CodeSymbolRow[] = []
  for (const some of chunks(
    best.map(([key]) => key),
    namesAtOnce,
  ))
    rows.push(...(await rowsOf({ in: some }, looking)))
  const found = await shown(rows, looking)
  return byNames(ordered(found.map((row) => ({ row, score: likeness(asked.written, row.name), repeats: 0 }))))
}

/** Each name once, then each again. */
function byNames(definitions: readonly Definition[]): Definition[] {
  const counts = new Map<string, number>()
  const numbered = definitions.map((one) => {
    const repeats = counts.get(one.row.name) ?? 0
    counts.set(one.row.name, repeats + 1)
    return { ...one, repeats }
  })
  return numbered.sort(compareDefinitions)
}

async function rowsOf(
  name_key: NonNullable<Where<CodeSymbolRow>['name_key']>,
  looking: Looking,
): Promise<CodeSymbolRow[]> {
  const { store, actor, scope, isNarrowed } = looking
  const wheres: Where<CodeSymbolRow>[] = isNarrowed
    ? [...scope.served.keys()].map((repository) => ({ repository, name_key }))
    : audiencesIn(scope).map((audience) => ({ workspace: actor.workspace, audience, name_key }))
  // of a beginning, so that the shortest names are among those that are read
  const isBeginning = typeof name_key === 'object' && 'gte' in name_key
  const order = isBeginning ? { sort: [['name_key', 'asc'] as const, ['id', 'asc'] as const] } : {}
  const rows: CodeSymbolRow[] = []
  for (const where of wheres) {
    rows.push(...(await store.documents.find(codeSymbols, { where, ...order, limit: mostRows })))
    if (rows.length >= mostRows) break
  }
  return rows
}

/** Of the repositories that are searched, all of which the caller sees. */
function audiencesIn({ served }: Scope): Audience[] {
  return [...new Set([...served.values()].map(({ audience }) => audience))]
}

/** Without those of other kinds and places, and those that the indexed commit does not have. */
async function shown(rows: readonly CodeSymbolRow[], looking: Looking): Promise<CodeSymbolRow[]> {
  const { asked, path, kind, language, scope, store } = looking
  const fitting = rows.filter(
    (row) =>
      scope.served.has(row.repository) &&
      (path === undefined || row.path === path) &&
      (kind === undefined || row.kind === kind) &&
      (language === undefined || row.language === language) &&
      isInside(row.container, asked.containers),
  )
  return shownOf(fitting, scope.served, store.documents)
}

function ordered(definitions: Definition[]): Definition[] {
  return definitions.sort(compareDefinitions)
}

/** What a list is ordered by. */
export type Placed = Pick<Definition, 'score' | 'repeats'> & {
  row: Pick<CodeSymbolRow, 'id' | 'path' | 'repository' | 'start' | 'name'>
}

/** Those most like the name first; code before tests, examples and documents; then by place. */
export function compareDefinitions(x: Placed, y: Placed): number {
  return (
    x.repeats - y.repeats ||
    y.score - x.score ||
    Number(isAside(x.row.path)) - Number(isAside(y.row.path)) ||
    compare(x.row.name, y.row.name) ||
    compare(x.row.repository, y.row.repository) ||
    compare(x.row.path, y.row.path) ||
    x.row.start - y.row.start ||
    compare(x.row.id, y.row.id)
  )
}

/** A definition stands before those inside it. */
export function compareLines(x: Placed, y: Placed): number {
  return x.row.start - y.row.start || indexIn(x.row.id) - indexIn(y.row.id)
}

/** The index of the symbol in its file (stored/symbol.ts). */
const indexIn = (id: string) => Number(id.slice(id.lastIndexOf('~') + 1))

const isAside = (path: string) => pathKind(path) !== 'source'
const compare = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)
