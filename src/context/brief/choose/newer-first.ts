/** Orders what is told: a newer record before the one that it may have outdated. */
import { newestFirst } from '../../../records/read/seen-record.ts'
import { binds, type Item } from '../find/found.ts'
import { alsoRecorded, isUnder, type Section } from './sections.ts'

/**
 * Those of `used` that the query is most about. A newer decision that matches nearly as well takes the place of the one that it
 * may have outdated, which is then told in one line.
 */
export function mattersMost(
  chosen: readonly Section[],
  used: readonly Item[],
  outdated: ReadonlyMap<string, Item>,
): Set<Item> {
  const first = new Set(chosen.filter(({ isLessRelevant }) => !isLessRelevant).flatMap(({ items }) => items))
  // others were added because of the older one, and have its match
  const found = new Set(chosen.flatMap(({ items }) => items))
  const replaced = [...first].filter((item) => {
    const newer = outdated.get(item.record.record_id)
    if (item.kind !== 'decision' || newer?.kind !== 'decision' || first.has(newer) || !found.has(newer)) return false
    return matchesAs(newer, item, nearOlder)
  })
  const instead = replaced.flatMap(({ record }) => outdated.get(record.record_id) ?? [])
  return new Set(used.filter((item) => (first.has(item) && !replaced.includes(item)) || instead.includes(item)))
}

/**
 * Moves a newer record next to the older one that it may have outdated, unless the newer one is told further up already.
 *
 * `isTold`: ids of older records whose newer record says itself that they have changed. `isAsked`: ids of older records of
 * open questions. For these, and if the newer record matches the query as well, the newer one comes first. Otherwise the mark
 * may be wrong: then the newer one comes right behind the older one if both are rules or both are promises, else it stays.
 *
 * Under a heading that names another kind, only a newer record of `isTold` is put, and its line names its own kind.
 */
export function newerFirst(
  sections: readonly Section[],
  outdated: ReadonlyMap<string, Item>,
  isTold: ReadonlySet<string>,
  isAsked: ReadonlySet<string>,
): Section[] {
  const ordered = sections.map((section) => ({ ...section, items: [...section.items] }))
  // a record that is moved up may be outdated itself: what outdated it is moved up later, and so stands before it
  const oldestFirst = [...outdated].sort(([, a], [, b]) => newestFirst(b.record, a.record))
  for (const [older, newer] of oldestFirst) {
    const from = placeOf(newer.record.record_id, ordered)
    const to = placeOf(older, ordered)
    if (!to || (from && (from.at < to.at || (from.at === to.at && from.nth < to.nth)))) continue
    if (from && from.at !== to.at && from.section.isByTopic) continue
    const isUpdate = isTold.has(older)
    const marked = to.section.items[to.nth] as Item
    const isFirst = isUpdate || isAsked.has(older) || matchesAs(newer, marked, equal)
    // a rule is told in any case, and is best told beside the rule that it may have changed
    const isNear = isFirst || (binds(newer) && newer.kind === marked.kind)
    const mayBeThere = (isUpdate || isUnder(to.section, newer)) && (from?.at === to.at || !to.section.isOfOwn)
    if (isNear && mayBeThere) {
      from?.section.items.splice(from.nth, 1)
      to.section.items.splice(isFirst ? to.nth : to.nth + 1, 0, newer)
    } else if (!from) {
      const own = ordered.filter((section) => !section.isByTopic && isUnder(section, newer))
      // what is told besides the query brings nothing to what is about it
      const beside = own.filter(({ isUnrelated }) => isUnrelated === to.section.isUnrelated)
      const aside = isNear ? undefined : beside.find(({ heading }) => heading === alsoRecorded)
      ;(aside ?? beside[0] ?? own[0])?.items.push(newer)
    }
  }
  return ordered
}

/** The match that a newer record needs, as a share of that of the older one: to be told in its place, and to be told before it. */
const nearOlder = 0.8
const equal = 0.95

function matchesAs(newer: Item, older: Item, share: number): boolean {
  return (newer.match ?? 0) >= share * (older.match ?? 0)
}

function placeOf(id: string, sections: Section[]) {
  for (const [at, section] of sections.entries()) {
    const nth = section.items.findIndex(({ record }) => record.record_id === id)
    if (nth >= 0) return { section, at, nth }
  }
  return undefined
}
