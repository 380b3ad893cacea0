import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { drain } from '../../src/journal/drain.ts'
import { type Clock, madeAt } from '../../src/ports/clock.ts'
import { accept } from '../../src/receipts/accept.ts'
import type { DecisionBody, DecisionMutable } from '../../src/records/body.ts'
import { records } from '../../src/records/record.ts'
import { actorAda, apply, promise, quiet, row, rows, type World, workspace, world } from '../support/apply.ts'
import { openTimedWorld, type TimedWorld } from '../support/history.ts'

const decision = (title: string, more: object = {}) => ({ title, judgment: `${title}, we decide.`, ...more })

describe('decision.record', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  it('stores no part of a decision with a credential in any field', async () => {
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const key = `export AWS_SECRET_ACCESS_KEY="${'a1B2c3D4e5'.repeat(4)}"`
    for (const more of [
      { context: key },
      { context: { summary: 'Fine.', alternatives: [{ title: 'Other', why_not: key }] } },
      { sources: [{ type: 'document', title: key }] },
      { entities: [{ type: 'service', name: token }] },
      { external_id: token },
      { supersedes: [token] },
    ]) {
      const receipt = await apply(on, recordDecision, decision('Secret', more))
      expect(receipt, JSON.stringify(more)).toMatchObject({ state: 'rejected', error: { code: 'secret_detected' } })
    }
    expect(await rows(on)).toEqual([])
  })

  it('supersedes by id and by external_id, beginning at its valid_from', async () => {
    const first = await apply(on, recordDecision, decision('A', { decided_at: '2024-01-01T00:00:00Z' }))
    const second = await apply(
      on,
      recordDecision,
      decision('B', { external_id: 'b', decided_at: '2024-02-01T00:00:00Z' }),
    )
    const third = await apply(
      on,
      recordDecision,
      decision('C', { supersedes: [first.entity?.id, 'b'], decided_at: '2025-01-01T00:00:00Z' }),
    )
    for (const old of [first, second]) {
      expect(await row(on, old)).toMatchObject({
        superseded_by: third.entity?.id,
        valid_to: '2025-01-01T00:00:00.000Z',
      })
    }
    expect((await row(on, third)).supersedes).toEqual([first.entity?.id, second.entity?.id])
  })

  it('names the successor with the earliest valid_from in superseded_by', async () => {
    const old = await apply(on, recordDecision, decision('Old', { decided_at: '2024-01-01T00:00:00Z' }))
    const later = await apply(
      on,
      recordDecision,
      decision('Later', { supersedes: [old.entity?.id], decided_at: '2024-06-01T00:00:00Z' }),
    )
    const earlier = await apply(
      on,
      recordDecision,
      decision('Earlier', { supersedes: [old.entity?.id], decided_at: '2024-03-01T00:00:00Z' }),
    )
    expect(await row(on, old)).toMatchObject({
      superseded_by: earlier.entity?.id,
      valid_to: '2024-03-01T00:00:00.000Z',
      successors: [{ id: earlier.entity?.id }, { id: later.entity?.id }],
    })
  })

  it('stores a link to a missing external_id, which takes effect once that decision is recorded', async () => {
    const newer = await apply(on, recordDecision, decision('New', { external_id: 'new', supersedes: ['old'] }))
    expect((await row(on, newer)).supersedes).toEqual([])
    const older = await apply(on, recordDecision, decision('Old', { external_id: 'old' }))
    expect((await row(on, older)).superseded_by).toBe(newer.entity?.id)
    expect((await row(on, newer)).supersedes).toEqual([older.entity?.id])
  })

  it('voids such a link if more people see the older decision, and names it in both', async () => {
    const narrow = await apply(
      on,
      recordDecision,
      decision('Mine', { supersedes: ['shared'], visibility: { scope: 'private' } }),
    )
    const shared = await apply(on, recordDecision, decision('Shared', { external_id: 'shared' }))
    expect(shared.state).toBe('applied')
    expect((await row(on, shared)).superseded_by).toBeNull()
    const noted = { reason: 'narrower_audience' }
    expect(((await row(on, narrow)).mutable as DecisionMutable).void_links).toMatchObject([
      { target: 'shared', ...noted },
    ])
    expect(((await row(on, shared)).mutable as DecisionMutable).void_links).toMatchObject([noted])
  })

  it('makes no revision of an unchanged decision, and one under the same id of a changed one', async () => {
    const input = decision('Queue', { external_id: 'queue', decided_at: '2024-01-01T00:00:00Z' })
    const first = await apply(on, recordDecision, input)
    const same = await apply(on, recordDecision, input)
    expect(same.entity?.id).toBe(first.entity?.id)
    expect((await rows(on)).length).toBe(1)
    const changed = { ...input, judgment: 'Rather not.', decided_at: '2024-05-01T00:00:00Z' }
    const revised = await apply(on, recordDecision, changed)
    expect(revised.entity?.id).toBe(first.entity?.id)
    expect(await rows(on)).toMatchObject([
      { revision: 1, feed: 'none', valid_to: '2024-05-01T00:00:00.000Z' },
      { revision: 2, feed: 'decisions', valid_to: null },
    ])
  })

  it('leaves a superseded decision superseded when it is revised', async () => {
    const old = await apply(on, recordDecision, decision('Old', { external_id: 'old' }))
    const newer = await apply(on, recordDecision, decision('New', { supersedes: ['old'] }))
    await apply(on, recordDecision, decision('Old, better told', { external_id: 'old' }))
    expect(await row(on, old)).toMatchObject({ title: 'Old, better told', superseded_by: newer.entity?.id })
  })

  it('orders revisions by acceptance, whichever lane is decided first', async () => {
    const input = (judgment: string) => ({ title: 'T', judgment, external_id: 'e' })
    await apply(on, recordDecision, input('first'))
    await promise(on, recordDecision, input('accepted second'), actorAda, 'import')
    await promise(on, recordDecision, input('accepted third'), actorAda, 'interactive')
    await drain(on.portsOf(on), { workspace, lane: 'interactive' })
    await quiet(on)
    const kept = await rows(on)
    expect(kept.map((one) => [one.text, one.feed])).toEqual([
      ['first', 'none'],
      ['accepted second', 'none'],
      ['accepted third', 'decisions'],
    ])
  })

  it('makes the revision accepted later current, even if the clock was set back in between', async () => {
    const timed = await openTimedWorld()
    try {
      const revise = (judgment: string) => apply(timed, recordDecision, decision('A', { external_id: 'a', judgment }))
      await revise('First.')
      timed.time.now -= 10 * 60_000
      const second = await revise('Second.')
      expect((await row(timed, second)).body).toMatchObject({ judgment: 'Second.' })
      expect((await rows(timed)).map(({ feed }) => feed)).toEqual(['none', 'decisions'])
    } finally {
      await timed.close()
    }
  })

  it('makes the revision accepted later by another process current, even if a clock was set back', async () => {
    const timed = await openTimedWorld()
    try {
      const [a, b] = [clockOf(timed), clockOf(timed)]
      const write = async (clock: Clock, judgment: string) => {
        const ports = { ...timed.portsOf(timed), clock }
        const input = decision('A', { external_id: 'a', judgment })
        await accept(ports, { operation: recordDecision, actor: actorAda, input, idempotencyKey: `key of ${judgment}` })
        await quiet(timed)
      }
      const minutes = (count: number) => (timed.time.now += count * 60_000)
      a.id()
      minutes(10)
      b.id()
      minutes(-60)
      for (const [clock, judgment] of [
        [b, 'First.'],
        [a, 'Second.'],
        [b, 'Third.'],
        [a, 'Fourth.'],
      ] as const) {
        minutes(1)
        await write(clock, judgment)
      }
      const kept = await rows(timed)
      expect(kept.map(({ body, feed }) => [(body as DecisionBody).judgment, feed])).toEqual([
        ['First.', 'none'],
        ['Second.', 'none'],
        ['Third.', 'none'],
        ['Fourth.', 'decisions'],
      ])
    } finally {
      await timed.close()
    }
  })

  it('refuses a revision after the five hundredth, and names the remedy', async () => {
    const input = (judgment: string) => decision('A', { external_id: 'a', judgment })
    const first = await row(on, await apply(on, recordDecision, input('First.')))
    const copies = Array.from({ length: 499 }, (_, at) => ({
      ...first,
      id: `${first.record_id}~${at + 2}`,
      revision: at + 2,
      feed: 'none' as const,
      accepted: `${first.accepted.slice(0, -5)}${String(at).padStart(5, '0')}`,
    }))
    await on.documents.insertMany(records, copies)
    const next = await apply(on, recordDecision, input('One more.'))
    expect(next).toMatchObject({ state: 'failed', error: { code: 'invalid_request' } })
    expect(next.error?.message).toContain('another external_id')
  })

  it('names the fifty earliest successors of a decision, and finds a cycle through the others', async () => {
    const old = await apply(
      on,
      recordDecision,
      decision('Old', { external_id: 'old', decided_at: '2024-01-01T00:00:00Z' }),
    )
    const successors = []
    for (let day = 1; day <= 52; day++) {
      const decided_at = new Date(Date.parse('2024-02-01T00:00:00Z') + day * 86_400_000).toISOString()
      successors.push(await apply(on, recordDecision, decision(`S${day}`, { supersedes: ['old'], decided_at })))
    }
    const ids = successors.map(({ entity }) => entity?.id)
    expect((await row(on, old)).successors.map(({ id }) => id)).toEqual(ids.slice(0, 50))
    const last = { external_id: 'last', supersedes: ['old'], decided_at: '2025-01-01T00:00:00Z' }
    await apply(on, recordDecision, decision('Last', last))
    const earlier = { ...last, decided_at: '2024-01-15T00:00:00Z' }
    const { entity } = await apply(on, recordDecision, decision('Last, and first', earlier))
    const { superseded_by, valid_to } = await row(on, old)
    expect({ superseded_by, valid_to }).toEqual({ superseded_by: entity?.id, valid_to: '2024-01-15T00:00:00.000Z' })
    const circle = { external_id: 'old', supersedes: [ids.at(-1)] }
    const closing = await apply(on, recordDecision, decision('Old, again', circle))
    expect(closing).toMatchObject({ state: 'failed', error: { code: 'would_cycle' } })
  })

  it('lets a proposal supersede nothing until it is accepted', async () => {
    const old = await apply(on, recordDecision, decision('Old', { external_id: 'old' }))
    const input = decision('New', { external_id: 'new', supersedes: ['old'], status: 'proposed' })
    await apply(on, recordDecision, input)
    expect((await row(on, old)).superseded_by).toBeNull()
    const accepted = await apply(on, recordDecision, { ...input, status: 'accepted' })
    expect((await row(on, old)).superseded_by).toBe(accepted.entity?.id)
  })

  it('refuses cycles and self-supersession', async () => {
    await apply(on, recordDecision, decision('A', { external_id: 'a' }))
    await apply(on, recordDecision, decision('B', { external_id: 'b', supersedes: ['a'] }))
    const cycle = await apply(on, recordDecision, decision('A2', { external_id: 'a', supersedes: ['b'] }))
    expect(cycle).toMatchObject({ state: 'failed', error: { code: 'would_cycle' } })
    const self = await apply(on, recordDecision, decision('C', { external_id: 'c', supersedes: ['c'] }))
    expect(self).toMatchObject({ state: 'failed', error: { code: 'would_cycle' } })
    expect((await rows(on)).length).toBe(2)
  })

  it('refuses to supersede a decision that more people see, and finds none that the caller may not see', async () => {
    const shared = await apply(on, recordDecision, decision('Shared'))
    const narrow = decision('Narrow', { supersedes: [shared.entity?.id], visibility: { scope: 'private' } })
    await expect(apply(on, recordDecision, narrow)).rejects.toMatchObject({ code: 'invalid_request' })
    const mine = await apply(on, recordDecision, decision('Mine', { visibility: { scope: 'private' } }))
    const ben = { ...actorAda, user: 'ben' }
    const blind = decision('Blind', { supersedes: [mine.entity?.id] })
    await expect(apply(on, recordDecision, blind, ben)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('records one decision per external_id and audience', async () => {
    const shared = await apply(on, recordDecision, decision('S', { external_id: 'x' }))
    const mine = await apply(on, recordDecision, decision('M', { external_id: 'x', visibility: { scope: 'private' } }))
    expect(mine.entity?.id).not.toBe(shared.entity?.id)
  })
})

/** A clock like the system clock, for a separate process that runs on the test's time. */
function clockOf({ clock, time }: TimedWorld): Clock {
  let last = 0
  return {
    ...clock,
    id() {
      last = Math.max(time.now, last + 1)
      return v7({ msecs: last })
    },
    idsFollow(id) {
      last = Math.max(last, madeAt(id))
    },
  }
}
