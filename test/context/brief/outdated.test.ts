import { describe, expect, it } from 'vitest'
import { outdatedAmong, type Said } from '../../../src/context/brief/choose/outdated.ts'
import type { Envelope } from '../../../src/records/record.ts'
import { heldBy } from '../../support/blocked-thread.ts'

let made = 0
const said = (day: string, text: string, kind = 'fact', status = 'accepted', more: Partial<Envelope> = {}): Said => {
  const valid_from = `${day}T00:00:00.000Z`
  const record = { record_id: `${++made}`, valid_from, topics: [], title: '', sources: [], status, ...more }
  return { title: '', text, item: { kind, record } as unknown as Said['item'] }
}
const mark = async (older: Said, newer: Said) =>
  (await outdatedAmong([older, newer], [])).get(older.item.record.record_id) === newer

describe('statements that a newer one may have outdated', () => {
  it.each([
    [
      'Backups of the ledger are kept for 14 days.',
      'Backups of the ledger database are kept for 35 days in two regions.',
    ],
    ['Maud Ferris is head of quality at all sites.', 'Idris Palgrave is head of quality at all sites.'],
    ['The archive runs on Postgres 13 in the cellar.', 'The archive of the cellar was set up on Postgres 16.'],
    [
      'The API allows 100 requests a minute per key.',
      'The limit of the API was raised to 250 requests a minute per key.',
    ],
  ])('“%s” is marked because of “%s”', async (older, newer) => {
    expect(await mark(said('2025-01-01', older), said('2026-01-01', newer))).toBe(true)
    expect(await mark(said('2026-01-01', older), said('2025-01-01', newer))).toBe(false)
  })

  it.each([
    ['Backups of the ledger are kept for 14 days.', 'Receipts of the canteen are kept for 35 days.'],
    ['The billing service is owned by Ada.', 'The search service is owned by Ben.'],
    ['Team 7 gets a drill of the harbour.', 'The harbour is open.'],
    ['Truck 4 of the harbour is mended in Basel.', 'Truck 5 of the harbour is mended in Porto.'],
    [
      'Log entry 0007: the crew of the crane came at minute 7.',
      'Log entry 0056: the crew of the crane came at minute 56.',
    ],
    ['Buoy A-001 of the harbour is lit for 4 hours.', 'Buoy B-001 of the harbour is lit for 6 hours.'],
  ])('“%s” is not marked because of “%s”', async (older, newer) => {
    expect(await mark(said('2025-01-01', older), said('2026-01-01', newer))).toBe(false)
  })

  it.each(['proposed', 'rejected', 'deprecated'])('a decision that is %s outdates nothing', async (status) => {
    const older = said('2025-01-01', 'Backups of the ledger are kept for 14 days.', 'decision')
    const text = 'Backups of the ledger are kept for 35 days.'
    expect(await mark(older, said('2026-01-01', text, 'decision', status))).toBe(false)
    expect(await mark(older, said('2026-01-01', text, 'decision'))).toBe(true)
  })

  it.each(['proposed', 'rejected', 'deprecated'])('a decision that is %s is not outdated', async (status) => {
    const older = (of: string) => said('2025-01-01', 'Backups of the ledger are kept for 14 days.', 'decision', of)
    const newer = said('2026-01-01', 'Backups of the ledger were raised to 35 days.', 'decision')
    expect(await mark(older(status), newer)).toBe(false)
    expect(await mark(older('accepted'), newer)).toBe(true)
  })

  it('a record that somebody confirmed after the newer one is not marked', async () => {
    const older = said('2025-01-01', 'Backups of the ledger are kept for 14 days.')
    const newer = said('2026-01-01', 'Backups of the ledger were raised to 35 days.')
    const confirmed = (said_at: string): Said => ({ ...older, item: { ...older.item, said_at } })
    expect(await mark(confirmed('2025-12-31T00:00:00.000Z'), newer)).toBe(true)
    expect(await mark(confirmed('2026-02-01T00:00:00.000Z'), newer)).toBe(false)
  })

  it('an imported record whose file tells no date outdates nothing', async () => {
    const older = said('2025-01-01', 'Backups of the ledger are kept for 14 days.')
    const newer = (created_at: string) => {
      const text = 'Backups of the ledger were raised to 35 days.'
      return said('2026-01-01', text, 'decision', 'accepted', { surface: 'adr', created_at })
    }
    expect(await mark(older, newer('2026-05-05T00:00:00.000Z'))).toBe(true)
    expect(await mark(older, newer('2026-01-01T00:00:00.000Z'))).toBe(false)
  })

  it('an imported record less likely outdates one that was not imported, and the other way round', async () => {
    const adr = { surface: 'adr', created_at: '2026-05-05T00:00:00.000Z' }
    const older = (more: Partial<Envelope>) =>
      said('2025-06-01', 'Receipts are kept in the harbour.', 'fact', 'accepted', more)
    const newer = (more: Partial<Envelope>) =>
      said('2026-01-01', 'In the harbour, tickets and receipts of boats are printed.', 'fact', 'accepted', more)
    expect(await mark(older({}), newer({}))).toBe(true)
    expect(await mark(older({}), newer(adr))).toBe(false)
    expect(await mark(older(adr), newer({}))).toBe(false)
  })

  it('of two imported records, the newer one outdates the older one only if it says that something changed', async () => {
    const adr = { surface: 'adr', created_at: '2026-05-05T00:00:00.000Z' }
    const older = (more: Partial<Envelope>) =>
      said('2025-01-01', 'Backups of the ledger are kept for 14 days.', 'decision', 'accepted', more)
    const newer = (text: string, more: Partial<Envelope>) => said('2026-01-01', text, 'decision', 'accepted', more)
    const [same, changed] = [
      'Backups of the ledger are kept for 35 days.',
      'Backups of the ledger were raised to 35 days.',
    ]
    expect(await mark(older({}), newer(same, {}))).toBe(true)
    expect(await mark(older(adr), newer(same, adr))).toBe(false)
    expect(await mark(older(adr), newer(changed, adr))).toBe(true)
  })

  it('a record from the repository of another owner outdates nothing', async () => {
    const from = (path: string) => ({ sources: [{ type: 'adr', provenance: { class: 'repo' as const, path } }] })
    const all = ['acme/web/adr/1.md', 'acme/api/adr/9.md', 'other/web/adr/1.md'].map(from)
    const [web, api, other] = all as [Partial<Envelope>, Partial<Envelope>, Partial<Envelope>]
    const older = (more: Partial<Envelope>) =>
      said('2025-01-01', 'Backups of the ledger are kept for 14 days.', 'decision', 'accepted', more)
    const newer = (more: Partial<Envelope>) =>
      said('2026-01-01', 'Backups of the ledger are kept for 35 days.', 'decision', 'accepted', more)
    expect(await mark(older(web), newer(api))).toBe(true)
    expect(await mark(older(web), newer({}))).toBe(true)
    expect(await mark(older({}), newer(web))).toBe(true)
    expect(await mark(older(web), newer(other))).toBe(false)
  })

  it('a record with the same text outdates nothing, whatever its title', async () => {
    const text = 'Upgrade of the crane: parts ordered. Next: mount them.'
    const older = said('2026-01-01', text, 'session_outcome')
    expect(await mark(older, { ...said('2026-02-01', text, 'session_outcome'), title: 'Moved to the crane' })).toBe(
      false,
    )
  })

  it('records of one day are parts of one whole, unless one says that the other has changed', async () => {
    const older = said('2026-01-01', 'Backups of the harbour crane are kept for 14 days.')
    const text = 'Backups of the harbour crane are kept for 35 days.'
    expect(await mark(older, said('2026-01-01', text))).toBe(false)
    expect(await mark(older, said('2027-01-02', text))).toBe(true)
    const limit = said('2026-01-01', 'The API allows 100 requests a minute per key.')
    const raised = said('2026-01-01', 'The limit of the API was raised from 100 to 250 requests a minute per key.')
    expect(await mark(limit, raised)).toBe(true)
  })

  it('a statement that says what changed marks an older one, even if that is long', async () => {
    const all = 'The API allows 100 requests a minute per key. '
    const rest = 'Keys are made in the console, and each team keeps its own in the vault of the quay. '
    const limit = said('2026-01-01', `${all}${rest.repeat(40)}`, 'constraint')
    const raised = 'The limit of the API was raised from 100 to 250 requests a minute per key.'
    expect(await mark(limit, said('2026-03-01', raised))).toBe(true)
  })

  const matching = (one: Said, match: number): Said => ({ ...one, item: { ...one.item, match } })
  /** How well `newer` must match the query for `older` to be marked because of it: 0 to 1, or 2 if it never is. */
  const matchNeeded = async (older: Said, newer: Said, others: Said[] = []) => {
    const told = matching(older, 1)
    for (let match = 0; match <= 20; match++) {
      const found = await outdatedAmong([told, ...others], [matching(newer, match / 20)])
      if (found.has(told.item.record.record_id)) return match / 20
    }
    return 2
  }
  const harbour = 'The crane of the harbour is mended by the team of Basel.'
  const quay = 'The team of Basel painted the gate, the mole and the crane of the quay in two weeks.'

  it('a statement is marked only if the newer one matches the query well enough', async () => {
    const needed = await matchNeeded(said('2025-06-01', harbour), said('2025-07-01', quay))
    expect(needed).toBeGreaterThan(0)
    expect(needed).toBeLessThan(1)
  })

  it('two statements with different values are more likely about one subject', async () => {
    const needed = (boxes: number) => {
      return matchNeeded(
        said('2025-01-01', 'The archive of the harbour has 14 boxes of maps, plans and letters.'),
        said('2025-03-01', `In Basel, the rooms of the archive hold ${boxes} boxes.`),
      )
    }
    expect(await needed(35)).toBeLessThan(await needed(14))
  })

  it.each([
    ['a long statement', said('2025-05-01', Array(3).fill(harbour).join(' '))],
    ['a statement of another kind', said('2025-05-01', harbour, 'constraint')],
    ['a statement that is hardly older', said('2025-06-20', harbour)],
  ])('%s is less likely outdated', async (_, older) => {
    const newer = said('2025-07-01', quay)
    expect(await matchNeeded(older, newer)).toBeGreaterThan(await matchNeeded(said('2025-05-01', harbour), newer))
  })

  it('the report of a session is more likely outdated than a fact', async () => {
    const newer = said('2025-07-01', quay, 'decision')
    const [report, fact] = ['session_outcome', 'fact'].map((kind) => said('2025-05-01', harbour, kind)) as [Said, Said]
    expect(await matchNeeded(report, newer)).toBeLessThan(await matchNeeded(fact, newer))
  })

  it.each(['session_outcome', 'commitment'])('a %s less likely outdates another statement', async (kind) => {
    const older = said('2025-05-01', harbour, 'preference')
    const needed = (one: string) => matchNeeded(older, said('2025-07-01', quay, one))
    expect(await needed(kind)).toBeGreaterThan(await needed('fact'))
  })

  it('a long statement more likely outdates another one', async () => {
    const [older, rest] = [said('2025-05-01', harbour), ' It has a winch, a hook and a cabin.'.repeat(4)]
    const [long, short] = [said('2025-07-01', quay + rest), said('2025-07-01', quay)]
    expect(await matchNeeded(older, long)).toBeLessThan(await matchNeeded(older, short))
  })

  it('a statement that has nothing to do with the query is less likely outdated', async () => {
    const [older, newer] = [said('2025-05-01', harbour), matching(said('2025-07-01', quay), 1)]
    expect((await outdatedAmong([matching(older, 1)], [newer])).size).toBe(1)
    expect((await outdatedAmong([matching(older, 0)], [newer])).size).toBe(0)
  })

  it('the report of a session outdates no rule, and less likely a decision than a fact', async () => {
    const report = said('2025-07-01', `${quay} The crane of the harbour waits.`, 'session_outcome')
    const older = (kind: string) => said('2025-01-01', harbour, kind)
    expect(await matchNeeded(older('constraint'), report)).toBe(2)
    const raised = said('2025-07-01', `${harbour} The limit was raised from 4 to 7.`, 'session_outcome')
    expect(await matchNeeded(older('constraint'), raised)).toBe(2)
    const needed = [await matchNeeded(older('decision'), report), await matchNeeded(older('fact'), report)]
    expect(needed[0]).toBeGreaterThan(needed[1] as number)
  })

  it('two statements are more likely about one subject if two of their sentences are alike', async () => {
    const older = said('2025-05-01', harbour)
    const [apart, alike] = [
      'The crane stays. The roof of the harbour is open at noon. The dog of Basel sleeps at night.',
      'The crane of the harbour stays with Basel. The roof is open at noon. The dog sleeps at night.',
    ].map((text) => said('2025-07-01', text)) as [Said, Said]
    expect(await matchNeeded(older, alike)).toBeLessThan(await matchNeeded(older, apart))
  })

  it.each(['constraint', 'fact'])('a commitment outdates no %s, unless it says what changed', async (kind) => {
    const older = said('2025-01-01', 'Backups of the ledger are kept for 14 days.', kind)
    const newer = (text: string, as = 'commitment') => said('2026-01-01', text, as)
    const promise = 'Backups of the ledger are kept for 35 days in the vault of Acme.'
    expect(await mark(older, newer(promise))).toBe(false)
    expect(await mark(older, newer(promise, kind))).toBe(true)
    expect(
      await mark(said('2025-01-01', 'Backups of the ledger are kept for 14 days.', 'commitment'), newer(promise)),
    ).toBe(true)
    expect(await mark(older, newer('Backups of the ledger were raised from 14 to 35 days.'))).toBe(true)
  })

  it('an older statement is less likely outdated if another one is nearer to the newer one', async () => {
    const newer = said('2025-07-01', quay)
    const nearer = said('2025-05-02', `${quay} It took a ladder.`)
    const alone = await matchNeeded(said('2025-05-01', harbour), newer)
    expect(await matchNeeded(said('2025-05-01', harbour), newer, [nearer])).toBeGreaterThan(alone)
  })

  it('among few statements, one word in common is not enough for a mark', async () => {
    const [older, newer] = [
      said('2024-01-01', 'The harbour is open at night.'),
      said('2026-01-01', 'Harbour fees rise.'),
    ]
    expect(await matchNeeded(older, newer)).toBe(2)
    const words = ['ferry', 'winch', 'anchor', 'rope', 'sail', 'oar', 'mast', 'buoy']
    const others = words.flatMap((one) => words.map((two) => said('2023-01-01', `A ${one} needs a ${two}.`)))
    expect(await matchNeeded(older, newer, others)).toBeLessThan(1)
  })

  it('one newer statement marks at most three older ones', async () => {
    const olders = Array.from({ length: 5 }, (_, n) => matching(said('2024-01-01', `${harbour} Shift ${n}.`), 1))
    expect((await outdatedAmong(olders, [matching(said('2026-01-01', harbour), 1)])).size).toBe(3)
  })

  it('of two reports about one thing the older is marked', async () => {
    const older = said('2026-01-01', 'Upgrade of the crane: parts ordered. Next: mount them.', 'session_outcome')
    const newer = said('2026-02-01', 'Upgrade of the crane: all is mounted and tested.', 'session_outcome')
    expect(await matchNeeded(older, newer)).toBeLessThan(1)
  })

  it('an overdue commitment is marked if a newer record tells of the same', async () => {
    const older = said('2026-01-01', 'Acme gets the export of its stock by 2026-03-31.', 'commitment')
    expect(await matchNeeded(older, said('2026-06-01', 'The stock export of Acme went live.'))).toBeLessThan(1)
  })

  it('a statement is more likely outdated if a newer one says that what it names was replaced', async () => {
    const older = said('2025-01-01', 'Crashes of the app are reported to Sentry, in the project android.')
    const newer = (text: string) => said('2025-06-01', text)
    const moved = await matchNeeded(older, newer('Error tracking has moved from Sentry to our own GlitchTip.'))
    expect(moved).toBeLessThan(1)
    expect(moved).toBeLessThan(await matchNeeded(older, newer('Error tracking has an account at Sentry in Basel.')))
  })

  it('a statement that is not told may outdate one that is', async () => {
    const older = said('2025-01-01', 'Backups of the ledger are kept for 14 days.')
    const newer = said('2026-01-01', 'Backups of the ledger are kept for 35 days.')
    const found = await outdatedAmong([older], [newer])
    expect([...found.values()]).toEqual([newer])
    expect((await outdatedAmong([newer], [older])).size).toBe(0)
  })
})

it('reads very many long statements in short pieces', async () => {
  const sentences = (nth: number) =>
    Array.from({ length: 500 }, (_, at) => `Moved from Alpha${nth}x${at} to Beta in Q${at}.`).join(' ')
  const { longest } = await heldBy(() => {
    // other texts each time, because what was read is kept
    const statements = Array.from({ length: 120 }, (_, at) => said(`2025-01-${10 + (at % 20)}`, sentences(++made)))
    return outdatedAmong(statements.slice(0, 4), statements.slice(4))
  })
  expect(longest).toBeLessThan(200)
})
