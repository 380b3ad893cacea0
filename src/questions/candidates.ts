/**
 * Which rows a row is held against: those that share its keys. Drawn and bounded for each audience that may be asked, so
 * that what others keep for themselves takes nobody's place: each is asked what a store would ask that holds only what
 * he sees (SEMANTICS 2).
 */
import type { Documents } from '../ports/documents.ts'
import type { Audience } from '../records/ids.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { mayDiffer } from './shape.ts'
import { type SubjectKey, subjectKeys } from './subject-keys.ts'

/** Of one key, the newest: a key that more of them share tells little. */
const mostOfKey = 12
/** Other rows that one row is compared with: those that share the most keys. */
const mostCandidates = 12
/** People and teams whose own rows one row of the whole workspace is held against, beside those of the workspace. */
const mostAudiences = 50
/** Keys that are read at once: of most keys that is all. Not less than `mostOfKey`. */
const pageLength = 24

type Sharing = Pick<SubjectKey, 'row' | 'record_id' | 'shape' | 'audience'>
const sharingFields = ['row', 'record_id', 'shape', 'audience'] as const

/** Ids of rows, the best first, for each audience that would be asked. */
export async function candidatesOf(
  documents: Documents,
  { audience }: Pick<PrecedentRecord, 'audience'>,
  keys: readonly SubjectKey[],
): Promise<string[][]> {
  const drawn = audience === 'workspace' ? sharedByEach : sharedWith
  // a query for each key: so none of them sorts all that share it
  const found = await Promise.all(keys.map(async (own) => differing(own, await drawn(documents, own))))
  const times = new Map<Audience, Map<string, number>>()
  for (const { row, audience: other } of found.flat()) {
    // who sees a row of his own sees those of the workspace too
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

/** The newest of a key that are of the row's own audience or of the workspace. */
function sharedWith(documents: Documents, { workspace, key, audience }: SubjectKey): Promise<Sharing[]> {
  return documents.find(subjectKeys, {
    where: { workspace, key, audience: { in: [audience, 'workspace'] } },
    // ids of rows begin with the time at which they were made
    sort: [['id', 'desc']],
    limit: mostOfKey,
    fields: sharingFields,
  })
}

/** The newest of a key in each audience; those of the workspace come first. */
async function sharedByEach(documents: Documents, { workspace, key }: SubjectKey): Promise<Sharing[]> {
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
    // cut off by the end of the page: it begins the next one
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

/** Those that may differ from the row in something. */
function differing({ shape, record_id }: SubjectKey, sharing: readonly Sharing[]): Sharing[] {
  return sharing.filter((other) => other.record_id !== record_id && mayDiffer(shape, other.shape))
}

/** As the index has them, backwards. */
function widestFirst(a: Audience, b: Audience): number {
  return a < b ? 1 : -1
}

function mostShared(times: ReadonlyMap<string, number>): string[] {
  const rows = [...times].sort(([one, a], [other, b]) => b - a || (one < other ? 1 : -1))
  return rows.slice(0, mostCandidates).map(([row]) => row)
}
