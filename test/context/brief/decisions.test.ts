import { describe, expect, it } from 'vitest'
import { mattersMost, newerFirst } from '../../../src/context/brief/choose/newer-first.ts'
import type { Section } from '../../../src/context/brief/choose/sections.ts'
import type { Item } from '../../../src/context/brief/find/found.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import { apply } from '../../support/apply.ts'
import { about, cited, decide, eachInItsWorld, on } from './briefs.ts'

eachInItsWorld()

describe('decisions of a brief about a query', () => {
  it('have the words of the query in one place, also if they are not in force', async () => {
    const query = 'paint the harbour crane of the northern quay'
    const far = 'The harbour opens at six. '
    await decide('Painting', {
      judgment: `We paint. ${far.repeat(40)} Crane. ${far.repeat(40)} Northern quay.`,
      status: 'rejected',
    })
    const near = await decide('Paint the crane of the northern quay in the harbour', { status: 'rejected' })
    const { decisions, markdown } = await about({ query })
    expect(decisions.map(({ id }) => id)).toEqual([near])
    expect(markdown).toMatch(/## Also recorded\n\n- \*\*Painting \(rejected\)\*\*/)
  })

  it('are told in one line if they are not in force and match much less than the best', async () => {
    const query = 'paint the harbour crane of the northern quay'
    const best = await decide('Paint the crane of the northern quay in the harbour')
    const rejected = await decide('Canteen by the quay', { status: 'rejected', judgment: 'It serves soup.' })
    const { decisions, citations } = await about({ query })
    expect(decisions.map(({ id }) => id)).toEqual([best])
    expect(citations.map(({ id }) => id)).toEqual([best, rejected])
  })

  it.each(['rejected', 'deprecated'])('are not marked as perhaps outdated if they are %s', async (status) => {
    const query = 'paint the crane of the northern quay'
    await decide('Paint the crane of the northern quay blue', { status, decided_at: '2024-01-01T00:00:00Z' })
    await decide('Paint the crane of the northern quay green: it is no longer blue')
    const { markdown } = await about({ query })
    expect(markdown).toContain(`blue (${status})`)
    expect(markdown).not.toContain('perhaps outdated')
  })

  it('say until when they hold, and what comes then, if an accepted decision will replace them', async () => {
    const rules = await decide('Rules of the harbour', { decided_at: '2024-01-01T00:00:00Z' })
    const lights = await decide('Lights of the harbour', { decided_at: '2024-01-01T00:00:00Z' })
    await decide('Optimiser', { decided_at: '2090-01-01T00:00:00Z', supersedes: [rules] })
    await decide('Dimmer', { status: 'proposed', supersedes: [lights] })
    for (const input of [{}, { query: 'rules of the harbour' }, { lens: 'handoff' }]) {
      const { markdown } = await about(input)
      expect(markdown).toMatch(/\*\*Rules of the harbour\*\*: .*\(2024-01-01, until 2090-01-01, then “Optimiser”\)/)
      expect(markdown).not.toMatch(/\*\*Lights of the harbour\*\*.*until/)
    }
  })

  it('have no day in a conflict or a question if their files have no date', async () => {
    await decide('Bells of the harbour', { surface: 'adr', external_id: 'bells' })
    await decide('Horns of the harbour', { supersedes: ['bells'], decided_at: '2024-01-01T00:00:00Z' })
    await decide('Flags of the harbour', { surface: 'adr', external_id: 'flags', status: 'proposed' })
    const { markdown } = await about({ query: 'bells, horns and flags of the harbour' })
    expect(markdown).toContain(
      '“Bells of the harbour” (no date) was superseded by “Horns of the harbour” (2024-01-01).',
    )
    expect(markdown).toContain('Accept or reject **Flags of the harbour** (proposed, no date)')
  })

  it('are told in one line only if no record answers the query', async () => {
    const query = 'where can the crew of the ferry buy rope, anchors, sails and oars in winter'
    const decision = await decide('Crew of the quay', { judgment: 'They wear blue, and green at night.' })
    const { diagnostics, decisions, markdown, citations } = await about({ query })
    expect(diagnostics).toMatchObject({ primary_relevance: 'weak' })
    expect([decisions, citations.map(({ id }) => id)]).toEqual([[], [decision]])
    expect(markdown).toMatch(/## Closest record\n\n- \*\*Crew of the quay\*\*: They wear blue/)
  })
})

describe('decisions of a brief without a query', () => {
  const decideOn = (day: string, title: string, judgment: string, significance = 'routine') =>
    decide(title, { judgment, decided_at: `${day}T00:00:00Z`, significance })

  it('are told after others, and with no date, if they were imported without one', async () => {
    const imported = await apply(on, recordDecision, { title: 'Rope', judgment: 'It is of hemp.', surface: 'adr' })
    const dated = await decideOn('2025-03-01', 'Sails', 'They are of linen.')
    const { decisions, markdown } = await about({})
    expect(decisions.map(({ id }) => id)).toEqual([dated, imported.entity?.id])
    expect(markdown).toContain('**Rope**: It is of hemp. (no date) [')
    expect(markdown).toContain('**Sails**: They are of linen. (2025-03-01) [')
  })

  it.each([{}, { lens: 'handoff' }])('%s: one that is perhaps outdated gives its place to the next', async (input) => {
    const older = await decideOn('2025-01-01', 'Backups', 'Backups of the ledger are kept for 14 days.', 'strategic')
    const now = 'Backups of the ledger were raised from 14 to 35 days.'
    const newer = await decideOn('2026-01-01', 'Longer backups', now, 'strategic')
    const told = async () => cited(await about(input))
    expect(await told()).toEqual(expect.arrayContaining([older, newer]))
    const colours = ['red', 'green', 'blue', 'white', 'black']
    const others: string[] = []
    for (const [n, colour] of colours.entries())
      others.unshift(await decideOn(`2025-02-0${n + 1}`, `Crane ${n}`, `Crane ${n} at quay ${n} is ${colour}.`))
    const { decisions, citations, markdown } = await about(input)
    expect(markdown).toContain('5 of 7 in force; search finds the others.')
    expect(decisions.map(({ id }) => id)).toEqual([newer, ...others.slice(0, 4)])
    expect(citations.map(({ id }) => id)).not.toContain(older)
  })
})

describe('records that matter most', () => {
  const item = (record_id: string, match: number, kind = 'decision') =>
    ({ record: { record_id }, match, kind }) as unknown as Item
  const section = (items: Item[], isLessRelevant = false) => ({ items, isLessRelevant }) as unknown as Section
  const most = (older: Item, newer: Item) => {
    const chosen = [section([older]), section([newer], true)]
    return [...mattersMost(chosen, [newer, older], new Map([[older.record.record_id, newer]]))]
  }

  it('has a newer decision in place of the one that it may have outdated', () => {
    const [older, newer] = [item('older', 0.9), item('newer', 0.85)]
    expect(most(older, newer)).toEqual([newer])
  })

  it('keeps the older decision if the newer record matches less, or is no decision', () => {
    const older = item('older', 0.9)
    expect(most(older, item('newer', 0.7))).toEqual([older])
    expect(most(older, item('newer', 0.9, 'fact'))).toEqual([older])
  })

  it('keeps the older decision if the query did not find the newer one', () => {
    const [older, newer] = [item('older', 0.9), item('newer', 0.9)]
    const found = mattersMost([section([older])], [newer, older], new Map([['older', newer]]))
    expect([...found]).toEqual([older])
  })

  it('has both if both match best, and nothing that is told aside', () => {
    const [older, newer, aside] = [item('older', 0.9), item('newer', 0.9), item('aside', 0.9)]
    const chosen = [section([newer, older]), section([aside], true)]
    expect([...mattersMost(chosen, [newer, older, aside], new Map([['older', newer]]))]).toEqual([newer, older])
  })
})

describe('records that may have outdated others', () => {
  const item = (record_id: string, valid_from: string) =>
    ({ record: { record_id, valid_from }, kind: 'fact' }) as unknown as Item

  it('come before them in each section, also if they are outdated themselves', () => {
    const [old, newer, newest] = [item('old', '2020'), item('newer', '2022'), item('newest', '2024')]
    const pairs: [string, Item][] = [
      ['newer', newest],
      ['old', newer],
    ]
    for (const outdated of [new Map(pairs), new Map(pairs.reverse())]) {
      const [told] = newerFirst([{ items: [old, newer, newest] } as unknown as Section], outdated, new Set(), new Set())
      expect(told?.items).toEqual([newest, newer, old])
    }
  })

  const matching = (record_id: string, valid_from: string, match: number) => ({ ...item(record_id, valid_from), match })
  interface How {
    told?: string[]
    asked?: string[]
    kind?: 'fact' | 'constraint'
  }
  const order = (newerMatch: number, { told: isTold = [], asked = [], kind = 'fact' }: How = {}) => {
    const [old, other, newer] = [
      { ...matching('old', '2020', 0.9), kind },
      matching('other', '2021', 0.8),
      { ...matching('newer', '2024', newerMatch), kind },
    ]
    const sections = [{ items: [old, other, newer] }, { items: [] }] as unknown as Section[]
    const [told] = newerFirst(sections, new Map([['old', newer]]), new Set(isTold), new Set(asked))
    return told?.items.map(({ record }) => record.record_id)
  }

  it('come before them only if they match the query as well, say themselves what changed, or are asked about', () => {
    expect(order(0.9)).toEqual(['newer', 'old', 'other'])
    expect(order(0.7)).toEqual(['old', 'other', 'newer'])
    expect(order(0.7, { told: ['old'] })).toEqual(['newer', 'old', 'other'])
    expect(order(0.7, { asked: ['old'] })).toEqual(['newer', 'old', 'other'])
  })

  it('come right behind them if they match the query less and both are rules', () => {
    expect(order(0.7, { kind: 'constraint' })).toEqual(['old', 'newer', 'other'])
    expect(order(0.9, { kind: 'constraint' })).toEqual(['newer', 'old', 'other'])
  })
})
