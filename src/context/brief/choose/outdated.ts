/**
 * Finds the statements of a brief that a newer one may have outdated. Only a mark for the reader: nothing is superseded.
 * A mark may be wrong: this costs less than an outdated statement that is read as current.
 */
import { inTurns } from '../../../ports/in-turns.ts'
import { type Statement, updates } from '../../../questions/compare/update.ts'
import type { Item } from '../find/found.ts'
import { hasOtherName, hasOtherValue, tellsChange } from './differs.ts'
import { type Comparing, comparing, type Likeness, mostCommon, type Read, readAll } from './likeness.ts'

export interface Said extends Statement {
  item: Pick<Item, 'kind' | 'record' | 'match'>
}

/**
 * What makes it likely that a newer statement outdates an older one. Fitted by logistic regression on the shown sets of
 * test/quality (brief, claims). `matches`: how near both are to the best match of the query.
 */
const weights = {
  covered: 1.6,
  shared: 3.8,
  common: 2.8,
  /** Many sentences have many words, whatever they are about. */
  isLong: -1.3,
  newerMatches: 4.2,
  olderMatches: 2.7,
  otherValue: 0.8,
  otherName: 1,
  change: 0.3,
  update: 1.4,
  /** Records of one day are rather parts of one whole. */
  isOneDay: -2.5,
}
const enough = 10.1
const mostSigns = weights.otherValue + weights.otherName + weights.update
/** Without a query: as for records that match well. */
const unasked = 0.7
/** Sentences from which on a text counts as long. */
const long = 12

interface Statements {
  said: Said
  read: Read
  /** 0 to 1. */
  matches: number
  tellsChange: boolean
}

/**
 * The statement that most likely outdated each of `told`, by record id. `others`: further ones that may have. What was
 * only proposed, or is rejected or deprecated, outdates nothing.
 */
export async function outdatedAmong(told: readonly Said[], others: readonly Said[]): Promise<Map<string, Said>> {
  const turn = inTurns()
  const { statements: newestFirst, wordWeights } = statementsOf([...told, ...others].sort(newerBefore))
  const asked = new Set(told)
  const found = new Map<string, Said>()
  for (const [at, older] of newestFirst.entries()) {
    if (!asked.has(older.said)) continue
    const newer = likeliest(older, newestFirst.slice(0, at), comparing(older.read, wordWeights))
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

function statementsOf(all: readonly Said[]) {
  const best = Math.max(0, ...all.map(({ item }) => item.match ?? 0))
  const { reads, weights: wordWeights } = readAll(
    all.map(({ title, text, item }) => ({ heading: [title, ...item.record.topics].join('\n'), text })),
  )
  const statements = all.map((said, at) => ({
    said,
    read: reads[at] as Read,
    matches: best > 0 ? (said.item.match ?? 0) / best : unasked,
    tellsChange: tellsChange(said.text),
  }))
  return { statements, wordWeights }
}

/** 0 if it is less than `least`: the cheap parts are reckoned first, and the others only if they can still matter. */
function likelihood(older: Statements, newer: Statements, { shared, likeness }: Comparing, least: number): number {
  if (older.said.text === newer.said.text) return 0
  const change = newer.tellsChange ? weights.change : 0
  const canReach = (subject: number, signs: number) => subject + signs + slack >= least
  const both = shared(newer.read)
  if (!both) return 0
  const atMost = ofSubject({ covered: 1, shared: both.share, common: mostCommon(both) }, older, newer)
  if (!canReach(atMost, change + mostSigns)) return 0
  const alike = likeness(newer.read, both)
  if (!alike) return 0
  const subject = ofSubject(alike, older, newer)
  if (!canReach(subject, change + mostSigns)) return 0
  const values = hasOtherValue(alike.older, alike.newer) ? weights.otherValue : 0
  if (!canReach(subject, change + values + weights.otherName + weights.update)) return 0
  const names = hasOtherName(alike.older, alike.newer) ? weights.otherName : 0
  if (!canReach(subject, change + values + names + weights.update)) return 0
  const signs = change + values + names + (updates(older.said, newer.said) ? weights.update : 0)
  return signs === 0 && dayOf(older) === dayOf(newer) ? 0 : subject + signs
}

/** Sums of the same numbers in another order differ a little. */
const slack = 1e-6

type Alike = Pick<Likeness, 'covered' | 'shared' | 'common'>

function ofSubject({ covered, shared, common }: Alike, older: Statements, newer: Statements): number {
  return (
    weights.covered * covered +
    weights.shared * shared +
    weights.common * common +
    weights.isLong * Math.min(1, newer.read.sentences.length / long) +
    weights.newerMatches * newer.matches +
    weights.olderMatches * older.matches +
    (dayOf(older) === dayOf(newer) ? weights.isOneDay : 0)
  )
}

function dayOf({ said }: Statements): string {
  return said.item.record.valid_from.slice(0, 10)
}
