import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Operation } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import type { ReceiptSeen } from '../../src/receipt.ts'
import type { RecordOf } from '../../src/records/record.ts'
import { apply, rows, type World, workspace, world } from '../support/apply.ts'

/** Bytes of an entry that holds a small change. */
const small = 6_000
const paragraph = 'The turbine hall keeps its old pumps in the cellar. '.repeat(380)
const long = { constraints: Array.from({ length: 10 }, () => paragraph) }
const hedged = { title: 'Turbines', judgment: 'I think the turbines run on two gears. They are green.', context: long }

describe('a change of a record with 200 kB of texts adds a small entry to the journal', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  it('if a claim of a decision is superseded', async () => {
    const { entity } = await apply(on, recordDecision, hedged)
    const input = { resolution: 'correct', note: 'The turbines run on three gears.' }
    await expectSmall(resolve, { ...input, question_id: await questionOn(entity) })
    const row = (await rows(on)).find(({ record_id }) => record_id === entity?.id)
    expect(row?.mutable.superseded_claims).toMatchObject([{ claim: 'I think the turbines run on two gears.' }])
  })

  it('if a decision is confirmed', async () => {
    const { entity } = await apply(on, recordDecision, hedged)
    await expectSmall(resolve, { resolution: 'confirm', question_id: await questionOn(entity) })
  })

  it('if a proposal is accepted or rejected', async () => {
    for (const resolution of ['confirm', 'dismiss']) {
      const { entity } = await apply(on, recordDecision, { ...hedged, status: 'proposed' })
      await expectSmall(resolve, { resolution, question_id: `judgment:${entity?.id}` })
    }
  })

  it('if a decision is superseded', async () => {
    const { entity } = await apply(on, recordDecision, hedged)
    await expectSmall(recordDecision, { title: 'Newer', judgment: 'Gears are out.', supersedes: [entity?.id] })
  })

  it('if a decision notes a link without effect', async () => {
    const visibility = { scope: 'private' }
    await apply(on, recordDecision, { ...hedged, supersedes: ['shared'], visibility })
    await expectSmall(recordDecision, { title: 'Shared', judgment: 'Gears are in.', external_id: 'shared' })
  })

  it('if a memory is reaffirmed', async () => {
    const fact = { kind: 'fact', content: paragraph.repeat(9) }
    await apply(on, remember, fact)
    await expectSmall(remember, { ...fact, topics: ['turbines'] })
  })

  async function expectSmall<Input>(operation: Operation<Input>, input: object): Promise<void> {
    const before = await newestEntry()
    expect(await apply<Input>(on, operation, input)).toMatchObject({ state: 'applied' })
    const entry = await newestEntry()
    expect(entry.number).toBe(before.number + 1)
    expect(entry.records.map(({ type }) => type)).toContain('changed')
    expect(JSON.stringify(entry).length).toBeLessThan(small)
  }

  async function newestEntry(): Promise<Entry> {
    const [newest] = await on.documents.find(entries, { where: { workspace }, sort: [['number', 'desc']], limit: 1 })
    return newest as Entry
  }

  async function questionOn(entity: ReceiptSeen['entity']): Promise<string> {
    const asked = (await rows(on)).filter((row): row is RecordOf<'question'> => row.kind === 'question')
    const found = asked.find(({ body }) => body.reason === 'low_confidence' && body.about[0]?.record === entity?.id)
    return found?.body.question_id ?? 'none'
  }
})
