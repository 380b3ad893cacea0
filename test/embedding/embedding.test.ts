import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openaiEmbedder } from '../../src/adapters/openai/embedder.ts'
import { embedded, lackingSince } from '../../src/embedding/embedded.ts'
import { type EmbeddingWorker, embeddingWorker } from '../../src/embedding/embedding.ts'
import { vectorGap } from '../../src/embedding/vector-gap.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { serving } from '../../src/journal/shown-in.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { records } from '../../src/records/record.ts'
import { measureSpace } from '../../src/text/space.ts'
import { measuring } from '../../src/text/space-measuring.ts'
import { apply, promise, quiet, type World, workspace, world } from '../support/apply.ts'
import { Died, type Fault, randomOf, worker } from '../support/chaos.ts'
import { answering, answerTo, type Endpoint, embeddingEndpoint } from '../support/embedding-endpoint.ts'
import { rebuiltAlone } from '../support/rebuilds.ts'

let on: World
let endpoint: Endpoint
let stopping: AbortController
/** ms that the workers' clock is ahead. */
let ahead: number
beforeEach(async () => {
  ;[on, endpoint] = await Promise.all([world(), embeddingEndpoint()])
  stopping = new AbortController()
  ahead = 0
})
afterEach(async () => {
  stopping.abort()
  await Promise.all([on.close(), endpoint.stop()])
})

const embedderOf = (model: string) =>
  openaiEmbedder({
    url: endpoint.url,
    model,
    apiKey: undefined,
    dimensions: undefined,
    prefixes: { record: '', query: '' },
  })
const clock = (): Clock => ({
  ...on.clock,
  now: () => on.clock.now() + ahead,
  elapsed: () => on.clock.elapsed() + ahead,
})

interface Told {
  worker: EmbeddingWorker
  done: Record<string, number>
  failures: string[]
}
function workerOf(engines: Pick<World, 'documents' | 'search'> = on, model = 'small', signal = stopping.signal): Told {
  const told: Omit<Told, 'worker'> = { done: { embedded: 0, refused: 0 }, failures: [] }
  const embedder = embedderOf(model)
  const ports = {
    ...on.portsOf(engines),
    clock: clock(),
    embedder,
    measuring: measuring(embedder, signal),
    done(outcome: string, texts: number) {
      told.done[outcome] = (told.done[outcome] ?? 0) + texts
    },
    failed: (reason: string) => void told.failures.push(reason),
  }
  return { worker: embeddingWorker(ports, signal), ...told }
}

const fact = (content: string) => apply(on, remember, { kind: 'fact', content })
/** Texts that do not contradict each other. */
async function facts(count: number, words = 'crate'): Promise<void> {
  for (let n = 0; n < count; n++) {
    await promise(on, remember, { kind: 'fact', content: `${words} ${'abcdefghij'[n % 10]}${'x'.repeat(n / 10)}` })
  }
  await quiet(on)
}
/** Rows without a vector in the live index. */
async function lacking(model = 'small'): Promise<string[]> {
  const { live } = await checkpointOf(on.documents, workspace)
  const rows = await on.documents.find(records, { where: { workspace }, limit: 500 })
  const ids = rows.filter(({ kind }) => kind !== 'question').map(({ id }) => id)
  return on.search.unembedded(live, workspace, `${model}/256`, ids)
}
const gap = () => vectorGap(on.documents, on.search, on.clock, 'small')

describe('embedding records', () => {
  it('embeds each indexed record once, and new records later', async () => {
    const { worker: one, done } = workerOf()
    await facts(150)
    expect(await gap()).toMatchObject({ rows: 150, oldest: expect.any(Number) })
    await one.look()
    expect(await lacking()).toEqual([])
    expect(done.embedded).toBe(150)
    expect(await gap()).toEqual({ rows: 0, oldest: 0 })
    endpoint.asked.length = 0
    await fact('Whales sing')
    one.wake(workspace)
    await one.look()
    expect(endpoint.texts()).toEqual(['Whales sing'])
    await one.look()
    expect(endpoint.asked.length).toBe(1)
  })

  it('embeds records even if every notification was lost', async () => {
    await fact('Whales sing')
    await workerOf().worker.look()
    expect(await lacking()).toEqual([])
  })

  it('embeds all records again after a rebuild or a change of the model', async () => {
    await facts(3)
    await workerOf().worker.look()
    await rebuiltAlone(on)
    expect((await lacking()).length).toBe(3)
    expect((await gap()).rows).toBe(3)
    await workerOf().worker.look()
    expect(await lacking()).toEqual([])
    await workerOf(on, 'other').worker.look()
    expect(await lacking('other')).toEqual([])
    // one vector for each record: those of the previous model are gone
    expect((await lacking()).length).toBe(3)
    // and back to the first model
    await workerOf().worker.look()
    expect(await lacking()).toEqual([])
  })

  it('embeds every record even if workers die or run concurrently', { timeout: 120_000 }, async () => {
    const random = randomOf(11)
    const faults: Fault[] = ['die before', 'die after', 'lose answer', 'refuse']
    for (let round = 0; round < 12; round++) {
      await facts(3 + Math.floor(random() * 5), `round ${round}`)
      const running = Array.from({ length: 2 }, async () => {
        const at = Math.floor(random() * 14)
        const chaotic = worker(on, random, new Map([[at, faults[Math.floor(random() * faults.length)] as Fault]]))
        const look = workerOf(chaotic).worker.look()
        await Promise.race([look, chaotic.died]).catch((error: Error) => {
          if (!(error instanceof Died) && error.name !== 'EngineUnavailable') throw error
        })
      })
      await Promise.all(running)
      // the lease of a dead worker expires after two minutes
      if (random() < 0.5) ahead += 200_000
    }
    ahead += 200_000
    await workerOf().worker.look()
    expect(await lacking()).toEqual([])
    expect(await gap()).toEqual({ rows: 0, oldest: 0 })
  })

  it('never stores a vector with a newer version of the record', async () => {
    const first = await fact('Automobile price list')
    let hold: (answer: () => void) => void = () => {}
    const held = new Promise<() => void>((resolve) => {
      hold = resolve
    })
    endpoint.misbehave((asked, response) => {
      if (!asked.input.includes('Automobile price list')) return false
      hold(() => response.end(JSON.stringify(answerTo(asked))))
      return true
    })
    const look = workerOf().worker.look()
    const answer = await held
    endpoint.misbehave(undefined)
    const body = { kind: 'correction', content: 'Boat price list', corrects_memory_id: first.entity?.id }
    await apply(on, remember, body)
    answer()
    await look
    expect((await lacking()).length).toBe(2)
    await workerOf().worker.look()
    expect(await lacking()).toEqual([])
  })
})

describe('a failing embedder', () => {
  it('is retried with back-off, and missed records are embedded later', async () => {
    await facts(2)
    const { worker: one, failures } = workerOf()
    endpoint.misbehave(answering(500))
    await one.look()
    expect(one.fault()).toContain('500')
    const asked = endpoint.asked.length
    await one.look()
    expect(endpoint.asked.length).toBe(asked)
    for (const pause of [1_300, 2_600, 5_200]) {
      ahead += pause
      await one.look()
    }
    expect(failures.length).toBe(4)
    // not before eight seconds from now
    endpoint.misbehave(undefined)
    ahead += 7_000
    await one.look()
    expect((await lacking()).length).toBe(2)
    ahead += 4_000
    await one.look()
    expect([await lacking(), one.fault()]).toEqual([[], undefined])
  })

  it('is retried after the time it asks for, and vectors made before are kept', async () => {
    await facts(100)
    const { worker: one, done } = workerOf()
    let answered = 0
    endpoint.misbehave((asked, response, request) => {
      // one call to measure, then two calls of four texts
      if (asked.input.length === 16 || answered++ < 2) return false
      return answering(429, { 'retry-after': '30' })(asked, response, request)
    })
    await one.look()
    expect(done.embedded).toBeGreaterThanOrEqual(32)
    expect((await lacking()).length).toBe(100 - (done.embedded as number))
    endpoint.misbehave(undefined)
    ahead += 20_000
    await one.look()
    expect((await lacking()).length).toBeGreaterThan(0)
    ahead += 20_000
    await one.look()
    expect([await lacking(), done.embedded]).toEqual([[], 100])
  })

  it.each([
    ['500', (text: string) => text.includes('unspeakable'), answering(500)],
    ['400', (text: string) => text.includes('unspeakable'), answering(400)],
    [
      'hanging up',
      (text: string) => text.includes('unspeakable'),
      (_: unknown, response: { destroy(): unknown }) => {
        response.destroy()
        return true
      },
    ],
  ])('skips only the text that fails with %s, and counts it once', async (_, isPoison, how) => {
    await facts(10)
    await fact('an unspeakable text')
    await facts(10, 'barrel')
    endpoint.misbehave(
      (asked, response, request) => asked.input.some(isPoison) && how(asked, response as never, request as never),
    )
    const { worker: one, done } = workerOf()
    await one.look()
    expect(done).toEqual({ embedded: 20, refused: 1 })
    expect((await lacking()).length).toBe(1)
    expect(one.fault()).toBeUndefined()
    expect(await gap()).toEqual({ rows: 0, oldest: 0 })
  })

  it('gets long texts shortened if it fails only for these', async () => {
    await fact(`Whales sing. ${'word '.repeat(1_000)}`)
    endpoint.misbehave((asked, response, request) =>
      asked.input.some((text) => text.length > 1_000) ? answering(500)(asked, response, request) : false,
    )
    const { worker: one, done } = workerOf()
    await one.look()
    expect(done).toEqual({ embedded: 1, refused: 0 })
  })

  it('skips no text without trying it, even if it accepts only the known good text', async () => {
    await facts(3)
    let well = true
    endpoint.misbehave((asked, response, request) => {
      if (asked.input.length === 16 && well) return false
      well = false
      return answering(400)(asked, response, request)
    })
    const { worker: one, done } = workerOf()
    await one.look()
    // it accepts nothing any more, so the texts are not to blame
    expect([done.refused, one.fault()]).toEqual([0, expect.stringContaining('400')])
    expect((await lacking()).length).toBe(3)
  })

  it('is measured again if its dimensions change, and spaces are never mixed', async () => {
    await facts(3)
    const { worker: one } = workerOf()
    await one.look()
    await facts(2, 'barrel')
    endpoint.misbehave((asked) => {
      asked.dimensions = 64
      return false
    })
    one.wake(workspace)
    await one.look()
    expect(one.fault()).toContain('64 dimensions')
    ahead += 5_000
    await one.look()
    expect(one.fault()).toBeUndefined()
    const { live } = await checkpointOf(on.documents, workspace)
    const rows = await on.documents.find(records, { where: { workspace }, limit: 500 })
    const ids = rows.map(({ id }) => id)
    expect(await on.search.unembedded(live, workspace, 'small/64', ids)).toEqual([])
    expect((await on.search.unembedded(live, workspace, 'small/256', ids)).length).toBe(5)
  })
})

it('embedding stops at once with the service and logs no failure', async () => {
  await facts(3)
  const own = new AbortController()
  const { worker: one, failures } = workerOf(on, 'small', own.signal)
  endpoint.misbehave(() => {
    setImmediate(() => own.abort())
    return true
  })
  await one.look()
  expect([failures, one.fault()]).toEqual([[], undefined])
})

it('missing vectors are reported only for records that the caller may see', async () => {
  await facts(1)
  await workerOf().worker.look()
  const checkpoint = await checkpointOf(on.documents, workspace)
  const since = (...audiences: ('workspace' | `user:${string}`)[]) =>
    lackingSince(on.documents, on.search, checkpoint, audiences, 'small')
  expect(await since('workspace')).toBeUndefined()
  await apply(on, remember, { kind: 'fact', content: 'Mine', visibility: { scope: 'private' } })
  expect(await since('workspace')).toBeUndefined()
  expect(await since('workspace', 'user:ada')).toEqual(expect.any(String))
})

it('each workspace has one checkpoint of embedding', async () => {
  await facts(1)
  await workerOf().worker.look()
  const space = await measureSpace('small', (texts) =>
    embedderOf('small').embed('record', texts, AbortSignal.timeout(5_000)),
  )
  const checkpoint = await checkpointOf(on.documents, workspace)
  const { indexed_seq } = checkpoint
  const live = serving(on.search, checkpoint)
  expect(await on.documents.get(embedded, workspace)).toMatchObject({ live, space: space.name, sequence: indexed_seq })
})
