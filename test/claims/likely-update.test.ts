import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NearRow } from '../../src/claims/likely-update.ts'
import { likelyUpdate } from '../../src/claims/likely-update.ts'
import { remember } from '../../src/memories/remember.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import type { PrecedentRecord } from '../../src/records/record.ts'
import { apply, rows, type World, world } from '../support/apply.ts'

const support = 'Support desk: first reply to a ticket within 4 working hours, counted by Deskwell from 8 to 18.'
const supportNow =
  'Support desk: Deskwell tags tickets with payday now, they get a first reply within 45 minutes, any other ticket in 6 hours.'

function row(id: string, text: string, valid_from: string, more: Partial<PrecedentRecord> = {}): PrecedentRecord {
  const base = { id, record_id: id, kind: 'memory', status: 'accepted', audience: 'workspace', title: text, text }
  return { ...base, valid_from, sources: [], body: {}, mutable: {}, ...more } as unknown as PrecedentRecord
}
const newer = row('newer', supportNow, '2026-11-02T09:00:00.000Z')
const older = row('older', support, '2025-10-01T09:00:00.000Z')
const nearest: NearRow = { id: 'older', row: older, match: 1, common: 5, covered: 0.4 }

describe('what a newer record most likely replaces', () => {
  it('is the nearest record of a year before with another value, and quotes the sentences that are alike', () => {
    const long = row('newer', `Notes of the meeting. ${supportNow} Coffee was cold.`, newer.valid_from)
    expect(likelyUpdate(long, [nearest])).toEqual({
      other: 'older',
      claims: { newer: supportNow, older: support },
    })
  })

  it('is a record of a year before with another value even if they have few rare words in common', () => {
    const rule = 'Vans are at the barrier 30 minutes before a sailing.'
    const near = { ...nearest, row: row('older', rule, '2025-03-04T09:00:00.000Z'), common: 2, covered: 0.25 }
    const asked = (text: string, at = '2026-04-14T09:00:00.000Z') => likelyUpdate(row('newer', text, at), [near])?.other
    expect(asked('Vans have to stand at the barrier 45 minutes ahead of a sailing.')).toBe('older')
    expect(asked('Vans have to stand at the barrier ahead of a sailing.')).toBeUndefined()
    expect(asked('Vans have to stand at the barrier 45 minutes ahead.', '2025-04-14T09:00:00.000Z')).toBeUndefined()
  })

  it('is a record that names what the newer one says was replaced, even if they share hardly another word', () => {
    const near = {
      ...nearest,
      row: row('older', 'Crashes are reported to Sentry.', '2025-01-30T09:00:00.000Z'),
      common: 1,
    }
    const since = (text: string) => likelyUpdate(row('newer', text, '2025-06-10T09:00:00.000Z'), [near])
    expect(since('Error tracking has moved from Sentry to our own GlitchTip.')?.other).toBe('older')
    expect(since('Error tracking has moved from the cellar to Sentry in Basel.')).toBeUndefined()
  })

  it('is nothing if the titles or the sentences name two things by their days', () => {
    const asked = (now: { title: string; text?: string }, before: { title: string; text?: string }) => {
      const [a, b] = [row('newer', supportNow, newer.valid_from, now), row('older', support, older.valid_from, before)]
      return likelyUpdate(a, [{ ...nearest, row: b }])?.other
    }
    expect(asked({ title: 'Monday desk' }, { title: 'Monday desk' })).toBe('older')
    expect(asked({ title: 'Monday desk' }, { title: 'Sunday desk' })).toBeUndefined()
    const on = (text: string, day: string) => ({ title: '', text: `The ${day} desk: ${text}` })
    expect(asked(on(supportNow, 'Monday'), on(support, 'Monday'))).toBe('older')
    expect(asked(on(supportNow, 'Monday'), on(support, 'Sunday'))).toBeUndefined()
  })

  it.each([
    ['The outage on 9 February was caused by a full disk.', 'The outage on 17 June was caused by an old certificate.'],
    ['Sensor data older than 60 days must be deleted.', 'Personal data of applicants is deleted after 6 months.'],
    ['Backups of the billing database are kept 30 days.', 'Backups of the lock gateway are kept 7 days.'],
    ['Dealers are paid within 14 days of delivery.', 'Dealers were paid 19 days after delivery in October.'],
    ['Support answers a ticket within 4 hours.', 'Support answered a ticket after 7 hours on average.'],
    ['The meeting with Brookfield cost 71 EUR.', 'The meeting with Velta cost 62 EUR.'],
    ['We paid 71 EUR for the lunch with Brookfield.', 'We paid 62 EUR for the lunch with Velta.'],
    ['The report is sent to Velta on 15 October 2026.', 'The report was sent to Velta on 14 October.'],
  ])('is nothing if both may hold, as of two days, subjects or parties, or a rule and a report: “%s” “%s”', (a, b) => {
    const asked = (now: string, before: string) =>
      likelyUpdate(row('newer', now, newer.valid_from), [{ ...nearest, row: row('older', before, older.valid_from) }])
    expect([asked(a, b), asked(b, a)]).toEqual([undefined, undefined])
  })

  it.each([
    ['Sensor data older than 60 days must be deleted.', 'Sensor data is deleted after 90 days.'],
    ['Dealers are paid within 14 days of delivery.', 'Dealers get their money within 30 days.'],
    ['The contract with Velta runs until 2027.', 'The contract with Velta ends in March 2026.'],
    ['Refunds of an agent end at 150 EUR.', 'The refund limit of an agent was raised to 250 EUR on 3 May.'],
    ['Ada cleans the depot of the bikes.', 'Ben cleans the depot of the bikes.'],
    ['Parcels are shipped with DHL.', 'Parcels are shipped with Velopost.'],
  ])('is a record about the same subject: “%s” “%s”', (before, now) => {
    const near = { ...nearest, row: row('older', before, older.valid_from) }
    expect(likelyUpdate(row('newer', now, newer.valid_from), [near])?.other).toBe('older')
  })

  it('is nothing if the file of the newer one tells no date, or is from the repository of another owner', () => {
    const of = (owner: string, more: Partial<PrecedentRecord>) => {
      const provenance = { class: 'repo' as const, path: `${owner}/web/adr/1.md` }
      return { surface: 'adr', sources: [{ type: 'adr', provenance }], ...more }
    }
    const imported = (owner: string, created_at = '2026-11-20T09:00:00.000Z') =>
      row('newer', supportNow, newer.valid_from, of(owner, { created_at }))
    const before = { ...nearest, row: row('older', support, older.valid_from, of('acme', {})) }
    expect(likelyUpdate(imported('acme'), [before])?.other).toBe('older')
    expect(likelyUpdate(imported('other'), [before])).toBeUndefined()
    expect(likelyUpdate(imported('acme', newer.valid_from), [before])).toBeUndefined()
  })

  it('is no decision and no report if the newer one is the report of a session', () => {
    const as = (memory_kind: string) => row('newer', supportNow, newer.valid_from, { body: { memory_kind } } as never)
    const decision = {
      ...nearest,
      row: row('older', support, older.valid_from, { kind: 'decision', body: { judgment: support } } as never),
    }
    expect(likelyUpdate(as('fact'), [decision])?.other).toBe('older')
    expect(likelyUpdate(as('session_outcome'), [decision])).toBeUndefined()
    expect(likelyUpdate(as('session_outcome'), [nearest])?.other).toBe('older')
    const report = { body: { memory_kind: 'session_outcome' } } as never
    const before = { ...nearest, row: row('older', support, older.valid_from, report) }
    expect(likelyUpdate(as('fact'), [before])?.other).toBe('older')
    expect(likelyUpdate(as('session_outcome'), [before])).toBeUndefined()
  })

  it('the question quotes the sentence with the other value, not a short one with the same word', () => {
    const before = 'The desk has two sites. The support desk answers a ticket of any shop within 4 working hours.'
    const now =
      'The desk has desks. Bethan: a ticket of a shop is answered by the support desk within 45 minutes at night.'
    const near = { ...nearest, row: row('older', before, older.valid_from) }
    expect(likelyUpdate(row('newer', now, newer.valid_from), [near])?.claims).toEqual({
      newer: now.slice(now.indexOf('Bethan')),
      older: before.slice(before.indexOf('The support')),
    })
  })

  it.each<[string, PrecedentRecord, NearRow]>([
    ['a record of the same day', newer, { ...nearest, row: { ...older, valid_from: '2026-11-02T08:00:00.000Z' } }],
    ['a newer record', newer, { ...nearest, row: { ...older, valid_from: '2026-12-02T08:00:00.000Z' } }],
    ['a record that is far away', newer, { ...nearest, match: 0.3 }],
    ['a record with few rare words in common', newer, { ...nearest, common: 1 }],
    ['a long record', newer, { ...nearest, row: { ...older, text: `${support} ${'And more. '.repeat(60)}` } }],
    [
      'anything, if the newer one is a proposal',
      row('newer', supportNow, newer.valid_from, { status: 'proposed' }),
      nearest,
    ],
    [
      'a private record of someone else',
      { ...newer, audience: 'user:ada' },
      { ...nearest, row: { ...older, audience: 'user:ben' } },
    ],
  ])('is not %s', (_, now, near) => {
    expect(likelyUpdate(now, [near])).toBeUndefined()
  })
})

describe('a record that replaces another in other words', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
    for (const [at, content] of others.entries())
      await apply(on, remember, { kind: 'fact', content, occurred_at: `2025-09-0${at + 1}T09:00:00.000Z` })
  })
  afterEach(() => on.close())

  const others = [
    'The roof of the depot in Lund leaks above bay 7.',
    'Invoices of the caterer go to Moira.',
    'The lift of house B is inspected each March.',
    'Kestrel rents twelve bicycles for couriers.',
    'The archive smells of vinegar, says Pia.',
    'Parcels for Malta need a customs form.',
    'The canteen closes during the harvest festival.',
    'Ravi keeps the spare key of the generator.',
  ]
  const questions = async () => (await rows(on)).flatMap((row) => (row.kind === 'question' ? [row] : []))

  it('raises one question, and confirming it supersedes the older record', async () => {
    const before = { kind: 'fact', content: support, occurred_at: older.valid_from }
    const { entity } = await apply(on, remember, before)
    await apply(on, remember, { kind: 'fact', content: supportNow, occurred_at: newer.valid_from })
    const [question, ...more] = await questions()
    expect(more).toEqual([])
    expect(question).toMatchObject({ body: { reason: 'contradiction' } })
    expect(question?.text).toContain(support)
    await apply(on, resolve, {
      question_id: question?.body.question_id,
      resolution: 'confirm',
    })
    const replaced = (await rows(on)).find(({ record_id }) => record_id === entity?.id)
    expect(replaced?.valid_to).not.toBeNull()
  })

  it('raises no question if both records are of the same day', async () => {
    for (const content of [support, supportNow])
      await apply(on, remember, { kind: 'fact', content, occurred_at: newer.valid_from })
    expect(await questions()).toEqual([])
  })
})
