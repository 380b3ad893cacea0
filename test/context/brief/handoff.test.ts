import { describe, expect, it } from 'vitest'
import { about, cited, decide, eachInItsWorld, fact, say, section } from './briefs.ts'

eachInItsWorld()

describe('context.brief for a handoff', () => {
  it('with a query also tells what search found and no heading fits', async () => {
    const found = await fact('Ticket HV-3312 is closed.')
    const answer = await about({ query: 'HV-3312', lens: 'handoff' })
    expect(section(answer, 'Also recorded')).toContain('HV-3312')
    expect(cited(answer)).toEqual([found])
  })

  const headings = ['Responsibilities', 'Commitments', 'Positioning', 'Relationships', 'Unresolved decisions']

  it('has five headings, each line with a citation', async () => {
    const owner = await fact('Ada Byrne owns the ingress controllers.')
    const commitment = await say('commitment', 'Acme gets its own cluster by May.')
    const position = await decide('Be the cheapest in the region', { category: 'strategy', decided_by: ['Tom'] })
    const relation = await fact('Our vendor contact at Acme is Jo Lind.')
    const proposed = await decide('Open an office in Basel', { status: 'proposed' })
    const lunch = await fact('Lunch is at noon.')
    for (const input of [{}, { query: 'Acme ingress region office Basel' }]) {
      const answer = await about({ ...input, lens: 'handoff' })
      expect(answer.lens).toBe('handoff')
      const found = [...answer.markdown.matchAll(/^## (.*)$/gm)].map((match) => match[1])
      expect(found.slice(0, 5)).toEqual(headings)
      const ids = cited(answer)
      expect(new Set(ids)).toEqual(new Set([owner, commitment, position, relation, proposed]))
      expect(ids).not.toContain(lunch)
      const expected = [owner, commitment, position, relation, proposed]
      for (const [at, heading] of headings.entries()) {
        expect(section(answer, heading)).toContain(`[${ids.indexOf(expected[at]) + 1}]`)
      }
      expect(section(answer, 'Responsibilities')).toContain('**Tom** decided “Be the cheapest in the region”')
    }
  })

  it('tells what a session left to do even if it is perhaps outdated, and the newer record elsewhere', async () => {
    const left = 'The pump of the western dock leaks at the seal of its bronze flange. Left: a seal is missing.'
    await say('session_outcome', left, { occurred_at: '2025-01-01T00:00:00Z' })
    const since = 'The pump of the western dock got a seal of rubber for its bronze flange, and leaks no longer.'
    await fact(since, { occurred_at: '2025-10-01T00:00:00Z' })
    const answer = await about({ lens: 'handoff' })
    expect(section(answer, 'Unresolved decisions')).toContain(`- ${left} (2025-01-01, perhaps outdated by [`)
    expect(section(answer, 'Unresolved decisions')).not.toContain(since)
    expect(section(answer, 'Also recorded')).toContain(since)
  })

  it('names under Responsibilities who owns something, not a thing that is its own', async () => {
    await fact('Ada Byrne owns the ingress controllers, and we own the gates.')
    await fact('Partners of the harbour have their own tier.')
    const answer = await about({ lens: 'handoff' })
    expect(section(answer, 'Responsibilities')?.match(/^- .*/gm)).toEqual([expect.stringContaining('Ada Byrne')])
  })

  it('tells the best decisions, whatever their heading', async () => {
    const routine = { category: 'strategy', significance: 'routine' }
    for (const what of ['tugs', 'barges', 'cranes', 'ropes', 'buoys']) await decide(`Sell ${what}`, routine)
    await decide('Sell to yachts', { category: 'sales', significance: 'strategic' })
    expect(section(await about({ lens: 'handoff' }), 'Relationships')).toContain('Sell to yachts')
  })

  it('names persons who decided the same in one line', async () => {
    const category = 'strategy'
    await decide('Be the cheapest in the region', { category, decided_by: ['Tom', 'Ada', ...'BCDEFG'] })
    await decide('Sell to schools', { category, decided_by: ['Uma'] })
    await decide('Sell to yachts', { category, decided_by: ['Vera'], status: 'proposed' })
    const lines = section(await about({ lens: 'handoff' }), 'Responsibilities')?.match(/^- .*$/gm)
    expect(lines?.map((line) => line.replace(/\[\d]/, '[n]'))).toEqual([
      '- **Ada**, **B**, **C**, **D**, **E**, **F** and 2 more decided “Be the cheapest in the region” [n]',
      '- **Uma** decided “Sell to schools” [n]',
    ])
  })

  it('says under each heading without records that there are none', async () => {
    await fact('Lunch is at noon.')
    const answer = await about({ lens: 'handoff' })
    for (const heading of headings) expect(section(answer, heading)).toContain('Nothing is recorded.')
  })
})
