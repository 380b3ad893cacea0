import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nothingChanged } from '../../src/deciding/outcome.ts'
import { decideBatch } from '../../src/journal/decide.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries } from '../../src/journal/entry.ts'
import { headOf } from '../../src/journal/head.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { defineOperation, type Operation } from '../../src/operation.ts'
import { type Format, firstFormat, newestFormat, pendingFields, receipts } from '../../src/receipt.ts'
import type { Drafts } from '../../src/records/entry-documents.ts'
import { projectionOf } from '../../src/records/projections/projection.ts'
import { promise, type World, workspace, world } from '../support/apply.ts'
import { tallies, visits } from './tallies.ts'

const interactive = { workspace, lane: 'interactive' as const }
const newerFormat = (newestFormat + 1) as Format

describe('documents that outcomes carry', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  /** Ports that know one more operation, whose outcome carries these documents. */
  function carrying(documents: (n: number) => Drafts, format?: Format) {
    const operation = defineOperation<{ n: number }>({
      name: 'test.carry',
      scope: 'context:write',
      summary: 'Carries documents.',
      raisesQuestions: false,
      ...(format === undefined ? {} : { format }),
      input: z.strictObject({ n: z.number() }),
      texts: () => [],
      decide: async ({ input }) => ({ ...nothingChanged, documents: documents(input.n) }),
    })
    const known = on.portsOf(on)
    const operations = new Map(known.operations).set(operation.name, operation as unknown as Operation<never>)
    const ports: JournalPorts = { ...known, operations }
    return { operation, ports }
  }

  it('do not compile if they are of the wrong type', () => {
    const drafts: Drafts[] = [
      { tallies: [{ id: 'a', user: 'ada', visits: 1 }] },
      // @ts-expect-error: a number is missing
      { tallies: [{ id: 'a', user: 'ada' }] },
      // @ts-expect-error: no such collection
      { talies: [] },
      // @ts-expect-error: a link is no tally
      { links: [{ id: 'a', user: 'ada', visits: 1 }] },
    ]
    expect(drafts).toHaveLength(4)
  })

  it('keep the first document of an id, or the last, as their projection says', async () => {
    const { operation, ports } = carrying((n) => ({
      tallies: [{ id: 'one', user: 'ada', visits: n }],
      visits: [{ id: 'one', user: 'ada', place: n }],
    }))
    for (const n of [1, 2]) await promise(on, operation, { n })
    await drain(ports, interactive)
    await promise(on, operation, { n: 3 })
    await drain(ports, interactive)
    expect(await on.documents.get(tallies, 'one')).toMatchObject({ visits: 3, entry: 2 })
    expect(await on.documents.get(visits, 'one')).toMatchObject({ place: 1, entry: 1 })
  })

  it('fail their receipt if no projection writes them', async () => {
    const { operation, ports } = carrying(() => ({ visits: [{ id: 'lost', user: 'ada', place: 1 }] }))
    const projections = ports.projections.filter(({ carries }) => carries?.name !== 'visits')
    const { id } = await promise(on, operation, { n: 1 })
    for (let jobs = 0; jobs < 4; jobs++) await drain({ ...ports, projections }, interactive).catch(() => {})
    expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'failed', error: { code: 'internal_error' } })
  })

  it('count against the size of an entry', async () => {
    const { operation, ports } = carrying((n) => ({
      visits: [{ id: `visit ${n}`, user: 'ö'.repeat(800_000), place: n }],
    }))
    for (const n of [1, 2, 3]) await promise(on, operation, { n })
    await drain(ports, interactive)
    const journal = await on.documents.find(entries, { where: { workspace }, limit: 10 })
    expect(journal.map((entry) => entry.documents.visits?.length).sort()).toEqual([1, 2])
  })

  it('raise the format of their entry to that of their projection', async () => {
    const { operation, ports } = carrying((n) => (n === 1 ? { visits: [{ id: 'a', user: 'ada', place: n }] } : {}))
    const projections = ports.projections.map((one) =>
      one.carries?.name === 'visits'
        ? projectionOf({ name: 'visits', collection: visits, keeps: 'once', format: newerFormat })
        : one,
    )
    expect(await formatWith({ ...ports, projections }, (await promise(on, operation, { n: 2 })).id)).toBe(firstFormat)
    expect(await formatWith({ ...ports, projections }, (await promise(on, operation, { n: 1 })).id)).toBe(newerFormat)
  })

  it('are read by decide only by fields that their projection lists', async () => {
    const known = on.portsOf(on)
    const looking = defineOperation<{ n: number }>({
      ...carrying(() => ({})).operation,
      decide: async ({ state }) => {
        await state.documents('tallies', 'visits', '1')
        return nothingChanged
      },
    })
    const operations = new Map(known.operations).set(looking.name, looking as unknown as Operation<never>)
    const { id } = await promise(on, looking, { n: 1 })
    for (let jobs = 0; jobs < 4; jobs++) await drain({ ...known, operations }, interactive).catch(() => {})
    expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'failed' })
  })

  it('of an operation of a newer format are left to newer workers, with its receipts and entries', async () => {
    const { operation, ports } = carrying(() => ({}), newerFormat)
    const { id } = await promise(on, operation, { n: 1 })
    const other = await promise(on, remember, { kind: 'fact', content: 'Of the first format.' })
    await drain(ports, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ format: newerFormat, undecided: 1, state: 'accepted' })
    expect(await on.documents.get(receipts, other.id)).toMatchObject({ format: firstFormat, undecided: 0 })
    expect(await formatWith(ports, id)).toBe(newerFormat)
  })

  /** The format of the entry that decides this receipt. */
  async function formatWith(ports: JournalPorts, id: string): Promise<number> {
    const batch = await on.documents.find(receipts, { where: { id }, limit: 1, fields: pendingFields })
    const { entry } = await decideBatch(ports, workspace, await headOf(on.documents, workspace), batch)
    return entry.format
  }
})
