/**
 * Finds the statements of a brief that a newer one may have outdated. Only a mark for the reader: nothing is superseded.
 * A mark may be wrong: this costs less than an outdated statement that is read as current.
 */
import { inTurns } from '../../../ports/in-turns.ts'
import { type Statement, tellsUpdate, updates } from '../../../questions/compare/update.ts'
import type { Item } from '../find/found.ts'
import { hasOtherValue } from './differs.ts'
import { type Comparing, comparing, type Read, readAll } from './likeness.ts'

export interface Said extends Statement {
  item: Pick<Item, 'kind' | 'record' | 'match'>
}

/**
 * What makes it likely that a newer statement outdates an older one. Fitted by logistic regression on the shown sets of
 * test/quality/brief, then rounded. Each but `covered` lowers the mistakes on a set that was left out of the fit.
 */
const weights = {
  /** Of the older sentence that is most alike: the share that the newer statement has. */
  covered: 2,
  shared: 4,
  /** Share of the query that both have. */
  asked: 3,
  /** How near it is to the best match of the query. */
  newerMatches: 1,
  olderMatches: 3,
  otherValue: 1,
  isOneKind: 1,
  /** Half as much if half a year lies between them. */
  isYearOlder: 2,
}
const enough = 7.5
/** Without a query: as for records that match well. */
const unasked = 0.7
/** ms */
const year = 365 * 86_400_000

interface Statements {
  said: Said
  read: Read
  /** 0 to 1. */
  matches: number
  /** ms since the epoch. */
  from: number
  tellsUpdate: boolean
}

/**
 * The statement that most likely outdated each of `told`, by record id. `others`: further ones that may have. `terms`: of
 * the query. What was only proposed, or is rejected or deprecated, outdates nothing.
 */
export async function outdatedAmong(
  told: readonly Said[],
  others: readonly Said[],
  terms: readonly string[] = [],
): Promise<Map<string, Said>> {
  const turn = inTurns()
  const { statements: newestFirst, ...among } = statementsOf([...told, ...others].sort(newerBefore), terms)
  const asked = new Set(told)
  const found = new Map<string, Said>()
  for (const [at, older] of newestFirst.entries()) {
    if (!asked.has(older.said)) continue
    const newer = likeliest(older, newestFirst.slice(0, at), comparing(older.read, among))
    if (newer) found.set(older.said.item.record.record_id, newer.said)
    await turn()
  }
  return found
}

/** The newest of those that are equally likely. undefined: none is likely enough. */
function likeliest(older: Statements, all: readonly Statements[], comparison: Comparing): Statements | undefined {
  let best: Statements | undefined
  let most = enough
  for (const newer of all) {
    if (newer.said.item.record.status !== 'accepted') continue
    const likely = likelihood(older, newer, comparison, most)
    if (likely > most || (likely === most && best === undefined)) [best, most] = [newer, likely]
  }
  return best
}

/** Of one day: by the order in which they were recorded. */
function newerBefore({ item: { record: a } }: Said, { item: { record: b } }: Said): number {
  if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? 1 : -1
  return a.record_id < b.record_id ? 1 : -1
}

function statementsOf(all: readonly Said[], terms: readonly string[]) {
  const best = Math.max(0, ...all.map(({ item }) => item.match ?? 0))
  const texts = all.map(({ title, text, item }) => ({ heading: [title, ...item.record.topics].join('\n'), text }))
  const { reads, ...among } = readAll(texts, terms)
  const statements = all.map((said, at) => ({
    said,
    read: reads[at] as Read,
    matches: best > 0 ? (said.item.match ?? 0) / best : unasked,
    from: Date.parse(said.item.record.valid_from),
    tellsUpdate: tellsUpdate(said),
  }))
  return { statements, ...among }
}

/** 0 if it is less than `least`: the cheap parts are reckoned first, and the others only if they can still matter. */
function likelihood(older: Statements, newer: Statements, { shared, likeness }: Comparing, least: number): number {
  if (older.said.text === newer.said.text) return 0
  const both = shared(newer.read)
  if (!both) return 0
  const cheap =
    weights.shared * both.share +
    weights.asked * both.asked +
    weights.newerMatches * newer.matches +
    weights.olderMatches * older.matches +
    weights.isYearOlder * Math.min(1, (newer.from - older.from) / year) +
    (older.said.item.kind === newer.said.item.kind ? weights.isOneKind : 0)
  const told = newer.tellsUpdate && updates(older.said, newer.said) ? enough : 0
  if (told === 0 && dayOf(older) === dayOf(newer)) return 0
  if (told + cheap + weights.covered + weights.otherValue < least) return 0
  const alike = likeness(newer.read, both)
  if (!alike) return told === 0 ? 0 : told + cheap
  const value = hasOtherValue(alike.older, alike.newer) ? weights.otherValue : 0
  return told + cheap + weights.covered * alike.covered + value
}

/** Records of one day are rather parts of one whole, unless one says that the other has changed. */
function dayOf({ said }: Statements): string {
  return said.item.record.valid_from.slice(0, 10)
}
