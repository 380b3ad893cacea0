import { describe, expect, it } from 'vitest'
import { recordOutcome } from '../../../src/decisions/outcome.ts'
import { resolve } from '../../../src/questions/answer/resolve.ts'
import { apply } from '../../support/apply.ts'
import { about, cited, compared, decide, eachInItsWorld, fact, on, say, section } from './briefs.ts'

eachInItsWorld()

describe('marks on the lines of a brief', () => {
  it('tells a newer record that the query does not find, if it says what changed in one that is told', async () => {
    const older = await fact('We rent 600 Zellion handhelds for the gates.', { occurred_at: '2020-01-01T00:00:00Z' })
    await fact('The canteen of the gates serves soup.', { occurred_at: '2021-01-01T00:00:00Z' })
    const newer = await fact('The Zellion handhelds were replaced by 820 sleds.')
    const answer = await about({ query: 'how many devices do the gates have' })
    expect(cited(answer)).toContain(older)
    expect(cited(answer)).toContain(newer)
    expect(section(answer, 'Facts')).toMatch(/820 sleds.*\[2\]\n.*600 Zellion.*perhaps outdated by \[2\]/)
  })

  it('tells what changed before the older record, which it marks', async () => {
    await say('constraint', 'Ledger backups are kept for 30 days.', {
      occurred_at: '2025-01-01T00:00:00Z',
    })
    const changed = { occurred_at: '2025-11-01T00:00:00Z' }
    await say('constraint', 'Ledger backups are now kept for 90 days.', changed)
    const lines = section(await about(), 'Constraints')
    expect(lines).toMatch(/90 days\. \(2025-11-01\) \[1\]\n.*30 days\. \(2025-01-01, perhaps outdated by \[1\]\) \[2\]/)
  })

  it('tells a rule that the query does not find behind the rule that it may have changed', async () => {
    await say('constraint', 'Vehicle check-in closes 30 minutes before departure.', {
      occurred_at: '2025-01-01T00:00:00Z',
    })
    await say('constraint', 'Vehicle barriers shut 45 minutes before each departure.', {
      occurred_at: '2025-11-01T00:00:00Z',
    })
    const answer = await about({ query: 'when does check-in close' })
    expect(section(answer, 'Constraints')).toMatch(/30 minutes.*perhaps outdated by (\[\d\])\).*\n.*45 minutes.* \1$/m)
  })

  it('does not mark what a person confirmed after the newer record, although another question is open', async () => {
    const calls = (times: number, year: number) =>
      fact(`Support calls a customer at most ${times} times about an invoice.`, {
        occurred_at: `${year}-03-01T00:00:00Z`,
      })
    const two = await calls(2, 2023)
    await calls(4, 2024)
    await calls(6, 2025)
    await compared()
    const [asked] = (await about({ query: 'calls about an invoice' })).open_questions.filter(
      ({ claim }) => claim.includes('2 times') && claim.includes('4 times'),
    )
    await apply(on, resolve, {
      question_id: asked?.question_id as string,
      resolution: 'correct',
      note: 'keep the older',
    })
    const answer = await about({ query: 'calls about an invoice' })
    expect(cited(answer)).toContain(two)
    expect(answer.open_questions).toHaveLength(1)
    expect(section(answer, 'Facts')).toMatch(/2 times about an invoice\. \(2023-03-01, confirmed [\d-]+\)/)
  })

  it('tells no promise as one that holds if its correction says that it was kept', async () => {
    const promise = await say('commitment', 'Ada sends the list of cranes by 4 May.')
    const correct = (content: string, corrects_memory_id: string) => say('correction', content, { corrects_memory_id })
    const moved = await correct('Ada sends the list of cranes by 8 June.', promise)
    expect(section(await about(), 'Commitments')).toContain('8 June')
    await correct('The list of cranes was sent on 6 June.', moved)
    const answer = await about()
    expect(section(answer, 'Commitments')).toBeUndefined()
    expect(section(answer, 'Facts')).toContain('- Corrected: The list of cranes was sent on 6 June.')
  })

  it.each([
    ['Constraints', {}],
    ['Constraints', { query: 'ledger backups' }],
    ['Also binding', { query: 'harbour' }],
  ])(
    'tells a fact that says what changed before the rule that it changed, under %s and with its kind (%o)',
    async (heading, input) => {
      await say('constraint', 'Ledger backups are kept for 30 days.', { occurred_at: '2025-01-01T00:00:00Z' })
      await fact('Ledger backups are now kept for 90 days.', { occurred_at: '2025-11-01T00:00:00Z' })
      await fact('The harbour is dredged in spring.')
      const lines = section(await about(input), heading)
      expect(lines).toMatch(
        /- Fact: Ledger backups are now kept for 90 days\. \(2025-11-01\) (\[\d\])\n- .*30 days\. \(2025-01-01, perhaps outdated by \1\)/,
      )
    },
  )

  it.each([
    ['Facts', 'Constraints', {}],
    ['Facts', 'Constraints', { query: 'ledger backups' }],
    ['Related', 'Also binding', { query: 'harbour' }],
  ])('tells a fact that does not say so under %s, not under %s (%o)', async (own, heading, input) => {
    await say('constraint', 'Ledger backups are kept for 30 days.', { occurred_at: '2025-01-01T00:00:00Z' })
    await fact('Ledger backups are kept for 90 days.', { occurred_at: '2025-11-01T00:00:00Z' })
    await fact('The harbour is dredged in spring.')
    const answer = await about(input)
    expect(section(answer, heading)).not.toContain('90 days')
    const mark = /30 days\. \(2025-01-01, perhaps outdated by (\[\d\])\)/.exec(section(answer, heading) ?? '')
    expect(section(answer, own)).toContain(`90 days. (2025-11-01) ${mark?.[1]}`)
  })

  it('marks no record because of one whose writer was unsure, until a person confirms that one', async () => {
    await say('constraint', 'Cameras of lockers keep pictures for at most 24 hours.', {
      occurred_at: '2025-02-02T00:00:00Z',
    })
    const unsure = await fact('I think the cameras of lockers keep pictures for 48 hours.', {
      occurred_at: '2025-11-05T00:00:00Z',
    })
    await compared()
    const inputs = [{}, { query: 'how long do cameras keep pictures' }]
    for (const input of inputs) {
      const answer = await about(input)
      expect(section(answer, 'Constraints')).toContain('24 hours. (2025-02-02) [')
      expect(section(answer, 'Facts')).toContain('48 hours')
    }
    const { open_questions } = await about()
    const asked = open_questions.find(({ reason, subject }) => reason === 'low_confidence' && subject?.id === unsure)
    await apply(on, resolve, { question_id: asked?.question_id, resolution: 'confirm' })
    for (const input of inputs)
      expect(section(await about(input), 'Constraints')).toContain('24 hours. (2025-02-02, perhaps outdated by [')
  })

  it('marks no older record of which a person said that both hold', async () => {
    const old = { occurred_at: '2024-06-01T00:00:00Z' }
    await fact('The on-call rotation of the northern harbour has five people.', old)
    await fact('The on-call rotation of the northern harbour has seven people.')
    await compared()
    const told = async () => section(await about({ query: 'on-call rotation' }), 'Facts')
    expect(await told()).toContain('has five people. (2024-06-01, perhaps outdated by [')
    const { open_questions } = await about({ query: 'on-call rotation' })
    await apply(on, resolve, { question_id: open_questions[0]?.question_id, resolution: 'dismiss' })
    expect(await told()).toContain('has five people. (2024-06-01) [')
  })

  it('does not mark a record because of the one that corrects a part of it', async () => {
    const rest = 'The on-call rotation of the northern harbour sleeps in the hall.'
    const old = { occurred_at: '2024-06-01T00:00:00Z' }
    await fact(`The on-call rotation of the northern harbour has five people. ${rest}`, old)
    await fact('The on-call rotation of the northern harbour has seven people.')
    await compared()
    const { open_questions } = await about({ query: 'on-call rotation' })
    await apply(on, resolve, { question_id: open_questions[0]?.question_id, resolution: 'confirm' })
    const told = section(await about({ query: 'on-call rotation' }), 'Facts')
    expect(told).toMatch(
      /sleeps in the hall\. \(2024-06-01\) \[\d\]\n {2}Corrected: “.* has five people\.” no longer holds\./,
    )
  })

  it.each([{}, { query: 'on-call rotation' }])('does not tell a corrected claim as a title (%o)', async (input) => {
    const claim = 'The on-call rotation of the northern harbour has five people.'
    const old = { occurred_at: '2024-06-01T00:00:00Z' }
    await fact(`${claim} It sleeps in the hall.`, old)
    await decide('The on-call rotation of the southern harbour has five people', {
      judgment: 'The on-call rotation of the southern harbour has five people. It eats in the hall.',
      decided_at: '2024-06-01T00:00:00Z',
    })
    for (const side of ['northern', 'southern'])
      await fact(`The on-call rotation of the ${side} harbour has seven people.`)
    await compared()
    for (const { question_id } of (await about({ query: 'on-call rotation' })).open_questions)
      await apply(on, resolve, { question_id, resolution: 'confirm' })
    const answer = await about(input)
    expect(section(answer, 'Facts')).toContain('\n- It sleeps in the hall. (2024-06-01) [')
    expect(answer.markdown).toMatch(
      /\*\*The on-call rotation of the southern .* \(corrected\)\*\*: It eats in the hall\./,
    )
    // the title would say the same twice
    const ended = section(answer, 'No longer holds')
    expect(ended).toContain(`“${claim}” (2024-06-01) was superseded by “The on-call rotation of the northern`)
    expect(ended).not.toContain(' in “')
  })

  it('does not mark a rule because of the report of a session', async () => {
    const old = { occurred_at: '2024-06-01T00:00:00Z' }
    const text = 'The crane of the northern harbour is not moved in the two weeks after the regatta.'
    await say('constraint', text, old)
    const report = 'Checked the crane of the northern harbour for the regatta: its cable is new. Left: the hook.'
    await say('session_outcome', report)
    for (const input of [{}, { query: 'crane of the northern harbour' }, { lens: 'handoff' }]) {
      const { markdown } = await about(input)
      expect(markdown).toContain(report.slice(0, 40))
      expect(markdown).toContain(`${text} (2024-06-01) [`)
    }
  })

  it('marks the older record of an open contradiction, whatever the query, and tells the newer one before it', async () => {
    const older = await say('constraint', 'The on-call rotation has five people.', {
      occurred_at: '2025-01-01T00:00:00Z',
    })
    const newer = await fact('The on-call rotation has seven people.')
    const harbour = await fact('The harbour is dredged in spring.')
    await compared()
    const answer = await about({ query: 'harbour' })
    expect(section(answer, 'Related')).toMatch(/seven people\. .*\[2\]/)
    // it is not about the query
    expect(answer.open_questions).toEqual([])
    expect(section(answer, 'Also binding')).toContain('five people. (2025-01-01, perhaps outdated by [2]) [3]')
    expect(cited(answer)).toEqual([harbour, newer, older])
  })

  it('tells a decision that says what changed in a rule before that rule, within the five', async () => {
    await say('constraint', 'Ledger backups are kept for 30 days.', { occurred_at: '2025-01-01T00:00:00Z' })
    const others = ['Buy a tug', 'Rent a hall', 'Paint the fence', 'Hire a cook', 'Sell the barge']
    for (const title of others) await decide(title)
    await decide('Ledger backups are now kept for 90 days', { decided_at: '2024-12-31T00:00:00Z' })
    const newer = 'Ledger backups were raised to 60 days'
    await decide(newer, { decided_at: '2025-02-01T00:00:00Z' })
    const answer = await about()
    const rules = section(answer, 'Constraints')
    expect(rules).toMatch(
      /- Decision: \*\*Ledger backups were raised.* (\[\d\])\n- .*30 days\. \(2025-01-01, perhaps outdated by \1\)/,
    )
    expect(section(answer, 'Decisions in force')?.match(/^- /gm)).toHaveLength(4)
  })

  it('tells further decisions aside if such a decision is told, so that there are no more than the limit', async () => {
    await say('constraint', 'Ledger backups are kept for 30 days.', { occurred_at: '2025-01-01T00:00:00Z' })
    await decide('Buy a tug', { significance: 'strategic' })
    const newer = 'Ledger backups were raised to 60 days'
    await decide(newer, { decided_at: '2025-02-01T00:00:00Z' })
    const answer = await about({ limit: 1 })
    expect(section(answer, 'Decisions in force')).toContain(
      'In force, but not listed here: 2 decisions. Search finds them.',
    )
    expect(section(answer, 'Also recorded')).toContain('Buy a tug')
    expect(section(answer, 'Constraints')).toMatch(
      /Ledger backups were raised.* (\[\d\])\n- .*30 days\. \(2025-01-01, perhaps outdated by \1\)/,
    )
  })

  it('tells a record that may have outdated another one before it, even if it is left out otherwise', async () => {
    const older = await say('constraint', 'Backups of the ledger are kept for 14 days.', {
      occurred_at: '2024-01-01T00:00:00Z',
    })
    const newer = await fact('Backups of the ledger are kept for 35 days.', { occurred_at: '2024-06-01T00:00:00Z' })
    for (const what of ['soup', 'bread', 'tea']) await fact(`The canteen serves ${what}.`)
    const answer = await about()
    expect(cited(answer).slice(0, 2)).toEqual([newer, older])
    expect(section(answer, 'Constraints')).toContain('14 days. (2024-01-01, perhaps outdated by [1]) [2]')
  })

  it('tells a fact under the rule that it replaced, once a person has confirmed it', async () => {
    await say('constraint', 'The on-call rotation has five people.', { occurred_at: '2025-01-01T00:00:00Z' })
    await fact('The on-call rotation has seven people.')
    await compared()
    const { open_questions } = await about({ query: 'on-call rotation' })
    await apply(on, resolve, { question_id: open_questions[0]?.question_id, resolution: 'confirm' })
    for (const input of [{}, { query: 'on-call rotation' }]) {
      expect(section(await about(input), 'Constraints')).toContain('has seven people.')
    }
    const rule = await say('constraint', 'The canteen closes at noon.')
    await say('correction', 'The canteen closes at one.', { corrects_memory_id: rule })
    expect(section(await about({ query: 'canteen' }), 'Constraints')).toContain('closes at one.')
  })

  it('names the day on which a record ended rather than a newer record', async () => {
    const old = { occurred_at: '2024-06-01T00:00:00Z' }
    await fact('The northern harbour is dredged from 2024-09-01 until 2024-11-30: no ships there.', old)
    await fact('No ships are moored in the northern harbour: it is dredged again.')
    const told = section(await about({ query: 'northern harbour dredged' }), 'Facts')
    expect(told).toContain('(2024-06-01, perhaps outdated: ended on 2024-11-30)')
  })

  it('asks about a commitment whose day has passed, and marks one that held until a day', async () => {
    await say('commitment', 'Acme gets its own cluster by 2025-12-01.', { occurred_at: '2025-06-01T00:00:00Z' })
    await say('commitment', 'Basel gets its own cluster by 2026-12-01.', { occurred_at: '2025-06-01T00:00:00Z' })
    await say('commitment', 'The old API stays until 2025-11-30.', { occurred_at: '2025-06-01T00:00:00Z' })
    await say('commitment', 'The new API stays until 2026-11-30.', { occurred_at: '2025-06-01T00:00:00Z' })
    const lines = section(await about(), 'Commitments')
    expect(lines).toContain('Acme gets its own cluster by 2025-12-01. (2025-06-01, was due on 2025-12-01: done?)')
    expect(lines).toContain('Basel gets its own cluster by 2026-12-01. (2025-06-01, due by 2026-12-01)')
    expect(lines).toContain('The old API stays until 2025-11-30. (2025-06-01, perhaps outdated: ended on 2025-11-30)')
    expect(lines).toContain('The new API stays until 2026-11-30. (2025-06-01)')
  })

  it.each([
    ['Decisions in force', 'failed', 'failure', {}],
    ['Decisions in force', 'failed', 'failure', { query: 'solar panels on rural lockers' }],
    ['Decisions in force', 'worked in part', 'mixed', { query: 'solar panels on rural lockers' }],
    [
      'Closest record',
      'failed',
      'failure',
      { query: 'plan power off the grid, winches, ropes, anchors and sails for rural ferries' },
    ],
    ['Positioning', 'failed', 'failure', { lens: 'handoff' }],
  ])('says under %s that a decision %s (%s, %o)', async (heading, caution, outcome_status, input) => {
    const id = await decide('Solar panels on rural lockers', { decided_at: '2025-04-01T00:00:00Z' })
    const notes = 'In December 40 of 58 lockers were dark.'
    await apply(on, recordOutcome, { id, outcome_status, outcome_notes: notes })
    await decide('Paint the fence', { judgment: 'It turns blue.' })
    const answer = await about(input)
    const told = section(answer, heading) ?? ''
    expect(told).toMatch(/\*\*Solar panels on rural lockers\*\*: .* \(2025-04-01, [a-z ]+\) \[\d\]/)
    expect(told.match(/\(2025-04-01, .*\)/g)).toEqual([`(2025-04-01, ${caution})`])
    if ('query' in input) expect(section(answer, 'What failed before')).toContain(notes)
  })
})
