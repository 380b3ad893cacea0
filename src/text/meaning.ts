/**
 * What a question means, as a vector. It is asked of the embedder within a short time and kept for whoever asks the
 * same next. One that is away or slow is left alone: then search is by words, and loses no time, until it was tried
 * beside the searches and found well again.
 */
import { setMaxListeners } from 'node:events'
import type { Clock } from '../ports/clock.ts'
import { type Embedder, EmbedderUnavailable, embedWithin, TextRefused } from '../ports/embedder.ts'
import type { Vector } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { Space } from './space.ts'
import type { Measuring } from './space-measuring.ts'

export interface Meaning {
  vector: Vector
  space: Space
}

export interface Meanings {
  /** The name of the model: vectors of records are its own, or lacking. */
  model: string
  /** undefined: not to be had now. Never rejects, and never takes long. */
  of(question: string): Promise<Meaning | undefined>
  /** The search engine could not compare vectors. */
  failed(error: unknown): void
  /** Measures the space where that was not done, and tries an embedder that failed, when it is time for it. */
  look(): Promise<void>
  /** Why questions are searched for by words alone; undefined: they are not. */
  fault(): string | undefined
}

export interface MeaningPorts {
  embedder: Embedder
  measuring: Measuring
  clock: Clock
  stopping: AbortSignal
  /** Hears of each failure, and of `undefined` when all is well again. */
  failure(reason: string | undefined): void
  /** Hears of each question that was asked. */
  asked(outcome: 'had' | 'missing'): void
}

/** ms that a search waits for a vector, and that the embedder has before it is told to stop: what comes late is kept. */
const waitsFor = 300
const answersWithin = 5_000
const kept = 1_000
const askedAtOnce = 16
/** Calls that end with the service: those of questions, of records, and what the embedder is tried with. */
const callsAtMost = 64
/** Failures in a row after which no search waits for it any more. */
const failuresInRow = 3
/** ms until it is tried again, doubled each time. */
const firstPause = 1_000
const longestPause = 30_000
/** What it is tried with. */
const trial = 'Is anybody there?'

/** Where vectors can't be compared at all: there are none, and it is told why. */
export function noMeanings(model: string, why: string): Meanings {
  return { model, of: async () => undefined, failed: () => {}, look: async () => {}, fault: () => why }
}

export function meanings(ports: MeaningPorts): Meanings {
  const { embedder, measuring, clock, stopping } = ports
  setMaxListeners(callsAtMost, stopping)
  const known = new Map<string, Meaning>()
  const asked = new Map<string, Promise<Meaning | undefined>>()
  let failures = 0
  let trials = 0
  let againAt = 0
  let looking: Promise<void> | undefined
  let fault: string | undefined

  function fail(error: Error): void {
    fault = whyOf(error)
    failures += 1
    const askAgainIn = error instanceof EmbedderUnavailable ? error.askAgainIn : undefined
    const pause = askAgainIn ?? Math.min(longestPause, firstPause * 2 ** trials)
    // not all processes at the same moment
    againAt = clock.elapsed() + pause * (1 + clock.random() / 4)
    ports.failure(error.message)
  }

  function succeed(): void {
    if (failures > 0) ports.failure(undefined)
    failures = 0
    trials = 0
    fault = undefined
  }

  /** Never rejects. Of what takes longer than a search waits that is the failure, at once; what comes then is kept. */
  async function ask(question: string, space: Space): Promise<Meaning | undefined> {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      fail(new EmbedderUnavailable(`the endpoint takes longer than ${waitsFor} ms for a question`))
    }, waitsFor)
    try {
      const [values] = await embedWithin({ embedder, stopping }, answersWithin, 'query', [question])
      if (values?.length !== space.dimensions) {
        measuring.forget()
        throw new EmbedderUnavailable(`the endpoint answers ${values?.length} dimensions, before ${space.dimensions}`)
      }
      const meaning = { vector: { space: space.name, values }, space }
      keep(question, meaning)
      if (!isLate) succeed()
      return meaning
    } catch (error) {
      // of what somebody asks: nothing is wrong with the embedder
      const isOfTheText = error instanceof TextRefused && question !== trial
      if (!isLate && !isOfTheText && !stopping.aborted) fail(error as Error)
      return undefined
    } finally {
      clearTimeout(late)
      asked.delete(question)
    }
  }

  function keep(question: string, meaning: Meaning): void {
    if (known.size >= kept) known.delete(known.keys().next().value as string)
    known.set(question, meaning)
  }

  /** Nobody waits for it. */
  async function tried(): Promise<void> {
    const space = measuring.known()
    trials += 1
    if (space !== undefined) return void (await ask(trial, space))
    await measuring.measure().then(succeed, (error: Error) => stopping.aborted || fail(error))
  }

  function look(): Promise<void> {
    const isWell = fault === undefined && measuring.known() !== undefined
    if (isWell || clock.elapsed() < againAt) return Promise.resolve()
    looking ??= tried().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function soon(question: string): Promise<Meaning | undefined> {
    const space = measuring.known()
    const before = known.get(question)
    if (before !== undefined && before.space === space) return before
    if (space === undefined || failures >= failuresInRow) {
      // the search goes on: the next one finds it done
      void look()
      return undefined
    }
    const asking = asked.get(question) ?? (asked.size < askedAtOnce ? ask(question, space) : undefined)
    if (asking === undefined) return undefined
    asked.set(question, asking)
    return Promise.race([asking, clock.sleep(waitsFor).then(() => undefined)])
  }

  return {
    model: embedder.model,
    async of(question) {
      const meaning = await soon(question)
      ports.asked(meaning === undefined ? 'missing' : 'had')
      return meaning
    },
    failed: (error) => fail(error as Error),
    look,
    fault: () => fault,
  }
}

/** For anybody, in /readyz: nothing that a driver says. The log has the whole message. */
function whyOf(error: Error): string {
  if (error instanceof EmbedderUnavailable) return error.message
  return error instanceof EngineUnavailable ? error.shown : 'failing'
}
