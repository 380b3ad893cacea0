/**
 * How search documents lie in SQLite. Postings are those of FTS5, but each token carries its scope, a number for
 * (index, workspace, audience, kind): what a search reads, counts and costs is of what its caller may see and nothing
 * else, and does not grow with what others keep.
 */
export const searchSchema = `
  CREATE TABLE IF NOT EXISTS search_indexes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    -- null: dropped, and not all of it is deleted yet
    name TEXT UNIQUE
  );
  -- the mark of a workspace in an index
  CREATE TABLE IF NOT EXISTS search_workspaces (
    search_index INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    epoch TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (search_index, workspace)
  ) WITHOUT ROWID;
  -- added counts every document that ever came, and never falls
  CREATE TABLE IF NOT EXISTS search_scopes (
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
  -- which row was the n-th that was added to its scope, for every 64th
  CREATE TABLE IF NOT EXISTS search_marks (
    scope INTEGER NOT NULL,
    row INTEGER NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (scope, row)
  ) WITHOUT ROWID;
  -- scope null: a tombstone
  CREATE TABLE IF NOT EXISTS search_documents (
    row INTEGER PRIMARY KEY,
    search_index INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    scope INTEGER,
    record_id TEXT,
    kind TEXT,
    valid_from TEXT,
    valid_to TEXT,
    category TEXT,
    significance TEXT,
    surface TEXT,
    entity_types TEXT,
    length INTEGER NOT NULL DEFAULT 0,
    terms TEXT,
    UNIQUE (search_index, id)
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS search_postings USING fts5 (
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':.+#=~'"
  );
`

/** So often a scope notes how far it has come. */
export const markEvery = 64

/**
 * A row's number says how new the document is and, in its last 6 bits, how long: what postings are ranked by needs no
 * look-up. Lengths are kept to 9 %; more bits would make every posting longer.
 */
export function rowOf(count: number, length: number): number {
  return count * lengthClasses + Math.min(lengthClasses - 1, Math.round(4 * Math.log2(length + 1)))
}

export function countOf(row: number): number {
  return Math.floor(row / lengthClasses)
}

export const lengthClasses = 64

/** Lengths, in tokens, that the classes stand for. */
export const lengthOfClass: readonly number[] = Array.from({ length: lengthClasses }, (_, n) => 2 ** (n / 4) - 1)

/** From so many occurrences on a term has a posting more; what FTS5 itself keeps of frequencies costs more to read. */
export const frequencySteps = [2, 4] as const
/** What a posting with none, one or both of those stands for. */
export const frequencyOfStep = [1, 2.4, 5] as const

/** A term as it stands in tokens and in the `terms` of a document: no sign in it that separates there. */
export function encode(term: string): string {
  return separating.test(term) ? term.replace(eachSeparating, inHex) : term
}

/** The same for many: to look at all of them at once is much quicker, and hardly any has such a sign. */
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

/** The fields that a search filters by through postings. */
export type FilterField = 'category' | 'significance' | 'surface' | 'entity_type'

/** Cut: what it lets through is looked at once more, in the row. */
export function tokenOfFilter(scope: number, field: FilterField, value: string): string {
  return `${scope.toString(36)}=${encode(field)}:${encode(value.slice(0, 64))}`
}
