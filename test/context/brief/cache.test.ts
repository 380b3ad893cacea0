/**
 * Cached briefs: never older than the last applied write, never kept beyond an instant at which a record begins or
 * ends.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/access/actor.ts'
import { brief } from '../../../src/context/brief/brief.ts'
import { briefCache, mostAge } from '../../../src/context/brief/cache.ts'
import type { BriefOutput } from '../../../src/context/brief/schema.ts'
import { untilChange } from '../../../src/context/brief/until.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import type { RecordId } from '../../../src/ids.ts'
import { drain } from '../../../src/journal/drain.ts'
import { remember } from '../../../src/memories/remember.ts'
import type { Reads } from '../../../src/operation.ts'
import { recordReader } from '../../../src/records/read/reader.ts'
import type { Envelope } from '../../../src/records/record.ts'
import { createTask } from '../../../src/tasks/create.ts'
import { updateTask } from '../../../src/tasks/update.ts'
import { actorAda, apply, openWorld, promise, quiet, type World, workspace, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'
import { randomOf } from '../../support/chaos.ts'
import { ada } from '../../tasks/tasks.ts'

const eve: Actor = { ...actorAda, user: 'eve', teams: [], credential: 'key-of-eve' }

/** The reads of one process, with its own clock. */
interface Process {
  reads: Reads
  /** Queries since the last call. */
  calls(): number
}

async function processOn(on: World, now: () => number): Promise<Process> {
  const reads = await readsOf(on)
  let calls = 0
  const documents = new Proxy(on.documents, {
    get: (target, name: keyof typeof on.documents) => {
      calls += name === 'find' || name === 'get' ? 1 : 0
      return target[name]
    },
  })
  const clock = { ...on.clock, now }
  return {
    reads: { ...reads, documents, clock },
    calls() {
      const since = calls
      calls = 0
      return since
    },
  }
}

describe('a repeated brief', () => {
  let on: World
  let one: Process
  let ahead: number
  beforeEach(async () => {
    on = await world()
    ahead = 0
    one = await processOn(on, () => on.clock.now() + ahead)
  })
  afterEach(() => on.close())

  const fact = (content: string, more: object = {}) => apply(on, remember, { kind: 'fact', content, ...more })
  const later = (ms: number) => new Date(on.clock.now() + ms).toISOString()
  const about = (input: object = {}, actor = actorAda, { reads } = one) => ask(reads, brief, input, actor)
  const toldOf = (answer: BriefOutput) => answer.citations.map(({ title }) => title)

  it('costs one read of the checkpoint and one of the newest change', async () => {
    await fact('Sessions hold no names.')
    const first = await about({ query: 'sessions' })
    expect(one.calls()).toBeGreaterThan(1)
    expect(await about({ query: 'sessions' })).toEqual(first)
    expect(one.calls()).toBe(2)
  })

  it('is cached for each query, limit, lens and audience separately', async () => {
    await fact('Ada owns the sessions.', { visibility: { scope: 'private' } })
    // both see the newest change, so only their audiences differ
    await fact('Sessions hold no names.')
    const inputs = [{}, { query: 'sessions' }, { query: 'who owns sessions' }, { limit: 3 }, { lens: 'handoff' }]
    for (const input of inputs) {
      expect(toldOf(await about(input))).toContain('Ada owns the sessions.')
      expect(one.calls()).toBeGreaterThan(1)
      expect(toldOf(await about(input, eve))).not.toContain('Ada owns the sessions.')
      expect(one.calls()).toBeGreaterThan(1)
    }
    // another credential with the same audiences
    await about({}, { ...actorAda, credential: 'another', scopes: ['context:read'] })
    expect(one.calls()).toBe(2)
  })

  it('shows writes applied since then, in every process', async () => {
    const other = await processOn(on, () => on.clock.now())
    for (let n = 0; n < 3; n++) {
      await fact(`Sessions of kind ${n} hold no names.`)
      for (const each of [one, other]) {
        for (const input of [{}, { query: 'sessions' }]) {
          expect(toldOf(await about(input, actorAda, each))).toHaveLength(n + 1)
        }
      }
    }
  })

  it('is not cached while the index is behind', async () => {
    await fact('Sessions hold no names.')
    await promise(on, remember, { kind: 'fact', content: 'Sessions end at noon.' })
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    expect(toldOf(await about({ query: 'sessions' }))).toEqual(['Sessions hold no names.'])
    // only the index advances
    await quiet(on)
    expect(toldOf(await about({ query: 'sessions' }))).toHaveLength(2)
  })

  it('expires when a record comes into force', async () => {
    await fact('Sessions hold no names.')
    await fact('Sessions end at noon.', { occurred_at: later(10_000) })
    expect(toldOf(await about())).toEqual(['Sessions hold no names.'])
    ahead = 9_000
    await about()
    one.calls()
    await about()
    expect(one.calls()).toBe(2)
    ahead = 11_000
    expect(toldOf(await about())).toHaveLength(2)
  })

  it('expires when a record ceases to be in force', async () => {
    const decision = { title: 'Store sessions in Redis', judgment: 'It is quick.', external_id: 'sessions' }
    await apply(on, recordDecision, decision)
    await apply(on, recordDecision, { ...decision, status: 'deprecated', decided_at: later(10_000) })
    for (const input of [{}, { query: 'sessions' }]) {
      ahead = 0
      expect((await about(input)).markdown).toContain('## Decisions in force')
      ahead = 11_000
      expect((await about(input)).markdown).not.toContain('## Decisions in force')
    }
  })

  it('expires when one of its records ends, whatever supersedes that record', async () => {
    const { entity } = await fact('Sessions hold no names.')
    const reader = recordReader(on.documents, actorAda, on.clock)
    const [row] = (await reader.records([entity?.id as RecordId])).values()
    const until = (valid_to: string | null) => untilChange([{ ...(row as Envelope), valid_to }], reader, one.reads)
    const end = later(5_000)
    expect(await until(end)).toBe(Date.parse(end))
    expect(await until(null)).toBe(Date.parse(reader.now) + mostAge)
  })

  it('expires after a minute', async () => {
    await fact('Sessions hold no names.')
    const first = await about()
    ahead = mostAge - 1_000
    expect(await about()).toEqual(first)
    ahead = mostAge + 1_000
    expect((await about()).generated_at > first.generated_at).toBe(true)
  })
})

const step = fc.oneof(
  fc.record({ type: fc.constant('ask' as const), as: fc.nat(1), input: fc.nat(3) }),
  fc.record({ type: fc.constant('ask' as const), as: fc.nat(1), input: fc.nat(3) }),
  fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  fc.record({
    type: fc.constant('task' as const),
    status: fc.constantFrom('todo', 'in_progress', 'blocked', 'done'),
    isNew: fc.boolean(),
    isPrivate: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('write' as const),
    isDecision: fc.boolean(),
    isPrivate: fc.boolean(),
    ahead: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
    takesPlace: fc.boolean(),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

it('a cached brief equals the brief of a process without a cache', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const on = await openWorld(randomOf(3))
      try {
        await perform(steps, on)
      } finally {
        await on.close()
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

async function perform(steps: readonly Step[], on: World): Promise<void> {
  let ahead = 0
  let last: string | undefined
  let task: string | undefined
  let now = 0
  const warm = await processOn(on, () => now)
  for (const [at, one] of steps.entries()) {
    if (one.type === 'wait') ahead += one.ms
    else if (one.type === 'task') task = await writeTask(one, at, task, on)
    else if (one.type === 'write') last = (await write(one, at, ahead, last, on)) ?? last
    else {
      const input = [{}, { query: 'harbour' }, { lens: 'handoff' }, { limit: 1 }][one.input] as object
      const actor = one.as === 0 ? ada : { ...eve, scopes: ada.scopes }
      const cold = await processOn(on, () => now)
      // both use the same instant
      now = on.clock.now() + ahead
      const [answer, expected] = [
        await ask(warm.reads, brief, input, actor),
        await ask(cold.reads, brief, input, actor),
      ]
      expect(toldBy(answer)).toEqual(toldBy(expected))
    }
  }
}

async function writeTask(
  { status, isNew, isPrivate }: Step & { type: 'task' },
  at: number,
  last: string | undefined,
  on: World,
) {
  if (!isNew && last !== undefined) {
    await apply(on, updateTask, { id: last, status }, ada)
    return last
  }
  const visibility = { scope: isPrivate ? 'private' : 'workspace' }
  const { entity } = await apply(on, createTask, { name: `Sound the harbour ${at}`, status, visibility }, ada)
  return entity?.id
}

async function write(one: Step & { type: 'write' }, at: number, ahead: number, last: string | undefined, on: World) {
  const visibility = { scope: one.isPrivate ? 'private' : 'workspace' }
  const instant = one.ahead === undefined ? undefined : new Date(on.clock.now() + ahead + one.ahead).toISOString()
  const text = `Harbour ${at} is open.`
  const { entity } = one.isDecision
    ? await apply(on, recordDecision, {
        ...{ title: text, judgment: text, visibility, external_id: one.takesPlace ? 'harbour' : `harbour-${at}` },
        ...(instant ? { decided_at: instant } : {}),
      })
    : await apply(on, remember, {
        ...(one.takesPlace && last ? { kind: 'correction', corrects_memory_id: last } : { kind: 'fact' }),
        ...{ content: text, ...(last && one.takesPlace ? {} : { visibility }) },
        ...(instant ? { occurred_at: instant } : {}),
      })
  return entity?.type === 'memory' ? entity.id : undefined
}

/** Without the fields that depend on the current time. */
function toldBy({ generated_at, markdown, trust, ...answer }: BriefOutput): object {
  return { ...answer, markdown: markdown.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC\./m, '') }
}

describe('the cache of briefs', () => {
  const make = (answer: string, until = 10, passing = false) => {
    return async () => ({ answer, until, passing })
  }

  it('is bounded by count and evicts the least recently used', async () => {
    const cache = briefCache<string>({ entries: 2 })
    for (const key of ['a', 'b', 'a', 'c']) await cache.get(key, 0, make(`${key}1`))
    expect(await cache.get('a', 0, make('a2'))).toBe('a1')
    expect(await cache.get('b', 0, make('b2'))).toBe('b2')
  })

  it('is bounded by bytes', async () => {
    const cache = briefCache<string>({ bytes: 3 * 2_200 })
    for (const key of ['a', 'b', 'c']) await cache.get(key, 0, make(key.repeat(1_000)))
    expect(await cache.get('a', 0, make('new'))).toBe('new')
    expect(await cache.get('c', 0, make('new'))).toBe('c'.repeat(1_000))
    expect(await cache.get('d', 0, make('d'.repeat(9_000)))).toHaveLength(9_000)
    expect(await cache.get('d', 0, make('new'))).toBe('new')
  })

  it('makes a brief once for concurrent callers, even one that is not cached', async () => {
    const cache = briefCache<string>()
    let made = 0
    const slowly = async () => {
      made += 1
      await new Promise((resolve) => setImmediate(resolve))
      return { answer: `made ${made}`, until: 10, passing: true }
    }
    const answers = await Promise.all([1, 2, 3].map(() => cache.get('a', 0, slowly)))
    expect(answers).toEqual(['made 1', 'made 1', 'made 1'])
    expect(await cache.get('a', 0, slowly)).toBe('made 2')
  })

  it('makes a new brief for a caller after its expiry, although it was begun before', async () => {
    const cache = briefCache<string>()
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const early = cache.get('a', 0, async () => {
      await waiting
      return { answer: 'early', until: 5, passing: false }
    })
    const late = cache.get('a', 6, make('late'))
    release()
    expect(await Promise.all([early, late])).toEqual(['early', 'late'])
  })

  it('keeps no failure', async () => {
    const cache = briefCache<string>()
    const failing = () => Promise.reject(new Error('away'))
    await expect(cache.get('a', 0, failing)).rejects.toThrow('away')
    expect(await cache.get('a', 0, make('there'))).toBe('there')
  })
})
