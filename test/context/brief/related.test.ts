import { describe, expect, it } from 'vitest'
import { recordDecision } from '../../../src/decisions/record.ts'
import { apply } from '../../support/apply.ts'
import { about, cited, eachInItsWorld, fact, on, say, section } from './briefs.ts'

eachInItsWorld()

const ofQuery = () => about({ query: 'how many devices do the gates have' })
const related = (answer: Awaited<ReturnType<typeof about>>) => section(answer, 'Related') ?? ''

describe('records with words of what the query found', () => {
  it('include a newer one that shares a word with the older record, but not with the query', async () => {
    const rented = 'We rent 600 Zellion Z4 handhelds for the gates; they go back to the lender each autumn.'
    const older = await fact(rented, { occurred_at: '2020-01-01T00:00:00Z' })
    await fact('The canteen of the gates serves soup.', { occurred_at: '2021-01-01T00:00:00Z' })
    const newer = await fact('All handhelds of Zellion were sold, 820 sleds are used instead.')
    expect(cited(await ofQuery())).toEqual(expect.arrayContaining([older, newer]))
  })

  it('are told under a heading of their own, older ones too, and no others', async () => {
    const older = await fact('Zellion repairs within nine days.', { occurred_at: '2019-01-01T00:00:00Z' })
    await fact('The gates have 600 handhelds of Zellion.')
    await fact('Bananas arrive on Mondays.')
    const answer = await ofQuery()
    expect(related(answer)).toMatch(
      /\n\nThey have words of the records that are told.*\n\n- Zellion repairs within nine days/,
    )
    expect(cited(answer)).toContain(older)
    expect(answer.markdown).not.toContain('Bananas')
  })

  it('that bind count among the 25 rules that are told at least', async () => {
    await say('constraint', 'Zellion repairs only in Basel.', { occurred_at: '2019-01-01T00:00:00Z' })
    await fact('The gates have 600 handhelds of Zellion.')
    for (let n = 0; n < 26; n++) await say('constraint', `Rule ${n}: nobody eats banana number ${n}.`)
    const answer = await ofQuery()
    expect(related(answer).match(/^- .*/gm)).toEqual([expect.stringContaining('Zellion repairs only in Basel')])
    expect(section(answer, 'Also binding')?.match(/^- .*/gm)).toHaveLength(24)
  })

  it('are none that share only a number, or a word of many subjects', async () => {
    await fact('The gates have 30 handhelds of Zellion for 7 days.')
    await fact('Load number 30 arrived at pier 7.')
    await fact('The canteen is closed for two days.')
    const { markdown } = await ofQuery()
    expect(markdown).toContain('30 handhelds')
    expect(markdown).not.toContain('## Related')
  })

  it('are at most twelve, those with the most and the rarest words first', async () => {
    await fact('The gates have handhelds of Zellion, in green cases.')
    for (let n = 0; n < 20; n++) await fact(`Case number ${n} of the archive is green.`)
    await fact('Zellion handhelds come in pairs.')
    const lines = related(await ofQuery()).match(/^- .*$/gm) ?? []
    expect(lines).toHaveLength(12)
    expect(lines[0]).toContain('Zellion handhelds come in pairs')
  })

  it('of equally related ones, those that are newer come first', async () => {
    await fact('The gates have handhelds of Zellion.')
    for (const year of [2015, 2024, 2019]) {
      await fact(`Zellion repaired ${year} crates.`, { occurred_at: `${year}-01-01T00:00:00Z` })
    }
    const lines = related(await ofQuery()).match(/repaired \d+/g)
    expect(lines).toEqual(['repaired 2024', 'repaired 2019', 'repaired 2015'])
  })

  const decide = (title: string, more: object = {}) =>
    apply(on, recordDecision, { title, judgment: `Zellion repairs ${title}.`, surface: 'adr', ...more })

  it('are no imported decisions if the best match is none', async () => {
    await fact('The gates have handhelds of Zellion.')
    await fact('Zellion repairs handhelds.')
    await decide('crates', { decided_at: '2015-01-01T00:00:00Z' })
    expect(related(await ofQuery()).match(/Zellion repairs \w+/g)).toEqual(['Zellion repairs handhelds'])
  })

  it('of equally related ones, imported ones whose files tell no date come last', async () => {
    await decide('handhelds of the gates')
    await decide('crates')
    await decide('sleds', { decided_at: '2015-01-01T00:00:00Z' })
    await fact('Zellion repairs handhelds.', { occurred_at: '2010-01-01T00:00:00Z' })
    const lines = related(await ofQuery()).match(/Zellion repairs \w+/g)
    expect(lines?.at(-1)).toBe('Zellion repairs crates')
    expect(lines).toHaveLength(3)
  })

  it('are not searched with the words of a hit that matches far less than the best one', async () => {
    await fact('The gates have devices: so many devices that each of the gates has devices of its own.')
    await fact('A crate of melons and lemons stood where the old winch of the gates was mended by the crew.')
    await fact('Melons, lemons and a winch.')
    const { markdown } = await ofQuery()
    expect(markdown).toContain('A crate of melons')
    expect(markdown).not.toContain('Melons, lemons and a winch')
  })

  it('are none if the query finds nothing', async () => {
    await fact('Zellion repairs within nine days.')
    const { citations } = await ofQuery()
    expect(citations).toEqual([])
  })
})
