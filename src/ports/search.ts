/**
 * The search port. An engine keeps one search document a record (of a decision one a revision), finds candidates under
 * filters and counts what a caller may see; it never ranks what callers get: text/scorer.ts does, the same for each.
 */
import type { Audience, WorkspaceId } from '../records/ids.ts'
import type { RecordKind } from '../records/record.ts'
import type { EngineUnavailable } from './unavailable.ts'

export interface SearchDocument {
  /** The row of the record (record.id). */
  id: string
  workspace: WorkspaceId
  /** External version: the record's sequence. A document is stored only over a smaller version. */
  version: number
  /** A deletion is a document too, so that an older version never comes back. All else is then left out. */
  tombstone?: boolean
  record_id: string
  kind: RecordKind
  audience: Audience
  title: string
  /** Tokens of text/analyzer.ts in order, the title's and topics' as often as their weight says. */
  tokens: string[]
  valid_from: string
  valid_to: string | null
  status: string | null
  category: string | null
  significance: string | null
  surface: string | null
  /** Types of the entities that the record names. */
  entity_types: string[]
  /** Left out: not embedded yet. It belongs to this version, and goes where a later one changes what it is made of. */
  vector?: Vector
}

/** A direction, of length 1. Vectors of two spaces (text/space.ts) are never compared. */
export interface Vector {
  space: string
  values: Float32Array
}

export interface SearchFilter {
  workspace: WorkspaceId
  /** Only these are seen: in candidates, in counts, in everything. */
  audiences: readonly Audience[]
  kinds?: readonly RecordKind[]
  /** Valid at this instant: valid_from ≤ t < valid_to. */
  as_of?: string
  category?: string
  significance?: string
  surface?: string
  entity_type?: string
  /** Only valid_from later than this. */
  since?: string
}

export interface Candidate {
  id: string
  record_id: string
  kind: RecordKind
  version: number
  valid_from: string
  valid_to: string | null
  /** How many tokens the document has, and how often each of the query's terms is among them (same order as terms). */
  length: number
  frequencies: number[]
}

/** A candidate by its vector, whatever terms it holds. */
export interface Neighbour extends Candidate {
  /** With the vector asked for. */
  cosine: number
}

/** Counted over what `workspace`, `audiences` and `kinds` of the filter let through and nothing else. */
export interface Statistics {
  documents: number
  /** Sum of the lengths of all these documents, in tokens. */
  length: number
  /** Per term: in how many of them it is; exact up to the engine's cap, beyond it estimated. */
  document_frequencies: number[]
}

export interface Candidates {
  items: Candidate[]
  statistics: Statistics
}

/** What the engine itself remembers of a workspace in an index, so that a lost or restored one is noticed (PROTOCOL 3.4). */
export interface Watermark {
  epoch: string
  sequence: number
}

export interface SearchEngine {
  /** Makes the index if it is missing. `index` is a name: lower-case letters, digits and dashes. */
  create(index: string): Promise<void>
  drop(index: string): Promise<void>

  /**
   * Each stored over smaller versions only; one with a vector over its own version too, to which it adds that. Returns
   * the ids of documents that were kept in a reduced form. Durable after refresh. They are taken one by one, so that
   * some can be stored while others are made.
   */
  upsert(index: string, documents: Iterable<SearchDocument>): Promise<{ reduced: string[] }>

  /**
   * Afterwards every search shows what was upserted before. Then writes the workspace's watermark, where one is given: over
   * one of another epoch or of a lower sequence, so that who was frozen for long never takes it back.
   */
  refresh(index: string, workspace: WorkspaceId, watermark?: Watermark): Promise<void>

  /**
   * The same where the index holds a watermark of the workspace. false: it holds none, and none is written; so what was
   * upserted before the index was lost is not taken for being in the one that another workspace made since.
   */
  advance(index: string, workspace: WorkspaceId, watermark: Watermark): Promise<boolean>

  watermark(index: string, workspace: WorkspaceId): Promise<Watermark | undefined>

  /** Up to `limit` (≤ 200) documents that hold at least one of the terms (distinct, 1 to 64), best first by the engine's own reckoning. */
  candidates(index: string, filter: SearchFilter, terms: readonly string[], limit: number): Promise<Candidates>

  /**
   * Up to `limit` (≤ 200) documents whose vectors are nearest, nearest first; `terms` (0 to 64) as for candidates. Of
   * very many it may look at the newest alone. Throws EngineUnavailable where vectors can't be compared.
   */
  nearest(
    index: string,
    filter: SearchFilter,
    vector: Vector,
    terms: readonly string[],
    limit: number,
  ): Promise<Neighbour[]>

  /** Which of these (≤ 500) documents are there, no tombstones, and have no vector of this space. */
  unembedded(index: string, workspace: WorkspaceId, space: string, ids: readonly string[]): Promise<string[]>

  /** Why vectors can't be compared here, such as on a platform that lacks an extension; undefined: they can. */
  vectorFault(): Promise<string | undefined>

  /** How many documents (without tombstones) the index holds for a workspace. */
  count(index: string, workspace: WorkspaceId): Promise<number>

  /** undefined: well. Else what is wrong, for /readyz (its kind) and the log (its message). */
  health(): Promise<EngineUnavailable | undefined>

  close(): Promise<void>
}
