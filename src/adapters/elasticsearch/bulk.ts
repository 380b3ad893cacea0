/**
 * Writing documents, each under its version. What happens to one does not touch the others: one that an index has
 * already as new is done, one that is refused for now comes again, one that is refused for good is reduced.
 */
import type { SearchDocument } from '../../ports/search.ts'
import { attemptsAtMost, deadlineIn, type Elastic } from './connection.ts'
import {
  failureOfRefusal,
  isOfDocument,
  isPassing,
  type Refusal,
  refusalIn,
  refusalOf,
  unavailable,
} from './failure.ts'
import { reducedOf, storedOf } from './stored.ts'

export interface SearchLog {
  error(fields: object, message: string): void
}

/** Bytes of one request. A server takes 100 MB, what stands before it often much less. */
const bytesAtOnce = 4 * 1024 * 1024
const documentsAtOnce = 1_000
/** ms, for one request with all its attempts. */
const answersWithin = 10_000
/** So many that are taken in no form, and most of all: then it is the index that is wrong, not they. */
const manyLost = 10

/** Returns the ids of those that are kept in a reduced form, or not at all: what is refused as that is logged. */
export async function storeAll(
  elastic: Elastic,
  index: string,
  documents: readonly SearchDocument[],
  log: SearchLog | undefined,
): Promise<string[]> {
  const refused = await storePieces(elastic, index, documents)
  if (refused.length === 0) return []
  // a vector that is refused must not cost the words that are there already
  const words = refused.flatMap(({ document: { vector, ...rest } }) => (vector === undefined ? [] : [rest]))
  const refusedTwice = await storePieces(elastic, index, words)
  const withoutVector = refused.filter(({ document }) => document.vector === undefined)
  const reduced = [...withoutVector, ...refusedTwice].map(({ document }) => reducedOf(document))
  const lost = await storePieces(elastic, index, reduced)
  const [first] = lost
  if (first !== undefined && lost.length >= manyLost && lost.length > documents.length / 2) {
    throw unavailable(`takes no documents: ${first.refusal.status} ${first.refusal.type}`, 'failing')
  }
  for (const { document, refusal } of lost) {
    // it stands in the way of nothing else: what is searched for elsewhere must not wait for it. The reason may quote it
    const { status, type } = refusal
    log?.error({ index, record: document.id, status, type }, 'Elasticsearch takes this document in no form')
  }
  return refused.map(({ document }) => document.id)
}

interface Refused {
  document: SearchDocument
  refusal: Refusal
}

async function storePieces(elastic: Elastic, index: string, documents: readonly SearchDocument[]): Promise<Refused[]> {
  const refused: Refused[] = []
  for (const piece of piecesOf(documents)) refused.push(...(await storePiece(elastic, index, piece)))
  return refused
}

/** A document with the two lines that a bulk has of it. */
interface Item {
  document: SearchDocument
  lines: [string, string]
}

function* piecesOf(documents: readonly SearchDocument[]): Iterable<Item[]> {
  let piece: Item[] = []
  let bytes = 0
  for (const document of documents) {
    const item = itemOf(document)
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

function itemOf(document: SearchDocument): Item {
  const { id, workspace, version, vector } = document
  // a vector is added to the version that it belongs to
  const version_type = vector === undefined ? 'external' : 'external_gte'
  const action = { index: { _id: id, routing: workspace, version, version_type } }
  return { document, lines: [JSON.stringify(action), JSON.stringify(storedOf(document))] }
}

/** Returns those that were refused for good; throws where some were still refused for now at the last attempt. */
async function storePiece(elastic: Elastic, index: string, piece: readonly Item[]): Promise<Refused[]> {
  const refused: Refused[] = []
  let left = piece
  for (let attempts = 1; ; attempts++) {
    const outcome = await send(elastic, index, left)
    refused.push(...outcome.refused)
    left = outcome.again.map(({ item }) => item)
    const [first] = outcome.again
    if (first === undefined) return refused
    if (attempts >= attemptsAtMost) throw failureOfRefusal(first.refusal)
    await elastic.backOff(attempts)
  }
}

interface Outcome {
  refused: Refused[]
  /** Refused for now. */
  again: { item: Item; refusal: Refusal }[]
}

async function send(elastic: Elastic, index: string, items: readonly Item[]): Promise<Outcome> {
  const refusals = await bulk(elastic, index, items)
  if ('whole' in refusals) return divide(elastic, index, items, refusals.whole)
  const outcome: Outcome = { refused: [], again: [] }
  for (const [n, refusal] of refusals.each) {
    const item = items[n] as Item
    if (isPassing(refusal)) outcome.again.push({ item, refusal })
    else if (isOfDocument(refusal)) outcome.refused.push({ document: item.document, refusal })
    else throw failureOfRefusal(refusal)
  }
  return outcome
}

/** A request that is refused as a whole (too large for what stands before the server) in halves, down to one document. */
async function divide(elastic: Elastic, index: string, items: readonly Item[], refusal: Refusal): Promise<Outcome> {
  const [only] = items
  if (only !== undefined && items.length === 1) return { refused: [{ document: only.document, refusal }], again: [] }
  const middle = items.length >> 1
  const first = await send(elastic, index, items.slice(0, middle))
  const second = await send(elastic, index, items.slice(middle))
  return { refused: [...first.refused, ...second.refused], again: [...first.again, ...second.again] }
}

/** By place in what was sent; what an index has already as new is no refusal. */
type Refusals = { each: Map<number, Refusal> } | { whole: Refusal }

async function bulk({ client, ask }: Elastic, index: string, items: readonly Item[]): Promise<Refusals> {
  const wholeRefusal: { refusal?: Refusal } = {}
  const answer = await ask(
    (how) =>
      client
        .bulk(
          {
            index,
            // an index that is lost must not come back by being written to
            require_alias: true,
            operations: items.flatMap(({ lines }) => lines),
            // for the shard to be there: then it says 503, which is tried again
            timeout: '2s',
            filter_path: ['errors', 'items.index.status', 'items.index.error.type', 'items.index.error.reason'],
          },
          how,
        )
        .catch((error: unknown) => {
          const refusal = refusalIn(error)
          if (refusal === undefined || !isOfDocument(refusal)) throw error
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

/** The version stored is at least ours. */
const conflict = 409
