/**
 * Embeds search queries, within a time limit, and caches the vectors. If the embedder fails several times in a row,
 * searches no longer call it: they match words only and lose no time. `look` retries it in the background; once a retry
 * succeeds, searches call it again.
 */
import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import { backOff } from '../ports/back-off.ts'
import type { Clock } from '../ports/clock.ts'
import { type Embedder, EmbedderUnavailable, embedWithin, TextRefused } from '../ports/embedder.ts'
import type { Vector } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { Space } from './space.ts'
import type { Measuring } from './space-measuring.ts'

export interface QueryVector {
  vector: Vector
  space: Space
}

export interface QueryEmbedder {
  /** The name of the model. Records that it has not embedded count as having no vector. */
  model: string
  /** undefined: no vector is available within the time limit. Never rejects. */
  embed(query: string): Promise<QueryVector | undefined>
  /** Reports that the search engine could not compare vectors. */
  failed(error: unknown): void
  /** Measures the space if that is not done yet, and retries an embedder that failed once its pause is over. */
  look(): Promise<void>
  /** Why searches match words only; undefined: they don't. */
  fault(): string | undefined
}

export interface QueryEmbedderPorts {
  embedder: Embedder
  measuring: Measuring
  clock: Clock
  stopping: AbortSignal
  /** Called with the reason of each failure, and with `undefined` when the embedder works again. */
  failure(reason: string | undefined): void
  /** Called after each query: `had` if it got a vector. */
  asked(outcome: 'had' | 'missing'): void
}

/** ms that a search waits for a vector. */
const waitsFor = 300
/** ms before a call of the embedder is aborted. A vector that comes after `waitsFor` is cached for the next search. */
const answersWithin = 5_000
/** Vectors in the cache. */
const kept = 1_000
/** Concurrent calls for queries. */
const askedAtOnce = 16
/** Concurrent calls that listen for the end of the service: for queries, for records and for retries. */
const callsAtMost = 64
/** Failures in a row after which searches no longer wait for the embedder. */
const failuresInRow = 3
/** ms until a retry. */
const pauses = { first: 1_000, longest: 30_000 }
/** The text that a retry embeds. */
const trial = 'Is anybody there?'

/** For a search engine that can't compare vectors; `why` is its fault. */
export function noQueryEmbedder(model: string, why: string): QueryEmbedder {
  return { model, embed: async () => undefined, failed: () => {}, look: async () => {}, fault: () => why }
}

export function queryEmbedder(ports: QueryEmbedderPorts): QueryEmbedder {
  const { embedder, measuring, clock, stopping } = ports
  setMaxListeners(callsAtMost, stopping)
  const known = new LRUCache<string, QueryVector>({ max: kept })
  const asked = new Map<string, Promise<QueryVector | undefined>>()
  let failures = 0
  let trials = 0
  let againAt = 0
  let looking: Promise<void> | undefined
  let fault: string | undefined

  function fail(error: Error): void {
    fault = whyOf(error)
    failures += 1
    const asked = error instanceof EmbedderUnavailable ? error.askAgainIn : undefined
    againAt = clock.elapsed() + backOff(trials + 1, { ...pauses, asked }, clock.random)
    ports.failure(error.message)
  }

  function succeed(): void {
    if (failures > 0) ports.failure(undefined)
    failures = 0
    trials = 0
    fault = undefined
  }

  /**
   * Never rejects. A call that takes longer than a search waits counts as failed at once; its vector is still cached.
   */
  async function ask(query: string, space: Space): Promise<QueryVector | undefined> {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      fail(new EmbedderUnavailable(`the endpoint takes longer than ${waitsFor} ms for a query`))
    }, waitsFor)
    try {
      const [values] = await embedWithin({ embedder, stopping }, answersWithin, 'query', [query])
      if (values?.length !== space.dimensions) {
        measuring.forget()
        throw new EmbedderUnavailable(
          `the endpoint returned ${values?.length} dimensions instead of ${space.dimensions}`,
        )
      }
      const found = { vector: { space: space.name, values }, space }
      known.set(query, found)
      if (!isLate) succeed()
      return found
    } catch (error) {
      // a caller's text was refused: the embedder itself works
      const isOfTheText = error instanceof TextRefused && query !== trial
      if (!isLate && !isOfTheText && !stopping.aborted) fail(error as Error)
      return undefined
    } finally {
      clearTimeout(late)
      asked.delete(query)
    }
  }

  async function tried(): Promise<void> {
    const space = measuring.known()
    trials += 1
    if (space !== undefined) return void (await ask(trial, space))
    await measuring.measure().then(succeed, (error: Error) => stopping.aborted || fail(error))
  }

  function look(): Promise<void> {
    const isWorking = fault === undefined && measuring.known() !== undefined
    if (isWorking || clock.elapsed() < againAt) return Promise.resolve()
    looking ??= tried().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function withinLimit(query: string): Promise<QueryVector | undefined> {
    const space = measuring.known()
    const before = known.get(query)
    if (before !== undefined && before.space === space) return before
    if (space === undefined || failures >= failuresInRow) {
      // not awaited: this search goes on without a vector, a later one may have one
      void look()
      return undefined
    }
    const asking = asked.get(query) ?? (asked.size < askedAtOnce ? ask(query, space) : undefined)
    if (asking === undefined) return undefined
    asked.set(query, asking)
    return Promise.race([asking, clock.sleep(waitsFor).then(() => undefined)])
  }

  return {
    model: embedder.model,
    async embed(query) {
      const vector = await withinLimit(query)
      ports.asked(vector === undefined ? 'missing' : 'had')
      return vector
    },
    failed: (error) => fail(error as Error),
    look,
    fault: () => fault,
  }
}

/** /readyz shows it to anyone, so it leaves out the driver's own message. The log has the whole message. */
function whyOf(error: Error): string {
  if (error instanceof EmbedderUnavailable) return error.message
  return error instanceof EngineUnavailable ? error.shown : 'failing'
}
