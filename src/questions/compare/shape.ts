/**
 * A bit set of the parts in which a claim or a name could differ from another. It is stored with each subject key, so that
 * most records that share a key are ruled out without reading them.
 */
import { hash } from 'node:crypto'
import type { Claim } from './claims/claim.ts'
import type { Slot } from './claims/names.ts'
import type { Mention } from './identity.ts'

/** A union of bits. If several claims of a row share a key, it has the bits of all of them. */
export type Shape = number

const bit = {
  affirms: 1,
  denies: 2,
  amount: 4,
  date: 8,
  /** It says that its list is complete. */
  closed: 16,
  listed: 32,
  definite: 64,
  agent: 128,
  /** “In” a tool or “through” it. */
  place: 256,
  from: 512,
  to: 1024,
} as const
const bitOfRole: { readonly [role in Slot['role']]: Shape } = {
  agent: bit.agent,
  at: bit.place,
  through: bit.place,
  from: bit.from,
  to: bit.to,
}
/** If both claims have one of these bits, they may differ in that part. */
const both = bit.amount | bit.date | bit.definite | bit.agent | bit.place | bit.from | bit.to
/** Marks a name. The lower bits are a hash of its entity; 30 bits fit a number that SQLite and BSON store in four bytes. */
const named = 1 << 30

/** Keep it in step with contradiction.ts: a difference without a bit here is never found. */
export function shapeOfClaim({ isNegated, values, isClosed, listed, definite, slots }: Claim): Shape {
  const definiteBit = definite ? bit.definite : 0
  // two denials can both be true
  if (isNegated) return bit.denies | definiteBit
  return [
    bit.affirms | definiteBit,
    isClosed ? bit.closed : 0,
    listed.size > 0 ? bit.listed : 0,
    ...values.map(({ type }) => bit[type]),
    ...slots.map(({ role }) => bitOfRole[role]),
  ].reduce((sum, one) => sum | one)
}

export function shapeOfMention({ entity }: Mention): Shape {
  return named | (hash('sha1', entity.id, 'buffer').readUInt32BE() & (named - 1))
}

/** Whether a rule could find a difference between two shapes with the same key. */
export function mayDiffer(a: Shape, b: Shape): boolean {
  if (a & named) return a !== b
  return (a & b & both) !== 0 || mayBreak(a, b) || mayBreak(b, a)
}

function mayBreak(a: Shape, b: Shape): boolean {
  return ((a & bit.denies) !== 0 && (b & bit.affirms) !== 0) || ((a & bit.closed) !== 0 && (b & bit.listed) !== 0)
}
