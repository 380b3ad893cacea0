/** Tells what may have outdated a record of the brief. */
import { statementOf } from '../../../claims/source.ts'
import { replacesName, tellsUpdate, updates } from '../../../claims/update.ts'
import { dismissedAmong } from '../../../questions/answers.ts'
import type { ShownQuestion } from '../../../questions/open.ts'
import { isReport } from '../../../records/body.ts'
import { isUndated } from '../../../records/imported.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import { newestFirst } from '../../../records/read/seen-record.ts'
import type { Envelope, PrecedentRecord } from '../../../records/record.ts'
import { claimsIn } from '../../../records/superseded-claims.ts'
import { type Found, type Item, itemsOf, rowIdsOf, type With } from '../find/found.ts'
import { unconfirmedAmong } from '../find/unconfirmed.ts'
import { newerFirst } from './newer-first.ts'
import { outdatedAmong, wasConfirmedSince } from './outdated.ts'
import { alsoRecorded, type Section } from './sections.ts'

export type Row = Pick<PrecedentRecord, 'kind' | 'title' | 'text' | 'body' | 'mutable'>

interface WithNewer {
  sections: Section[]
  /** What may have outdated a record, by record id. Each of them is in the sections. */
  outdated: Map<string, Item>
  /** By row id. */
  rows: Map<string, Row>
}

const fields = ['kind', 'title', 'text', 'body', 'mutable'] as const

export async function withNewer(
  sections: readonly Section[],
  { background, decisions: ranked, mostDecisions }: Pick<Found, 'background' | 'decisions' | 'mostDecisions'>,
  open: readonly ShownQuestion[],
  context: With,
): Promise<WithNewer> {
  const { reader } = context.presenting
  const used = [...new Set(sections.flatMap(({ items }) => items))]
  const known = new Set(used.map(({ record }) => record.id))
  const asked = newerInQuestion(used, open)
  const others = background.filter(({ record }) => !known.has(record.id))
  const compared = [...used, ...others, ...asked.values()]
  const [rows, unconfirmed]: [Map<string, Row>, Set<string>] = await Promise.all([
    reader.rows(rowIdsOf(compared), fields),
    unconfirmedAmong(compared, context),
  ])
  const found = new Map<string, Newer>([
    ...(await likelyOutdated(used, others, rows, unconfirmed, reader)),
    ...[...asked].filter(([, { record }]) => !unconfirmed.has(record.record_id)),
  ])
  const told = mostDecisions === undefined ? sections : withDecisions(sections, ranked, found, mostDecisions)
  const kept = new Set<string>(told.flatMap(({ items }) => items.map(({ record }) => record.record_id)))
  for (const older of found.keys()) if (!kept.has(older)) found.delete(older)
  const newer = new Map([...found.values()].map((one) => [one.record.id, one]))
  const added = await itemsOf(
    [...newer.values()]
      .filter(({ record }) => !known.has(record.id))
      .map(({ record, match }) => ({ record, score: match })),
    reader,
  )
  const items = new Map([...used, ...added].map((item) => [item.record.id, item]))
  const outdated = new Map([...found].map(([older, { record }]) => [older, items.get(record.id) as Item]))
  const ordered = newerFirst(told, outdated, tellingThemselves(outdated, used, rows), new Set(asked.keys()))
  return {
    sections: mostDecisions === undefined ? ordered : furtherAside(ordered, mostDecisions),
    outdated,
    rows,
  }
}

type Compared = Found['background'][number]

/** The newer record by the id of each older one of `used` that it may have outdated, as far as the texts tell. */
async function likelyOutdated(
  used: readonly Item[],
  others: readonly Compared[],
  rows: ReadonlyMap<string, Row>,
  unconfirmed: ReadonlySet<string>,
  reader: RecordReader,
): Promise<[string, Newer][]> {
  const said = (items: readonly Compared[]) =>
    items.flatMap((item) => {
      const row = rows.get(item.record.id)
      const isUnconfirmed = unconfirmed.has(item.record.record_id)
      // the items that the brief does not tell have no kind yet
      return row ? [{ item, isUnconfirmed, isReport: isReport(row), ...statementOf(row as PrecedentRecord) }] : []
    })
  const likely = [...(await outdatedAmong(said(used), said(others)))].map(([older, { item }]) => {
    return { pair: [older, item.record.record_id] as const, item }
  })
  const dismissed = await dismissedAmong(
    likely.map(({ pair }) => pair),
    reader,
  )
  // what a newer record corrects is told beside the older one, and the rest of that holds
  const correctedBy = new Map(
    used.map(({ record }) => [record.record_id, claimsIn(rows.get(record.id)?.mutable ?? {}).map(({ by }) => by)]),
  )
  return likely
    .filter(({ pair }) => !dismissed.has(pair) && !correctedBy.get(pair[0])?.includes(pair[1]))
    .map(({ pair: [older], item }) => [older, item])
}

/**
 * Only `most` of the decisions, in the order of `ranked`: first those that hold as far as is known. They include decisions that
 * are told only because they may have outdated another record.
 */
function withDecisions(
  sections: readonly Section[],
  ranked: readonly Item[],
  outdated: ReadonlyMap<string, Newer>,
  most: number,
): Section[] {
  const isOutdated = ({ record }: Item) => Number(outdated.has(record.record_id))
  const inOrder = [...ranked].sort((a, b) => isOutdated(a) - isOutdated(b))
  const others = sections.flatMap(({ items }) => items.filter(({ kind }) => kind !== 'decision'))
  const besides = (chosen: readonly Item[]) => {
    const newer = [...others, ...chosen].flatMap(({ record }) => outdated.get(record.record_id)?.record ?? [])
    const ids = new Set(newer.filter(({ kind }) => kind === 'decision').map(({ id }) => id))
    return [...ids].filter((id) => !chosen.some(({ record }) => record.id === id)).length
  }
  let chosen = inOrder.slice(0, most)
  while (chosen.length > 1 && chosen.length + besides(chosen) > most) chosen = chosen.slice(0, -1)
  const left = new Set(ranked.filter((item) => !chosen.includes(item)))
  return sections.map((section) => ({ ...section, items: section.items.filter((item) => !left.has(item)) }))
}

/**
 * Each of the decisions that are added may have outdated a rule, so there may be more than `most`. The further ones are told
 * aside.
 */
function furtherAside(sections: readonly Section[], most: number): Section[] {
  const decisions = sections.flatMap(({ items, isLessRelevant }) =>
    isLessRelevant ? [] : items.filter(({ kind, record }) => kind === 'decision' && record.status !== 'proposed'),
  )
  const further = decisions.slice(most)
  return sections.map((section) => {
    const items = section.items.filter((item) => !further.includes(item))
    return { ...section, items: section.heading === alsoRecorded ? [...items, ...further] : items }
  })
}

type Newer = Pick<Item, 'record' | 'match'>

/** The newer record of an open contradiction, by the id of the older one. It is told even if it does not match the query. */
function newerInQuestion(used: readonly Item[], open: readonly ShownQuestion[]): Map<string, Newer> {
  const items = new Map(used.map((item) => [item.record.record_id, item]))
  return new Map(
    open.flatMap(({ question, about }): [string, Newer][] => {
      if (question.reason !== 'contradiction') return []
      const [record, last] = [...about].sort(newestFirst) as Envelope[]
      const older = last && items.get(last.record_id)
      // an undated record is not newer because it was imported later
      if (!record || !older || isUndated(record) || wasConfirmedSince(older, record)) return []
      return [[older.record.record_id, { record, match: items.get(record.record_id)?.match ?? older.match }]]
    }),
  )
}

/** The ids of the outdated records whose newer record says itself that something has changed. */
function tellingThemselves(
  outdated: ReadonlyMap<string, Item>,
  used: readonly Item[],
  rows: ReadonlyMap<string, Row>,
): Set<string> {
  const statement = ({ record }: Item) => statementOf(rows.get(record.id) as PrecedentRecord)
  const tells = (older: Item) => {
    const newer = outdated.get(older.record.record_id)
    if (!newer || !rows.has(older.record.id) || !rows.has(newer.record.id)) return false
    const [was, now] = [statement(older), statement(newer)]
    return tellsUpdate(now) && (updates(was, now) !== undefined || replacesName(was, now))
  }
  return new Set(used.filter(tells).map(({ record }) => record.record_id))
}
