/**
 * What of comparing takes processor time and needs no store: keys of rows, and what rows leave open together. Values in,
 * values out, so that a thread can do it (examiner-thread.ts).
 */
import type { PrecedentRecord } from '../records/record.ts'
import { type Claim, claimsOf } from './claim.ts'
import { mentionsOf } from './identity.ts'
import { claimedBy, findingsOfPair, type PairRule } from './pairs.ts'
import { type Shape, shapeOfClaim, shapeOfMention } from './shape.ts'
import { keyOfMention, keysOfClaim, type SubjectKey } from './subject-keys.ts'

/** A row and those that it is held against. */
export interface Held {
  row: PrecedentRecord
  others: readonly PrecedentRecord[]
}

export interface Found {
  rule: PairRule
  /** Id of the other row. */
  other: string
}

/** Of one row: what was found, or of what a rule has failed. */
export type Examined<T> = { found: T[] } | { fault: string }

/** Keys of one row. */
const mostKeys = 16

export const examinations = {
  keys: (rows: readonly PrecedentRecord[]): Examined<SubjectKey>[] => rows.map((row) => guarded(() => keysOf(row))),
  findings: (held: readonly Held[]): Examined<Found>[] => held.map((one) => guarded(() => findingsOf(one))),
}
export type Examination = keyof typeof examinations

/** A text that no rule was made for must not keep all others from being compared. */
function guarded<T>(examine: () => T[]): Examined<T> {
  try {
    return { found: examine() }
  } catch (error) {
    return { fault: (error as Error).stack ?? String(error) }
  }
}

function keysOf(row: PrecedentRecord): SubjectKey[] {
  // those that only a denial contradicts come last: most of them nobody denies
  const claims = [...claimsOf(row.title, claimedBy(row))].sort((a, b) => Number(saysMuch(b)) - Number(saysMuch(a)))
  const shapes = new Map<string, Shape>()
  for (const claim of claims) {
    const shape = shapeOfClaim(claim)
    for (const key of keysOfClaim(claim)) shapes.set(key, (shapes.get(key) ?? 0) | shape)
  }
  for (const mention of mentionsOf(row)) shapes.set(keyOfMention(mention), shapeOfMention(mention))
  return [...shapes].slice(0, mostKeys).map(([key, shape]) => {
    const { id, workspace, record_id, audience } = row
    return { id: `${id}/${key}`, workspace, key, shape, row: id, record_id, audience }
  })
}

function saysMuch({ values, slots, definite, isNegated, isClosed }: Claim): boolean {
  return isNegated || isClosed || definite !== null || values.length + slots.length > 0
}

function findingsOf({ row, others }: Held): Found[] {
  return others.flatMap((other) =>
    findingsOfPair(row, other).map(({ reason }) => ({ rule: reason as PairRule, other: other.id })),
  )
}
