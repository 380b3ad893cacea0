/**
 * Records that a caller can't see do not influence search by meaning (SEMANTICS 2). Candidates, scores and order equal
 * those of a store with only the records that the caller may see.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { openaiEmbedder } from '../../src/adapters/openai/embedder.ts'
import { brief } from '../../src/context/brief/brief.ts'
import { searchContext } from '../../src/context/search.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { searchDecisions } from '../../src/decisions/search.ts'
import { embedded } from '../../src/embedding/embedded.ts'
import { embeddingWorker } from '../../src/embedding/embedding.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Reads } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { questionLinks, questionLinksOf } from '../../src/records/projections/question-links.ts'
import { records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { type QueryEmbedder, queryEmbedder } from '../../src/text/query-embedder.ts'
import { type Measuring, measuring } from '../../src/text/space-measuring.ts'
import { openWorld, promise, quiet, rows, type World, workspace } from '../support/apply.ts'
import { ask, pagesOf, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { type Endpoint, embeddingEndpoint } from '../support/embedding-endpoint.ts'
import { profile } from '../support/profile.ts'
import { actors, visibilities } from '../support/readers.ts'
import { tries } from '../support/size.ts'

/** Synonyms are next to each other. The questions use words that few records contain. */
const words = ['car', 'automobile', 'holiday', 'vacation', 'price', 'cost', 'doctor', 'physician', 'yard', 'tulip']
const questions = ['vehicle fee', 'leave of the doctor', 'vehicle holiday price', 'tulip yard car']
const write = fc.record({
  by: fc.nat(actors.length - 1),
  kind: fc.constantFrom('fact', 'decision'),
  said: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
  visibility: fc.constantFrom(...visibilities),
})

/** Always written: records that answer a question without sharing a word with it. */
const nearOnly = ['automobile automobile cost cost cost', 'automobile vacation cost cost vacation'].map((said) => ({
  by: 0,
  kind: 'fact' as const,
  said: said.split(' '),
  visibility: { scope: 'workspace' },
}))

let endpoint: Endpoint
let stopping: AbortController
let space: Measuring
let asked: QueryEmbedder
beforeAll(async () => {
  endpoint = await embeddingEndpoint()
  stopping = new AbortController()
  space = measuring(embedder(), stopping.signal)
  await space.measure()
})
afterAll(async () => {
  stopping.abort()
  await endpoint.stop()
})

function embedder() {
  const prefixes = { record: '', query: '' }
  return openaiEmbedder({ url: endpoint.url, model: 'small', apiKey: undefined, dimensions: undefined, prefixes })
}

/** A long time limit, so that a busy machine does not make one store search by words only. */
function queryEmbedderFor(clock: World['clock']): QueryEmbedder {
  const patient = { ...clock, sleep: () => new Promise<void>(() => {}) }
  return queryEmbedder({
    embedder: embedder(),
    measuring: space,
    clock: patient,
    stopping: stopping.signal,
    failure: (reason) => expect(reason).toBeUndefined(),
    asked: (outcome) => expect(outcome).toBe('had'),
  })
}

const { runs, ...lengths } =
  profile === 'embedded' ? { runs: 15, minLength: 15, maxLength: 40 } : { runs: 1, minLength: 12, maxLength: 16 }

it('search by meaning gives each caller the results of a store with only the records that it may see', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, lengths), async (random) => {
      const writes = [...nearOnly, ...random]
      let byMeaning = 0
      const whole = await openWorld(randomOf(1))
      try {
        asked = queryEmbedderFor(whole.clock)
        for (const [at, one] of writes.entries()) {
          const content = `${one.said.join(' ')} only${at}only`
          const input = one.kind === 'fact' ? { kind: 'fact', content } : { title: content, judgment: content }
          const operation = one.kind === 'fact' ? remember : recordDecision
          const asOne = { ...input, visibility: one.visibility }
          await promise(whole, operation as typeof remember, asOne, actors[one.by]).catch((error: unknown) => {
            // the actor is not in this team
            if (!(error instanceof Problem)) throw error
          })
        }
        await quiet(whole)
        await embedAll(whole)
        for (const actor of actors) byMeaning += await compare(whole, actor)
      } finally {
        await whole.close()
      }
      // otherwise the comparison proves nothing
      expect(byMeaning).toBeGreaterThan(0)
    }),
    { numRuns: tries(runs) },
  )
})

/** The number of found records that share no word with the question. */
async function compare(whole: World, actor: Actor): Promise<number> {
  const at = new Date(whole.clock.now()).toISOString()
  const part = await visibleOnly(whole, actor)
  let byMeaning = 0
  try {
    const [one, other] = [await withQueryEmbedder(whole, at), await withQueryEmbedder(part, at)]
    for (const q of questions) {
      const searches = [
        (reads: Reads) => pagesOf(reads, searchContext, { q, limit: 4 }, actor),
        (reads: Reads) => pagesOf(reads, searchDecisions, { q, limit: 3, threshold: 0 }, actor),
        (reads: Reads) => ask(reads, brief, { query: q }, actor),
      ]
      for (const search of searches) {
        const [found, expected] = [withoutChance(await search(one)), withoutChance(await search(other))]
        expect(found).toEqual(expected)
      }
      const { items } = await ask(one, searchContext, { q, limit: 50 }, actor)
      byMeaning += items.filter(({ snippet }) => !q.split(' ').some((word) => snippet.includes(word))).length
    }
  } finally {
    await part.close()
  }
  return byMeaning
}

async function withQueryEmbedder(world: World, at: string): Promise<Reads> {
  return { ...(await readsOf(world, at)), queryEmbedder: asked }
}

/** Cursors are random. */
function withoutChance(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'next_cursor' ? value !== undefined : value)))
}

async function embedAll(world: World): Promise<void> {
  const ports = { ...world.portsOf(world), embedder: embedder(), measuring: space, done: () => {}, failed: () => {} }
  const worker = embeddingWorker(ports, stopping.signal)
  await worker.look()
  expect(worker.fault()).toBeUndefined()
}

async function visibleOnly(whole: World, actor: Actor): Promise<World> {
  const part = await openWorld(randomOf(1))
  const visible = (await rows(whole)).filter((row) => audiencesOf(actor).includes(row.audience))
  const checkpoint = await checkpointOf(whole.documents, workspace)
  await part.documents.insertMany(records, visible)
  await part.documents.insertMany(
    questionLinks,
    visible.filter((row) => row.kind === 'question').flatMap(questionLinksOf),
  )
  await part.documents.insert(checkpoints, checkpoint)
  await part.search.create(checkpoint.live)
  const searched = visible.filter(({ kind }) => kind !== 'question')
  await part.search.upsert(checkpoint.live, await Promise.all(searched.map((row) => searchDocumentOf(row))))
  await part.search.refresh(checkpoint.live, workspace, { epoch: 'epoch', sequence: checkpoint.indexed_seq })
  await embedAll(part)
  expect(await part.documents.get(embedded, workspace)).toMatchObject({ sequence: checkpoint.indexed_seq })
  return part
}
