/**
 * The search port. An engine keeps one search document for each record (for each revision of a decision). It finds
 * candidates under filters, and counts what a caller may see. It does not rank results: text/scorer.ts does, in the
 * same way for all engines.
 */
import { strict as assert } from 'node:assert'
import type { Audience, RecordKind, WorkspaceId } from '../ids.ts'
import type { EngineUnavailable } from './unavailable.ts'

/** `Kind`: the kinds of documents in an index. Engines take any word. */
export interface SearchDocument<Kind extends string = RecordKind> {
  /** The id of the record's row (record.id). */
  id: string
  workspace: WorkspaceId
  /** The record's sequence. A document replaces only a smaller version. */
  version: number
  /** Deletions are stored too, so that an older version can't come back. A tombstone needs none of the other fields. */
  tombstone?: boolean
  record_id: string
  kind: Kind
  audience: Audience
  title: string
  /** Tokens of text/analyzer.ts in order. Those of the title and the topics are repeated according to their weight. */
  tokens: string[]
  valid_from: string
  valid_to: string | null
  /** The instant that `since` and `until` of a filter look at. Absent: valid_from. */
  dated?: string
  status: string | null
  category: string | null
  significance: string | null
  surface: string | null
  /** The types of the entities that the record names. */
  entity_types: string[]
  /** Labels that a filter can name, such as `status:accepted` and `entity:<id>` (records/search-document.ts). */
  tags: string[]
  /** Absent: not embedded yet. It belongs to this version. A later version that changes the embedded text drops it. */
  vector?: Vector
}

/** A direction of length 1. Vectors of different spaces (text/space.ts) are never compared. */
export interface Vector {
  space: string
  values: Float32Array
}

export interface SearchFilter<Kind extends string = RecordKind> {
  workspace: WorkspaceId
  /** Documents of other audiences affect nothing: neither candidates nor counts. */
  audiences: readonly Audience[]
  kinds?: readonly Kind[]
  /** Valid at this instant: valid_from ≤ t < valid_to. */
  as_of?: string
  category?: string
  significance?: string
  surface?: string
  entity_type?: string
  /** Only documents that have at least one tag of each list. A list is not empty. */
  tags?: readonly (readonly string[])[]
  /** Without the documents that have this tag and are valid at this instant. */
  except?: { tag: string; as_of: string }
  /** Only documents that are dated later than this. */
  since?: string
  /** Only documents that are not dated later than this. */
  until?: string
}

export interface Candidate<Kind extends string = RecordKind> {
  id: string
  record_id: string
  kind: Kind
  version: number
  valid_from: string
  valid_to: string | null
  /** The number of tokens in the document, and the frequency of each query term (in the order of the terms). */
  length: number
  frequencies: number[]
  /** For each query term its places in the document, ascending from 0. Absent in indexes of older formats. */
  places?: number[][]
}

/** A candidate found by its vector. It may hold none of the terms. */
export interface Neighbour<Kind extends string = RecordKind> extends Candidate<Kind> {
  /** The cosine of its vector and the query's. */
  cosine: number
}

/** What a search looks for (text/query.ts makes it of a text). */
export interface SearchQuery {
  /** Distinct. */
  terms: readonly string[]
  /** How much each term counts, in the order of the terms. Above 0. */
  weights: readonly number[]
}

/** Throws if the query or the limit of candidates() is outside the bounds. */
export function assertQuery({ terms, weights }: SearchQuery, limit: number): void {
  assert(terms.length >= 1 && terms.length <= 64 && limit >= 1 && limit <= 200)
  assert(weights.length === terms.length && weights.every((weight) => weight > 0))
}

/** The most terms that longer() returns. */
export const longerTerms = 100

const shortestBeginning = 3

/** Throws if the beginning is so short that too many terms have it. */
export function assertBeginning(beginning: string): void {
  assert(beginning.length >= shortestBeginning && !/\s/.test(beginning))
}

/** Counted only over documents that pass `workspace`, `audiences` and `kinds` of the filter. */
export interface Statistics {
  documents: number
  /** The sum of the lengths of these documents, in tokens. */
  length: number
  /** For each term, the number of documents that hold it: exact up to the engine's cap, estimated above it. */
  document_frequencies: number[]
}

export interface Candidates<Kind extends string = RecordKind> {
  items: Candidate<Kind>[]
  statistics: Statistics
}

/**
 * How far an index has come with a workspace, stored in the index itself. It reveals a lost or restored index (PROTOCOL
 * 3.4).
 */
export interface Watermark {
  epoch: string
  sequence: number
}

/**
 * An engine can store an index in several versions at the same time (index-versions.ts). The name of an index stands for
 * the one of the engine's own version. The other methods, but not create and the drops, also take the name of an older
 * version that the engine can use: it stores documents there in the older form. An index of a newer version is left
 * alone.
 */
export interface SearchEngine<Kind extends string = RecordKind> {
  /** The version of the indexes that this engine creates. */
  readonly version: string

  /** The versions in which the index is stored and that this engine can use, newest first. */
  versions(index: string): Promise<string[]>

  /** Creates the index if it is missing. A name has lower-case letters, digits and dashes. */
  create(index: string): Promise<void>

  /** Drops the index in its own and in all older versions. */
  drop(index: string): Promise<void>

  /** Drops the index in all older versions. */
  dropOlder(index: string): Promise<void>

  /**
   * Stores each document over smaller versions only. A document with a vector may also meet its own version, and then
   * adds the vector to it. Returns the ids of documents that could only be stored in a reduced form. Durable after
   * refresh. Documents are taken one by one, so that some are stored while others are still being made.
   */
  upsert(
    index: string,
    documents: Iterable<SearchDocument<Kind>> | AsyncIterable<SearchDocument<Kind>>,
  ): Promise<{ reduced: string[] }>

  /**
   * Deletes the documents with these ids (≤ 1,000), except those with a version above `version`. Unlike a tombstone it
   * leaves nothing behind, so a later upsert stores them again, even with a smaller version. Durable at once; searches
   * show it after refresh.
   */
  remove(index: string, workspace: WorkspaceId, ids: readonly string[], version: number): Promise<void>

  /**
   * After this, searches show everything upserted before. Then writes the workspace's watermark, if one is given. It
   * replaces a watermark of another epoch or with a lower sequence, so a worker that was suspended for long can't set
   * it back.
   */
  refresh(index: string, workspace: WorkspaceId, watermark?: Watermark): Promise<void>

  /**
   * The same, but only if the index already has a watermark of the workspace. false: it has none, and none was written.
   * Otherwise documents upserted before the index was lost would count as part of a new index that another workspace
   * has created since.
   */
  advance(index: string, workspace: WorkspaceId, watermark: Watermark): Promise<boolean>

  /** undefined also if the index is missing. */
  watermark(index: string, workspace: WorkspaceId): Promise<Watermark | undefined>

  /**
   * Up to `limit` (≤ 200) documents that hold at least one of the terms (1 to 64), best first by the engine's own
   * estimate, which takes the weights into account.
   */
  candidates(index: string, filter: SearchFilter<Kind>, query: SearchQuery, limit: number): Promise<Candidates<Kind>>

  /**
   * For each of the terms (distinct, up to 2,000), how many documents hold it, counted as for `statistics` but not beyond
   * `atMost`.
   */
  frequencies(index: string, filter: SearchFilter<Kind>, terms: readonly string[], atMost: number): Promise<number[]>

  /**
   * Terms that begin with `beginning` (3 or more characters) and are longer, held by documents that `statistics` would
   * count. Ascending, at most `longerTerms`. If very many terms or documents begin so, it may leave some out.
   */
  longer(index: string, filter: SearchFilter<Kind>, beginning: string): Promise<string[]>

  /**
   * Up to `limit` (≤ 200) documents with the nearest vectors, nearest first. `terms` (0 to 64) as for candidates. Among
   * very many documents it may compare only the newest. Throws EngineUnavailable if vectors can't be compared.
   */
  nearest(
    index: string,
    filter: SearchFilter<Kind>,
    vector: Vector,
    terms: readonly string[],
    limit: number,
  ): Promise<Neighbour<Kind>[]>

  /** Which of these ids (≤ 500) have a document that is no tombstone and lacks a vector of this space. */
  unembedded(index: string, workspace: WorkspaceId, space: string, ids: readonly string[]): Promise<string[]>

  /** Why vectors can't be compared here, such as a missing extension on this platform; undefined: they can. */
  vectorFault(): Promise<string | undefined>

  /** The number of documents of a workspace in the index, without tombstones. */
  count(index: string, workspace: WorkspaceId): Promise<number>

  /** undefined: the engine is healthy. Otherwise the fault: its kind is for /readyz, its message for the log. */
  health(): Promise<EngineUnavailable | undefined>

  close(): Promise<void>
}
