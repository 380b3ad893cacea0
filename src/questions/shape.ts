/**
 * What a claim or a name has that another could differ in, in a number of bits. It stands beside each subject key, so
 * that most records which share a key are told apart from those that may contradict without reading either of them.
 */
import { hash } from 'node:crypto'
import type { Claim } from './claim.ts'
import type { Mention } from './identity.ts'
import type { Slot } from './names.ts'

/** A union of bits; of several claims that share a key the bits of all. */
export type Shape = number

const bit = {
  affirms: 1,
  denies: 2,
  amount: 4,
  date: 8,
  /** It says that its list is whole. */
  closed: 16,
  listed: 32,
  definite: 64,
  agent: 128,
  /** In a tool, and through it. */
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
/** Both have one of these: they may differ in it. */
const both = bit.amount | bit.date | bit.definite | bit.agent | bit.place | bit.from | bit.to
/** Of a name: beside it as many bits of its entity as a number that SQLite and BSON keep in four bytes has room for. */
const named = 1 << 30

/** In step with contradiction.ts: what is missing here is never found. */
export function shapeOfClaim({ isNegated, values, isClosed, listed, definite, slots }: Claim): Shape {
  const called = definite ? bit.definite : 0
  // of two things that are both denied, both may be so
  if (isNegated) return bit.denies | called
  return [
    bit.affirms | called,
    isClosed ? bit.closed : 0,
    listed.size > 0 ? bit.listed : 0,
    ...values.map(({ type }) => bit[type]),
    ...slots.map(({ role }) => bitOfRole[role]),
  ].reduce((sum, one) => sum | one)
}

export function shapeOfMention({ entity }: Mention): Shape {
  return named | (hash('sha1', entity.id, 'buffer').readUInt32BE() & (named - 1))
}

/** Of two that share a key: whether any rule could find something. */
export function mayDiffer(a: Shape, b: Shape): boolean {
  if (a & named) return a !== b
  return (a & b & both) !== 0 || isOneWay(a, b) || isOneWay(b, a)
}

function isOneWay(a: Shape, b: Shape): boolean {
  return ((a & bit.denies) !== 0 && (b & bit.affirms) !== 0) || ((a & bit.closed) !== 0 && (b & bit.listed) !== 0)
}
