/** A relation of one record to another, as its text states it. */
import { partialWords, partOfIt } from '../document/dictionary.ts'
import type { RelationKind } from './markers.ts'
import type { Target } from './targets.ts'

export interface Relation {
  kind: RelationKind
  target: Target
  line: number
  reason?: string
  /** The text says that only a part is superseded, so this is an amendment. */
  partial?: true
  /** `ADR 24 supersedes ADR 1`: the number of the record that does so. */
  subject?: number
  /**
   * A sentence above the first section tells what changed, but not whether it was decided here. It was if the other record
   * is newer, because such sentences are added later.
   */
  ifNewer?: true
  /** A sentence below the first heading says so, not the metadata. */
  inText?: true
}

export const inverse = {
  supersedes: 'superseded_by',
  superseded_by: 'supersedes',
  amends: 'amended_by',
  amended_by: 'amends',
} as const
const partialOf = {
  supersedes: 'amends',
  superseded_by: 'amended_by',
  amends: 'amends',
  amended_by: 'amended_by',
} as const

/** `around`: the words that may say that only a part is meant. */
export function relations(
  kind: RelationKind,
  targets: Target[],
  line: number,
  around: string,
  reason: string,
): Relation[] {
  const all = partialWords.test(around) || partOfIt.test(around.trim())
  return targets.map(({ partial: one, shared, ...target }) => {
    // “Superseded by ADR 3 (for the API) and ADR 4 (for the UI)”: nothing is left of it
    const isWhole = one === undefined || (shared === true && kind === 'superseded_by')
    const partial = (all || !isWhole) && partialOf[kind] !== kind
    return {
      kind: partial ? partialOf[kind] : kind,
      target,
      line,
      ...(reason === '' ? {} : { reason }),
      ...(partial ? { partial: true as const } : {}),
    }
  })
}

/** Of relations that are the same, the first one, with the first reason given. */
export function unique(found: readonly Relation[]): Relation[] {
  const seen = new Map<string, Relation>()
  for (const relation of found) {
    const key = JSON.stringify([relation.kind, relation.target.url ?? relation.target.text])
    const before = seen.get(key)
    if (!before) seen.set(key, relation)
    else if (before.reason === undefined && relation.reason !== undefined)
      seen.set(key, { ...before, reason: relation.reason })
  }
  return [...seen.values()]
}
