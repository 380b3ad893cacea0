/** By what claims about one subject, and records that name one thing, are found: small keys on a declared index. */
import { hash } from 'node:crypto'
import type { Collection } from '../ports/documents.ts'
import type { Audience, RecordId, WorkspaceId } from '../records/ids.ts'
import type { Claim } from './claim.ts'
import type { Mention } from './identity.ts'
import type { Shape } from './shape.ts'
import { wordsOf } from './words.ts'

/** One for each row and each of its keys; made when it is compared, and never changed. */
export interface SubjectKey {
  /** `<row>/<key>`: comparing twice makes it once. */
  id: string
  workspace: WorkspaceId
  key: string
  /** Of all in the row that has this key. */
  shape: Shape
  row: string
  record_id: RecordId
  /** Of the row. */
  audience: Audience
}

export const subjectKeys: Collection<SubjectKey> = {
  name: 'subject_keys',
  fields: {
    id: 'string',
    workspace: 'string',
    key: 'string',
    shape: 'integer',
    row: 'string',
    record_id: 'string',
    audience: 'string',
  },
  unique: [],
  indexes: [['workspace', 'key', 'audience', 'id']],
}

/** Words of a claim that make keys. One that has two words more than another still shares a pair with it. */
const mostWords = 4

const keysOfClaims = new WeakMap<Claim, readonly string[]>()

/**
 * Pairs of the words of weight, for two claims are compared only where they share as many. Names that may be what
 * differs come last; what is done, only where too little else is said. Longer words are rarer, so they come first.
 */
export function keysOfClaim(claim: Claim): readonly string[] {
  const known = keysOfClaims.get(claim)
  if (known) return known
  const keys = makeKeys(claim)
  keysOfClaims.set(claim, keys)
  return keys
}

export function shareKey(a: Claim, b: Claim): boolean {
  const others = keysOfClaim(b)
  return keysOfClaim(a).some((key) => others.includes(key))
}

function makeKeys({ subject, events, soft, slots, definite, aside }: Claim): string[] {
  const slotted = new Set(
    [...slots.map(({ name }) => name), definite?.what ?? ''].flatMap((name) => [...wordsOf(name)]),
  )
  const rank = (word: string) =>
    soft.has(word) ? 3 : slotted.has(word) || aside.has(word) ? 2 : events.has(word) ? 1 : 0
  const words = [...subject, ...events, ...soft]
    .sort((a, b) => rank(a) - rank(b) || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, mostWords)
  const pairs = words.flatMap((one, at) => words.slice(at + 1).map((other) => [one, other].sort()))
  const first = words.filter((word) => rank(word) === 0)
  return [...(first.length === 1 ? [first] : []), ...pairs].map((some) => keyOf('subject', ...some))
}

export function keyOfMention({ type, form }: Mention): string {
  return keyOf('name', type, form)
}

function keyOf(...parts: string[]): string {
  return hash('sha1', parts.join('\n'), 'base64url').slice(0, 16)
}
