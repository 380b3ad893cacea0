/**
 * Chooses the rows to compare a row with: those that share its subject keys. The limits apply to each audience that may be
 * asked separately. So private records of one user never push out candidates of another: each user gets the questions
 * that a store with only his visible records would produce (SEMANTICS 2).
 */

import type { Audience } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import { type PrecedentRecord, records } from '../../records/record.ts'
import { mayDiffer, type Shape } from './shape.ts'
import { type SubjectKey, subjectKeys } from './subject-keys.ts'

/** Rows read for one key, the newest: a key that more rows share says little about the subject. */
const mostOfKey = 12
/** Rows that one row is compared with: those that share the most keys. */
const mostCandidates = 12
/** The most users and teams whose own rows are compared with a workspace row, besides other workspace rows. */
const mostAudiences = 50
/** Keys read by one query, enough for most keys. At least `mostOfKey`. */
const pageLength = 24

type Sharing = Pick<SubjectKey, 'row' | 'record_id' | 'shape' | 'audience'>
const sharingFields = ['row', 'record_id', 'shape', 'audience'] as const

/** Ids of rows, best first, one list for each audience that would be asked. `mayMatch`: judges rows by their shapes. */
export async function candidatesOf(
  documents: Documents,
  { audience }: Pick<PrecedentRecord, 'audience'>,
  keys: readonly SubjectKey[],
  mayMatch: (own: Shape, other: Shape) => boolean = mayDiffer,
): Promise<string[][]> {
  const rowsWithKey = audience === 'workspace' ? newestOfEachAudience : newestVisible
  // one query for each key: the index returns it in order, so nothing is sorted
  const found = await Promise.all(keys.map(async (own) => matching(own, await rowsWithKey(documents, own), mayMatch)))
  const times = new Map<Audience, Map<string, number>>()
  for (const { row, audience: other } of found.flat()) {
    // those who see the narrower row also see the workspace row
    const asked = audience === 'workspace' ? other : audience
    const rows = times.get(asked) ?? new Map<string, number>()
    times.set(asked, rows.set(row, (rows.get(row) ?? 0) + 1))
  }
  const audiences = [...times.keys()].sort(widestFirst).slice(0, 1 + mostAudiences)
  return audiences.map((one) => mostShared(times.get(one) as Map<string, number>))
}

/** In the order of `ids`. */
export async function rowsOf(documents: Documents, ids: readonly string[]): Promise<PrecedentRecord[]> {
  const found = await documents.find(records, { where: { id: { in: ids } }, limit: ids.length })
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** The newest rows with this key in the row's own audience or the workspace. */
function newestVisible(documents: Documents, { workspace, key, audience }: SubjectKey): Promise<Sharing[]> {
  return documents.find(subjectKeys, {
    where: { workspace, key, audience: { in: [audience, 'workspace'] } },
    // row ids start with their creation time
    sort: [['id', 'desc']],
    limit: mostOfKey,
    fields: sharingFields,
  })
}

/** The newest rows with this key in each audience, the workspace first. */
async function newestOfEachAudience(documents: Documents, { workspace, key }: SubjectKey): Promise<Sharing[]> {
  const found: Sharing[] = []
  let below: Audience | undefined
  for (let audiences = 0; audiences <= mostAudiences; ) {
    const page = await documents.find(subjectKeys, {
      where: { workspace, key, ...(below === undefined ? {} : { audience: { lt: below } }) },
      sort: [
        ['audience', 'desc'],
        ['id', 'desc'],
      ],
      limit: pageLength,
      fields: sharingFields,
    })
    const groups = byAudience(page)
    const last = groups.at(-1)
    // the page may have cut off its last group: the next page starts with that audience
    if (page.length === pageLength && groups.length > 1 && last && last.length < mostOfKey) groups.pop()
    for (const group of groups) found.push(...group.slice(0, mostOfKey))
    audiences += groups.length
    below = groups.at(-1)?.[0]?.audience
    if (page.length < pageLength) break
  }
  return found
}

function byAudience(sorted: readonly Sharing[]): Sharing[][] {
  const groups: Sharing[][] = []
  for (const one of sorted) {
    const group = groups.at(-1)
    if (group?.[0]?.audience === one.audience) group.push(one)
    else groups.push([one])
  }
  return groups
}

/** Without rows of the same record. */
function matching(
  { shape, record_id }: SubjectKey,
  sharing: readonly Sharing[],
  mayMatch: (own: Shape, other: Shape) => boolean,
): Sharing[] {
  return sharing.filter((other) => other.record_id !== record_id && mayMatch(shape, other.shape))
}

/** Descending, in which order the index is read: it puts the workspace first. */
function widestFirst(a: Audience, b: Audience): number {
  return a < b ? 1 : -1
}

function mostShared(times: ReadonlyMap<string, number>): string[] {
  const rows = [...times].sort(([one, a], [other, b]) => b - a || (one < other ? 1 : -1))
  return rows.slice(0, mostCandidates).map(([row]) => row)
}
