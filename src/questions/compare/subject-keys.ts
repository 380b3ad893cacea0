/** Short indexed keys by which claims about the same subject, and records that use the same name, are found. */
import { hash } from 'node:crypto'
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import type { Claim } from './claims/claim.ts'
import { wordsOf } from './claims/words.ts'
import type { Mention } from './identity.ts'
import type { Shape } from './shape.ts'

/** One for each key of a row. Written when the row is compared, never changed. */
export interface SubjectKey {
  /** `<row>/<key>`, so that comparing twice writes one key. */
  id: string
  workspace: WorkspaceId
  key: string
  /** Union of the shapes of all claims of the row with this key. */
  shape: Shape
  row: string
  record_id: RecordId
  /** Audience of the row. */
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

/** Words of a claim used for keys. A claim with two words more than another still shares a pair with it. */
const mostWords = 4

const keysOfClaims = new WeakMap<Claim, readonly string[]>()

/**
 * One key for each pair of words, because claims are compared only if they share two words. Order of the words: subject,
 * verbs, names and incidental words (in which the claims may differ), generic words. Longer words first: they are rarer.
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

function makeKeys({ subject, actions, generic, slots, definite, incidental }: Claim): string[] {
  const slotted = new Set(
    [...slots.map(({ name }) => name), definite?.what ?? ''].flatMap((name) => [...wordsOf(name)]),
  )
  const rank = (word: string) =>
    generic.has(word) ? 3 : slotted.has(word) || incidental.has(word) ? 2 : actions.has(word) ? 1 : 0
  const words = [...subject, ...actions, ...generic]
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
