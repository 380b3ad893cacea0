/**
 * Writes documents with their versions. Each document has a separate outcome: if the index has a newer version,
 * nothing is written; if it is refused temporarily, it is retried; if it is refused permanently, a reduced form is
 * written.
 */
import type { SearchDocument } from '../../ports/search.ts'
import { attemptsAtMost, deadlineIn, type Elastic } from './connection.ts'
import {
  failureOfRefusal,
  isAboutDocument,
  isTemporary,
  type Refusal,
  refusalIn,
  refusalOf,
  unavailable,
} from './failure.ts'
import { reducedOf, storedOf } from './stored.ts'

/** The index to write to. */
export interface Target {
  /** The name of its alias. */
  name: string
  /** The fields that it can store, if it is of an older format; undefined: all. */
  known: ReadonlySet<string> | undefined
}

export interface SearchLog {
  error(fields: object, message: string): void
}

/** Bytes of one request. A server accepts 100 MB; proxies often accept much less. */
const bytesAtOnce = 4 * 1024 * 1024
const documentsAtOnce = 1_000
/** ms for one request with all its retries. */
const answersWithin = 10_000
/** If this many documents, and more than half of all, are refused even in reduced form, then the index is at fault. */
const manyLost = 10

/**
 * Returns the ids of documents that are indexed in a reduced form or not at all. Those not indexed at all are logged.
 */
export async function storeAll(
  elastic: Elastic,
  index: Target,
  documents: readonly SearchDocument[],
  log: SearchLog | undefined,
): Promise<string[]> {
  const refused = await storePieces(elastic, index, documents)
  if (refused.length === 0) return []
  // if only the vector is refused, the words must stay searchable: try again without the vector
  const words = refused.flatMap(({ document: { vector, ...rest } }) => (vector === undefined ? [] : [rest]))
  const refusedTwice = await storePieces(elastic, index, words)
  const withoutVector = refused.filter(({ document }) => document.vector === undefined)
  const reduced = [...withoutVector, ...refusedTwice].map(({ document }) => reducedOf(document))
  const lost = await storePieces(elastic, index, reduced)
  const [first] = lost
  if (first !== undefined && lost.length >= manyLost && lost.length > documents.length / 2) {
    throw unavailable(`refuses all documents: ${first.refusal.status} ${first.refusal.type}`, 'failing')
  }
  for (const { document, refusal } of lost) {
    // log it and continue, because other documents must not wait for this one; the reason is not logged, because it may
    // quote the document
    const { status, type } = refusal
    log?.error(
      { index: index.name, record: document.id, status, type },
      'Elasticsearch refused the document, also in reduced form; it is not searchable',
    )
  }
  return refused.map(({ document }) => document.id)
}

interface Refused {
  document: SearchDocument
  refusal: Refusal
}

async function storePieces(elastic: Elastic, index: Target, documents: readonly SearchDocument[]): Promise<Refused[]> {
  const refused: Refused[] = []
  for (const piece of piecesOf(documents, index)) refused.push(...(await storePiece(elastic, index, piece)))
  return refused
}

/** A document and its two lines in a bulk request. */
interface Item {
  document: SearchDocument
  lines: [string, string]
}

function* piecesOf(documents: readonly SearchDocument[], index: Target): Iterable<Item[]> {
  let piece: Item[] = []
  let bytes = 0
  for (const document of documents) {
    const item = itemOf(document, index)
    const size = Buffer.byteLength(item.lines[0]) + Buffer.byteLength(item.lines[1]) + 2
    if (piece.length > 0 && (bytes + size > bytesAtOnce || piece.length === documentsAtOnce)) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(item)
    bytes += size
  }
  if (piece.length > 0) yield piece
}

function itemOf(document: SearchDocument, { known }: Target): Item {
  const { id, workspace, version, vector } = document
  // a vector is added later to the same version of its document
  const version_type = vector === undefined ? 'external' : 'external_gte'
  const action = { index: { _id: id, routing: workspace, version, version_type } }
  return { document, lines: [JSON.stringify(action), JSON.stringify(storedIn(known, document))] }
}

/** Leaves out the fields that the index can't store. Those of vectors were mapped before. */
function storedIn(known: ReadonlySet<string> | undefined, document: SearchDocument): object {
  const stored = storedOf(document)
  if (known === undefined) return stored
  const isKept = (field: string) => known.has(field) || field === 'space' || field.startsWith('vector_')
  return Object.fromEntries(Object.entries(stored).filter(([field]) => isKept(field)))
}

/**
 * Returns the documents that were refused permanently. Throws if some are still refused temporarily at the last
 * attempt.
 */
async function storePiece(elastic: Elastic, index: Target, piece: readonly Item[]): Promise<Refused[]> {
  const refused: Refused[] = []
  let left = piece
  for (let attempts = 1; ; attempts++) {
    const outcome = await send(elastic, index, left)
    refused.push(...outcome.refused)
    left = outcome.retry.map(({ item }) => item)
    const [first] = outcome.retry
    if (first === undefined) return refused
    if (attempts >= attemptsAtMost) throw failureOfRefusal(first.refusal)
    await elastic.pause(attempts)
  }
}

interface Outcome {
  refused: Refused[]
  /** Refused temporarily. */
  retry: { item: Item; refusal: Refusal }[]
}

async function send(elastic: Elastic, index: Target, items: readonly Item[]): Promise<Outcome> {
  const refusals = await bulk(elastic, index, items)
  if ('whole' in refusals) return divide(elastic, index, items, refusals.whole)
  const outcome: Outcome = { refused: [], retry: [] }
  for (const [n, refusal] of refusals.each) {
    const item = items[n] as Item
    if (isTemporary(refusal)) outcome.retry.push({ item, refusal })
    else if (isAboutDocument(refusal)) outcome.refused.push({ document: item.document, refusal })
    else throw failureOfRefusal(refusal)
  }
  return outcome
}

/**
 * Splits a request that was refused as a whole (for example, too large for a proxy) in halves, down to one document.
 */
async function divide(elastic: Elastic, index: Target, items: readonly Item[], refusal: Refusal): Promise<Outcome> {
  const [only] = items
  if (only !== undefined && items.length === 1) return { refused: [{ document: only.document, refusal }], retry: [] }
  const middle = items.length >> 1
  const first = await send(elastic, index, items.slice(0, middle))
  const second = await send(elastic, index, items.slice(middle))
  return { refused: [...first.refused, ...second.refused], retry: [...first.retry, ...second.retry] }
}

/** By index of the item. A version conflict is no refusal: the index has this version or a newer one. */
type Refusals = { each: Map<number, Refusal> } | { whole: Refusal }

async function bulk({ client, ask }: Elastic, index: Target, items: readonly Item[]): Promise<Refusals> {
  const wholeRefusal: { refusal?: Refusal } = {}
  const answer = await ask(
    (how) =>
      client
        .bulk(
          {
            index: index.name,
            // a lost index must not be created again by a write
            require_alias: true,
            operations: items.flatMap(({ lines }) => lines),
            // wait this long for the shard; then the answer is 503, which is retried
            timeout: '2s',
            filter_path: ['errors', 'items.index.status', 'items.index.error.type', 'items.index.error.reason'],
          },
          how,
        )
        .catch((error: unknown) => {
          const refusal = refusalIn(error)
          if (refusal === undefined || !isAboutDocument(refusal)) throw error
          wholeRefusal.refusal = refusal
          return undefined
        }),
    deadlineIn(answersWithin),
  )
  if (answer === undefined) return { whole: wholeRefusal.refusal as Refusal }
  const each = new Map<number, Refusal>()
  if (!answer.errors) return { each }
  for (const [n, { index: item }] of answer.items.entries()) {
    if (item !== undefined && item.status >= 300 && item.status !== conflict)
      each.set(n, refusalOf(item.status, item.error))
  }
  return { each }
}

/** The stored version is the same or newer. */
const conflict = 409
