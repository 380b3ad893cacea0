/**
 * Finds the statements of a brief that a newer one may have outdated. Only a mark for the reader: nothing is superseded.
 * A mark may be wrong: this costs less than an outdated statement that is read as current.
 */
import { inTurns } from '../../../ports/in-turns.ts'
import { type Statement, tellsUpdate, updates } from '../../../questions/compare/update.ts'
import type { Item } from '../find/found.ts'
import { hasOtherValue } from './differs.ts'
import { type Likeness, likenessAmong } from './likeness.ts'

export interface Said extends Statement {
  item: Pick<Item, 'kind' | 'record' | 'match'>
}

/**
 * What makes it likely that a newer statement outdates an older one. Fitted by logistic regression on the sets of
 * test/quality/brief that are shown, then rounded. Each of these lowers the mistakes on a set that was left out of the
 * fit. The most alike sentences, how well the newer statement matches, and whether both are of one kind do not.
 */
const weights = {
  /** Share of the shorter statement that both have. */
  shared: 3.5,
  /** Share of the query that both have. */
  asked: 2.5,
  /** No older statement is nearer to the newer one. */
  nearest: 4,
  /** How well the older statement matches the query, as a share of the best match. */
  olderMatches: 2.5,
  otherValue: 1.5,
  /** Half as much if half a year lies between them. */
  isYearOlder: 2.5,
  /** Both have topics, but none in common. */
  otherTopics: -1.5,
  /** Where work stood is soon outdated. */
  olderIsOutcome: 1.5,
  /** A long statement is outdated in part at most. */
  olderIsLong: -2.5,
  /** A promise does not tell that something has changed. */
  newerIsCommitment: -1,
  /** A constraint is replaced by another constraint. */
  constraintByOther: -1.5,
}
const enough = 8.8
/** UTF-16 units of a long statement. */
const long = 600
/** Without a query: as for records that match well. */
const unasked = 0.7
/** ms */
const year = 365 * 86_400_000

interface Place {
  said: Said
  /** In the order of the statements that are compared, newest first. */
  at: number
  /** 0 to 1. */
  matches: number
  topics: ReadonlySet<string>
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
  const places = placesOf([...told, ...others].sort(newerBefore))
  const texts = places.map(({ said: { title, text }, topics }) => ({ heading: [title, ...topics].join('\n'), text }))
  const likeness = likenessAmong(texts, terms)
  const asked = new Set(told)
  const found = new Map<string, Said>()
  for (const [at, older] of places.entries()) {
    if (!asked.has(older.said)) continue
    const newer = likeliest(older, places.slice(0, at), likeness)
    if (newer) found.set(older.said.item.record.record_id, newer.said)
    await turn()
  }
  return found
}

/** The newest of those that are equally likely. undefined: none is likely enough. */
function likeliest(older: Place, all: readonly Place[], likeness: Likeness): Place | undefined {
  let best: Place | undefined
  let most = enough
  for (const newer of all) {
    if (newer.said.item.record.status !== 'accepted' || newer.said.text === older.said.text) continue
    const likely = likelihood(older, newer, likeness, most)
    if (likely > most || (likely === most && best === undefined)) [best, most] = [newer, likely]
  }
  return best
}

/** Of one day: by the order in which they were recorded. */
function newerBefore({ item: { record: a } }: Said, { item: { record: b } }: Said): number {
  if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? 1 : -1
  return a.record_id < b.record_id ? 1 : -1
}

function placesOf(newestFirst: readonly Said[]): Place[] {
  const best = Math.max(0, ...newestFirst.map(({ item }) => item.match ?? 0))
  return newestFirst.map((said, at) => ({
    ...{ said, at },
    matches: best > 0 ? (said.item.match ?? 0) / best : unasked,
    topics: new Set(said.item.record.topics),
    from: Date.parse(said.item.record.valid_from),
    tellsUpdate: tellsUpdate(said),
  }))
}

/** 0 if it is less than `least`: values are compared only if they can still matter. */
function likelihood(older: Place, newer: Place, { shared, asked, nearest }: Likeness, least: number): number {
  const share = shared(older.at, newer.at)
  if (share === 0) return 0
  // the open question about such a change is asked later, when the records have been compared
  const told = newer.tellsUpdate && updates(older.said, newer.said) ? enough : 0
  if (told === 0 && dayOf(older) === dayOf(newer)) return 0
  const likely =
    told +
    weights.shared * share +
    weights.asked * asked(older.at, newer.at) +
    weights.nearest * nearest(older.at, newer.at) +
    weights.olderMatches * older.matches +
    weights.isYearOlder * Math.min(1, (newer.from - older.from) / year) +
    (haveOtherTopics(older, newer) ? weights.otherTopics : 0) +
    (older.said.item.kind === 'session_outcome' ? weights.olderIsOutcome : 0) +
    weights.olderIsLong * Math.min(1, older.said.text.length / long) +
    (newer.said.item.kind === 'commitment' ? weights.newerIsCommitment : 0) +
    (older.said.item.kind === 'constraint' && newer.said.item.kind !== 'constraint' ? weights.constraintByOther : 0)
  if (likely + weights.otherValue < least) return 0
  return likely + (hasOtherValue(older.said.text, newer.said.text) ? weights.otherValue : 0)
}

/** Records of one day are rather parts of one whole, unless one says that the other has changed. */
function dayOf({ said }: Place): string {
  return said.item.record.valid_from.slice(0, 10)
}

function haveOtherTopics({ topics: a }: Place, { topics: b }: Place): boolean {
  return a.size > 0 && b.size > 0 && ![...a].some((topic) => b.has(topic))
}
