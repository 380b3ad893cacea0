/**
 * Version of the search tables and of what their columns hold. Raise it by one with each change of either, also if the
 * change is in upsert.ts, fingerprint.ts, vectors.ts and text/places.ts. Only add columns (version.ts): while an index of the new format
 * is filled, the older one in the same tables serves. If a change of what columns hold does not allow that, raise
 * `oldestFormat` too.
 */
export const format = 5

/** The oldest format whose indexes this code can still search and write. Older ones are only dropped. */
export const oldestFormat = 2

/**
 * The tables of search documents in SQLite. Postings use FTS5, but each token has a prefix: the scope, which is a
 * number for (index, workspace, audience, kind). So a search reads and counts only what its caller may see, and its
 * cost does not grow with the data of others.
 */
export const searchSchema = `
  CREATE TABLE search_indexes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    -- with its version; null: dropped, and not all of it is deleted yet
    name TEXT UNIQUE
  );
  -- the watermark of a workspace in an index
  CREATE TABLE search_workspaces (
    search_index INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    epoch TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (search_index, workspace)
  ) WITHOUT ROWID;
  -- the column added counts all documents ever added, and never decreases
  CREATE TABLE search_scopes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    search_index INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    audience TEXT NOT NULL,
    kind TEXT NOT NULL,
    documents INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    UNIQUE (search_index, workspace, audience, kind)
  );
  -- the row of every 64th document added to a scope
  CREATE TABLE search_marks (
    scope INTEGER NOT NULL,
    row INTEGER NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (scope, row)
  ) WITHOUT ROWID;
  -- scope is null for a tombstone
  CREATE TABLE search_documents (
    row INTEGER PRIMARY KEY,
    search_index INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    scope INTEGER,
    record_id TEXT,
    kind TEXT,
    valid_from TEXT,
    valid_to TEXT,
    dated TEXT,
    category TEXT,
    significance TEXT,
    surface TEXT,
    entity_types TEXT,
    tags TEXT,
    length INTEGER NOT NULL DEFAULT 0,
    -- null in the rows of format 4 and older
    fingerprint TEXT,
    terms TEXT,
    UNIQUE (search_index, id)
  );
  CREATE VIRTUAL TABLE search_postings USING fts5 (
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':.+#=~'"
  );
`

/** How often a scope records the row it has reached. */
export const markEvery = 64

/**
 * A row number holds the age of the document and, in its last 6 bits, the class of its length. So ranking by postings
 * needs no look-up. The classes are exact to 9 %; more bits would make every posting longer.
 */
export function rowOf(count: number, length: number): number {
  return count * lengthClasses + Math.min(lengthClasses - 1, Math.round(4 * Math.log2(length + 1)))
}

export function countOf(row: number): number {
  return Math.floor(row / lengthClasses)
}

export const lengthClasses = 64

/** The length of each class, in tokens. */
export const lengthOfClass: readonly number[] = Array.from({ length: lengthClasses }, (_, n) => 2 ** (n / 4) - 1)

/** A term that occurs this often has an additional posting. FTS5's own frequencies cost more to read. */
export const frequencySteps = [2, 4] as const
/** The estimated frequency of a term with none, one or both of these postings. */
export const frequencyOfStep = [1, 2.4, 5] as const

/** Encodes a term for tokens and for the `terms` of a document: characters with a meaning there are escaped. */
export function encode(term: string): string {
  return separating.test(term) ? term.replace(eachSeparating, inHex) : term
}

/** The term that was encoded. */
export function decode(encoded: string): string {
  return encoded.replace(/~(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Encodes many terms. One test for all of them is much faster, because hardly any needs escaping. */
export function encodeAll(terms: readonly string[]): readonly string[] {
  return separatingOrEnd.test(terms.join('\n')) ? terms.map(encode) : terms
}

const separating = /[^a-z0-9.+#\u0080-\uffff]/
const eachSeparating = /[^a-z0-9.+#\u0080-\uffff]/g
const separatingOrEnd = /[^a-z0-9.+#\n\u0080-\uffff]/

function inHex(character: string): string {
  return `~${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

export function tokenOfTerm(scope: number, encoded: string): string {
  return `${scope.toString(36)}:${encoded}`
}

export function tokenOfFrequency(scope: number, encoded: string, step: number): string {
  return `${scope.toString(36)}:${encoded}=${step}`
}

/** The fields of a filter that postings can check. */
export type FilterField = 'category' | 'significance' | 'surface' | 'entity_type' | 'tag'

/** Cut to 64 characters. The rows that it matches are checked again. */
export function tokenOfFilter(scope: number, field: FilterField, value: string): string {
  return `${scope.toString(36)}=${encode(field)}:${encode(value.slice(0, 64))}`
}
