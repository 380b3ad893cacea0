import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { headOf } from '../../src/journal/head.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { project, projectUpTo } from '../../src/journal/project.ts'
import { remember } from '../../src/memories/remember.ts'
import type { AnyCollection, Documents, OrderedWrites } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { newestFormat, receipts } from '../../src/receipt.ts'
import type { QuestionMutable } from '../../src/records/body.ts'
import { links } from '../../src/records/link.ts'
import { type QuestionLink, questionLinks } from '../../src/records/projections/question-links.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { apply, promise, row, type World, workspace, world } from '../support/apply.ts'

const interactive = { workspace, lane: 'interactive' as const }
const decision = (title: string, more: object = {}) => ({ title, judgment: `${title}, we decide.`, ...more })

describe('the projection of an entry', () => {
  let on: World
  let ports: JournalPorts
  beforeEach(async () => {
    on = await world()
    ports = on.portsOf(on)
  })
  afterEach(() => on.close())

  async function journal(): Promise<Entry[]> {
    return on.documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 100 })
  }

  /** All that projections write. */
  async function projected(): Promise<unknown> {
    const all = { limit: 1_000 }
    return {
      records: await on.documents.find(records, { ...all, where: { workspace }, sort: [['seq', 'asc']] }),
      receipts: await on.documents.find(receipts, { ...all, where: { id: { gt: '' } }, sort: [['id', 'asc']] }),
      links: await on.documents.find(links, { ...all, where: { id: { gt: '' } } }),
      questions: await on.documents.find(questionLinks, { ...all, where: { id: { gt: '' } } }),
      checkpoint: await checkpointOf(on.documents, workspace),
    }
  }

  it('changes nothing if a worker that was suspended repeats it after later entries', async () => {
    const old = await apply(on, recordDecision, decision('Old', { status: 'proposed', external_id: 'old' }))
    await apply(on, recordDecision, decision('Waits', { supersedes: ['later'] }))
    await apply(
      on,
      recordDecision,
      decision('New', { supersedes: [old.entity?.id], decided_at: '2024-02-01T00:00:00Z' }),
    )
    await apply(
      on,
      recordDecision,
      decision('Newer', { supersedes: [old.entity?.id], decided_at: '2024-01-01T00:00:00Z' }),
    )
    await apply(on, recordDecision, decision('Old', { status: 'accepted', external_id: 'old' }))
    await apply(on, recordDecision, decision('Later', { external_id: 'later' }))
    const self = await apply(on, recordDecision, decision('Self', { external_id: 'self', supersedes: ['self'] }))
    expect(self.state).toBe('failed')
    const before = await projected()
    for (const entry of (await journal()).reverse()) {
      await project(ports, entry)
      expect(await projected()).toEqual(before)
    }
  })

  it('writes new records, then changed ones, then receipts, then the checkpoint', async () => {
    const old = await apply(on, recordDecision, decision('Old'))
    await apply(on, recordDecision, decision('New', { supersedes: [old.entity?.id] }))
    const entry = (await journal()).at(-1) as Entry
    const order: string[] = []
    const recording = (writes: OrderedWrites): OrderedWrites =>
      new Proxy(writes, {
        get:
          (target, method: keyof OrderedWrites) =>
          (collection: AnyCollection, ...rest: unknown[]) => {
            order.push(`${method} ${collection.name}`)
            return (target[method] as (...all: unknown[]) => void)(collection, ...rest)
          },
      })
    const inOrder: Documents['inOrder'] = (ask) => on.documents.inOrder((writes) => ask(recording(writes)))
    await project({ ...ports, documents: { ...on.documents, inOrder } }, entry)
    const places = [
      `insertMany ${records.name}`,
      `updateEach ${records.name}`,
      `updateEach ${receipts.name}`,
      `update ${checkpoints.name}`,
    ].map((write) => order.indexOf(write))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(order.at(-1)).toBe(`update ${checkpoints.name}`)
  })

  it('applies both changes if the entry changes a record twice, in their order', async () => {
    const { entity } = await apply(on, remember, { kind: 'fact', content: 'Tea is free.' })
    const stored = (await on.documents.find(records, { where: { workspace }, limit: 1 }))[0] as PrecedentRecord
    expect(stored.record_id).toBe(entity?.id)
    const { number, last_seq } = await headOf(on.documents, workspace)
    await project(ports, {
      ...((await journal()).at(-1) as Entry),
      number: number + 1,
      first_seq: last_seq + 1,
      last_seq: last_seq + 2,
      format: newestFormat,
      receipts: [],
      records: [
        { type: 'changed', id: stored.id, seq: last_seq + 1, set: { topics: ['first'], confidence: 0.25 } },
        { type: 'changed', id: stored.id, seq: last_seq + 2, set: { topics: ['second'] } },
      ],
      documents: {},
    })
    expect(await on.documents.get(records, stored.id)).toMatchObject({
      seq: last_seq + 2,
      topics: ['second'],
      confidence: 0.25,
    })
  })

  it('leaves an open question as its newest change left it', async () => {
    await apply(on, recordDecision, decision('Proposed', { status: 'proposed' }))
    const all = { where: { id: { gt: '' } }, limit: 10 }
    const [link] = (await on.documents.find(questionLinks, all)) as [QuestionLink]
    const { number, last_seq } = await headOf(on.documents, workspace)
    const last = (await journal()).at(-1) as Entry
    const change = (ahead: number, valid_to: string | null): Entry => ({
      ...last,
      number: number + ahead,
      last_seq: last_seq + ahead,
      receipts: [],
      records: [
        {
          type: 'changed',
          id: link.question,
          seq: last_seq + ahead,
          set: { kind: 'question', valid_to, mutable: { records: [link.record_id] } as QuestionMutable },
        },
      ],
      documents: {},
    })
    const closed = change(1, '2026-01-01T00:00:00.000Z')
    await project(ports, closed)
    expect(await on.documents.find(questionLinks, all)).toEqual([{ ...link, open: 0, seq: last_seq + 1 }])
    await project(ports, change(2, null))
    const reopened = [{ ...link, open: 1, seq: last_seq + 2 }]
    expect(await on.documents.find(questionLinks, all)).toEqual(reopened)
    await project(ports, closed)
    expect(await on.documents.find(questionLinks, all)).toEqual(reopened)
  })

  it('ends a failed receipt at once, and leaves an applied one to the index', async () => {
    const good = await promise(on, remember, { kind: 'fact', content: 'Good.' })
    const bad = await promise(on, recordDecision, decision('Self', { external_id: 'self', supersedes: ['self'] }))
    const told: string[] = []
    await drain({ ...ports, ended: (ids) => void told.push(...ids) }, interactive)
    expect(await on.documents.get(receipts, bad.id)).toMatchObject({
      state: 'failed',
      open: 0,
      undecided: 0,
      number: 1,
    })
    expect(await on.documents.get(receipts, good.id)).toMatchObject({
      state: 'processing',
      open: 1,
      undecided: 0,
      number: 1,
    })
    expect(told).toEqual([bad.id])
  })

  it('is done by the next worker if a worker dies after appending an entry', async () => {
    const dying: JournalPorts = {
      ...ports,
      documents: { ...on.documents, inOrder: () => Promise.reject(new EngineUnavailable('test', 'died')) },
    }
    const one = await promise(on, remember, { kind: 'fact', content: 'One.' })
    await expect(drain(dying, interactive)).rejects.toThrow('died')
    const head = await headOf(on.documents, workspace)
    expect(head.number).toBe(1)
    // a second entry, decided by a worker that has not projected the first one either
    await on.documents.insert(entries, {
      ...((await journal())[0] as Entry),
      id: `${workspace}/2`,
      number: 2,
      first_seq: head.last_seq + 1,
      last_seq: head.last_seq,
      receipts: [],
      records: [],
    })
    expect(await projectUpTo(ports, workspace, await headOf(on.documents, workspace))).toBe(true)
    expect(await checkpointOf(on.documents, workspace)).toMatchObject({ projected: 2, projected_seq: head.last_seq })
    expect(await on.documents.get(receipts, one.id)).toMatchObject({ number: 1, undecided: 0 })
    expect(await on.documents.find(records, { where: { workspace }, limit: 10 })).toHaveLength(1)
  })

  it('is complete before later receipts are decided', async () => {
    const dying: JournalPorts = {
      ...ports,
      documents: { ...on.documents, inOrder: () => Promise.reject(new EngineUnavailable('test', 'died')) },
    }
    const first = await promise(on, recordDecision, decision('First', { external_id: 'same' }))
    await expect(drain(dying, interactive)).rejects.toThrow('died')
    const second = await promise(on, recordDecision, decision('Second', { external_id: 'same' }))
    await drain(ports, interactive)
    // otherwise the first receipt would be decided twice
    const decided = (await journal()).map((entry) => entry.receipts.map(({ receipt }) => receipt))
    expect(decided).toEqual([[first.id], [second.id]])
    const ended = await on.documents.get(receipts, second.id)
    expect(await row(on, ended as typeof second)).toMatchObject({ title: 'Second', revision: 2 })
  })
})
