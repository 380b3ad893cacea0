/** Bounds of the bodies of each kind of call, in bytes and in tokens (middleware/token-count.ts). */

export interface BodyBounds {
  bytes: number
  tokens: number
}

const KiB = 1024
const MiB = 1024 * KiB

/**
 * Reads, except a context search. The largest valid one is a decision search: a question of 2,000 characters, 50 ids and
 * a cursor of 4,096 characters. It has 60 KiB if each character is written as `\uXXXX`.
 */
export const readBody: BodyBounds = { bytes: 256 * KiB, tokens: 2_048 }

/**
 * A context search may name 50 references, each with texts of 1,900 characters and a url of 2,000. A character outside of
 * the Basic Multilingual Plane takes 12 bytes when it is escaped: 1.9 MiB for all of them. 17 tokens a reference: 865.
 */
export const searchBody: BodyBounds = { bytes: 2 * MiB, tokens: 2_048 }

/**
 * Writes. A memory of 200,000 characters with 50 sources, all of them escaped, has 4.9 MiB. A decision has the most
 * tokens: 50 sources of 17 each, 50 entities of 7, 50 alternatives of 5 and four lists of 50 names: 1,700.
 */
export const writeBody: BodyBounds = { bytes: 8 * MiB, tokens: 4_096 }

/** Calls of admins. A key has at most 50 teams and 7 scopes: 20 KiB and 80 tokens. */
export const adminBody: BodyBounds = { bytes: 64 * KiB, tokens: 256 }

/** Hooks of hosts of repositories. The caller is unknown, and a push of 500 commits has less. */
export const hookBody: BodyBounds = { bytes: MiB, tokens: Number.POSITIVE_INFINITY }

/** A whole batch. Each of its decisions has the bounds of a write. */
export const batchBytes = 64 * MiB
/** The rest of a batch, without its decisions: an idempotency key, and spaces. */
export const envelopeBody: BodyBounds = { bytes: 64 * KiB, tokens: 64 }
/** Blank lines of a batch. */
export const mostBlankLines = 10_000

export function sizeOf(bytes: number): string {
  return bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`
}
