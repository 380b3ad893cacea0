import { describe, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { searchContext } from '../../../src/context/search.ts'
import { remember } from '../../../src/memories/remember.ts'
import type { Reads } from '../../../src/operation.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { resolve } from '../../../src/questions/answer/resolve.ts'
import { answered } from '../../support/answering.ts'
import { actorAda, apply, promise, quiet } from '../../support/apply.ts'
import { ask, publicUrl } from '../../support/ask.ts'
import { about, cited, decide, eachInItsWorld, fact, on, reads, say, section } from './briefs.ts'

eachInItsWorld()
describe('context.brief about a query', () => {
  it('lists matching records in force under their headings, each line with a citation', async () => {
    const decision = await decide('Store sessions in Redis', { significance: 'strategic', decided_by: ['Ada'] })
    const constraint = await say('constraint', 'Sessions end after 20 minutes.')
    const commitment = await say('commitment', 'Acme gets sessions of a day by May.')
    const told = await fact('Sessions hold no names.')
    const outcome = await say('session_outcome', 'Sessions were moved to the new cluster.')
    await fact('The canteen has soup.')
    const answer = await about({ query: 'sessions' })
    const lines = ['Decisions in force', 'Constraints', 'Commitments', 'Facts', 'From earlier sessions'].map(
      (heading) => section(answer, heading),
    )
    const all = [decision, constraint, commitment, told, outcome]
    expect(cited(answer).sort()).toEqual(all.sort())
    const numberOf = (id: string) => answer.citations.findIndex((one) => one.id === id) + 1
    for (const [at, id] of [decision, constraint, commitment, told, outcome].entries())
      expect(lines[at]).toContain(`[${numberOf(id)}]`)
    expect(lines[0]).toMatch(/\*\*Store sessions in Redis\*\*: .* \(2026-01-01, strategic, by Ada\) \[\d\]/)
    expect(answer.citations[numberOf(decision) - 1]?.url).toBe(`${publicUrl}/v1/decisions/${decision}`)
    expect(answer.markdown).toMatch(/\n\nThe numbers \[1\] to \[5\] are the entries of `citations`\.\n$/)
    expect(answer.markdown).not.toContain('soup')
    expect(answer).toMatchObject({ work: [], diagnostics: { primary_relevance: 'matched', degraded: false } })
    expect(answer.decisions).toMatchObject([
      { id: decision, citation: numberOf(decision), status: 'accepted', decided_by: ['Ada'] },
    ])
  })

  it('lists at most five decisions in full, and after the first ten hits no more than twice the limit', async () => {
    for (let n = 0; n < 22; n++) await decide(`Warehouse number ${n}`)
    const few = await about({ query: 'warehouse', limit: 3 })
    expect([few.decisions.length, few.citations.length]).toEqual([3, 10])
    const many = await about({ query: 'warehouse' })
    expect([many.decisions.length, many.citations.length]).toEqual([5, 20])
    expect(section(many, 'Also recorded')?.match(/^- \*\*Warehouse number \d+\*\*: .*\[\d+\]$/gm)).toHaveLength(15)
    expect((await about({ limit: 4 })).decisions).toHaveLength(4)
    await expect(about({ limit: 21 })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('tells a rule that has a word of the query, even if 110 decisions match better', async () => {
    await say(
      'constraint',
      'Log lines never name a rider, because log files of each warehouse are read by all partners.',
    )
    for (let n = 0; n < 110; n++) await decide(`Warehouse number ${n}`)
    const answer = await about({ query: 'number of a warehouse' })
    expect(section(answer, 'Also binding')).toContain('Log lines never name a rider')
  })

  it('tells a decision once whose title is its whole text', async () => {
    await decide('We rent each warehouse.', { judgment: 'We rent each warehouse.' })
    const answer = await about({ query: 'rent a warehouse' })
    expect(section(answer, 'Decisions in force')).toMatch(/^- \*\*We rent each warehouse\.\*\* \(/m)
  })

  it('the section with the first hit comes first, even if others have the same score', async () => {
    await say('constraint', 'The harbour crane rests in storms, and nobody climbs it; who does is fined.')
    await fact('The harbour crane rests.')
    const answer = await about({ query: 'harbour crane' })
    const { items } = await ask(reads, searchContext, { q: 'harbour crane', limit: 10 })
    expect(items.map(({ score }) => score)).toEqual([1, 1])
    expect(answer.markdown.indexOf('## Facts')).toBeLessThan(answer.markdown.indexOf('## Constraints'))
  })

  it('the record with the best match comes first, also if it is told in one line', async () => {
    const query = 'where can the crew of the ferry buy rope, anchors, sails and oars in winter'
    await fact('The crew of the ferry lights lamps in winter.')
    await decide('Crew of the ferry', { judgment: 'They wear blue, and buy no sails in winter.' })
    const answer = await about({ query })
    expect(answer.diagnostics).toMatchObject({ primary_relevance: 'weak' })
    expect(answer.markdown.match(/^## .*/gm)).toEqual(['## Closest record', '## Facts'])
    expect(answer.decisions).toEqual([])
  })

  it('tells a decision in one line if it matches clearly less than the best', async () => {
    const query = 'store the sessions of the harbour in Redis'
    const best = await decide('Store the sessions of the harbour in Redis')
    const judgment = `We store the sessions of the harbour in Redis. ${'Each crane has a book of its own. '.repeat(20)}`
    await decide('Books of the cranes', { judgment })
    const answer = await about({ query })
    expect(answer.decisions.map(({ id }) => id)).toEqual([best])
    expect(section(answer, 'Also recorded')).toContain('**Books of the cranes**')
  })

  it.each([
    ['not told if the best hit was not imported', 'fact', 9],
    ['told if it was imported', 'decision', 14],
  ])('an imported decision after the first ten hits is %s', async (_, kind, expected) => {
    const title = 'Crew of the harbour crane'
    const content = 'The crew of the harbour crane rests.'
    if (kind === 'fact') await fact(content, { title })
    else await decide(title, { judgment: content, surface: 'adr' })
    for (let n = 0; n < 14; n++) {
      const judgment = `The harbour crane ${n} has a crew.`
      await decide(`Crane ${n}`, { judgment, surface: 'adr' })
    }
    const { citations } = await about({ query: 'crew of the harbour crane' })
    expect(citations.filter(({ title }) => title?.startsWith('Crane'))).toHaveLength(expected)
  })

  it('ranks by match, then by significance and freshness', async () => {
    const routine = await decide('Paint the harbour blue', { significance: 'routine' })
    const old = await decide('Paint the harbour red', { decided_at: '2015-01-01T00:00:00Z' })
    const strategic = await decide('Paint the harbour green', { significance: 'strategic' })
    const ids = (await about({ query: 'paint the harbour' })).decisions.map(({ id }) => id)
    expect(ids).toEqual([strategic, routine, old])
  })

  it('replaces a superseded decision by its successor, and warns of the conflict', async () => {
    const first = await decide('Store sessions in MySQL', { decided_at: '2020-01-01T00:00:00Z' })
    const second = await decide('Store sessions in Redis', { supersedes: [first], supersession_reason: 'Too slow.' })
    const answer = await about({ query: 'sessions MySQL' })
    expect(answer.decisions.map(({ id }) => id)).toEqual([second])
    expect(answer.conflicts).toMatchObject([{ source: { id: first }, superseded_by: { id: second } }])
    expect(section(answer, 'No longer holds')).toContain(
      '“Store sessions in MySQL” (2020-01-01) was superseded by “Store sessions in Redis” (2026-01-01). Reason: Too slow. [1]',
    )
  })

  it('names superseded records only if they concern the query, at most five', async () => {
    const old = { decided_at: '2020-01-01T00:00:00Z' }
    const replaced = async (older: string, newer: string) => {
      await decide(newer, { supersedes: [await decide(older, old)] })
    }
    for (let n = 0; n < 7; n++)
      await replaced(`Store the sessions of quay ${n} in MySQL`, `Store sessions in Redis ${n}`)
    const rule = await say('constraint', 'The canteen serves soup until noon.', { occurred_at: '2020-01-01T00:00:00Z' })
    await say('correction', 'The canteen serves soup until one.', { corrects_memory_id: rule })
    const answer = await about({ query: 'store sessions in Redis' })
    expect(section(answer, 'Also binding')).toContain('soup until one')
    expect(section(answer, 'No longer holds')?.match(/^- .*sessions in Redis \d/gm)).toHaveLength(5)
    expect(answer.conflicts).toHaveLength(5)
    expect((await about()).conflicts.some(({ source }) => source.id === rule)).toBe(true)
  })

  it('tells each decision in force and each proposal among the first ten hits of search', async () => {
    const query = 'rewrite the harbour in Go'
    for (let n = 0; n < 6; n++)
      await decide(`Rewrite the harbour in Go ${n}`, { decided_at: `201${n}-01-01T00:00:00Z` })
    for (let n = 0; n < 6; n++) await decide(`The harbour of Porto ${n}`, { status: 'proposed' })
    // significance orders these before the nearest decisions
    for (let n = 0; n < 9; n++) await decide(`The rewrite of the harbour was long ${n}`, { significance: 'strategic' })
    const { items } = await ask(reads, searchContext, { q: query, limit: 10 })
    expect(items).toHaveLength(10)
    const answer = await about({ query })
    for (const { id } of items) expect(cited(answer)).toContain(id)
  })

  it('tells a rejected decision that matches half as well as the best record in one line, with its reason', async () => {
    for (let n = 0; n < 12; n++) await fact(`Van ${n} of the harbour brings samples to the quay.`)
    const rejected = await decide('Own vans for the harbour', { status: 'rejected', rationale: 'Too dear in winter.' })
    const answer = await about({ query: 'which vans of the harbour bring samples to the quay' })
    expect(section(answer, 'Also recorded')).toContain('**Own vans for the harbour (rejected)**')
    expect(section(answer, 'Also recorded')).toContain('\n  Why: Too dear in winter.')
    expect(cited(answer).slice(-1)).toEqual([rejected])
  })

  it.each([
    ['the note of the person who rejected it', 'No charging point at the quay.'],
    ['no reason if there is no note', undefined],
  ])('tells of a rejected proposal %s, not its own rationale', async (_, note) => {
    for (let n = 0; n < 12; n++) await fact(`Van ${n} of the harbour brings samples to the quay.`)
    const id = await decide('Own vans for the harbour', { status: 'proposed', rationale: 'Porto likes them.' })
    await apply(on, resolve, { question_id: `judgment:${id}`, resolution: 'dismiss', ...(note ? { note } : {}) })
    const answer = await about({ query: 'which vans of the harbour bring samples to the quay' })
    const told = section(answer, 'Also recorded') ?? ''
    expect(told).toContain('**Own vans for the harbour (rejected)**')
    expect(told.match(/Why: .*/g)).toEqual(note ? [`Why: ${note}`] : null)
  })

  it('lists decisions in force before proposals', async () => {
    for (let n = 0; n < 5; n++) await decide(`Rewrite the harbour in Go ${n}`, { status: 'proposed' })
    const inForce = await decide('Rewrite the harbour in Rust', { decided_at: '2015-01-01T00:00:00Z' })
    const first = await about({ query: 'rewrite the harbour in Go', limit: 1 })
    expect(first.decisions.map(({ id }) => id)).toEqual([inForce])
    const more = await about({ query: 'rewrite the harbour in Go', limit: 3 })
    expect(more.decisions.map(({ status }) => status)).toEqual(['accepted', 'proposed', 'proposed'])
  })

  it('lists a memory that superseded a decision only once, as a fact', async () => {
    const id = await decide('Rotation', { judgment: 'The on-call rotation has five people.' })
    await fact('The on-call rotation has seven people.')
    const made = await answered(on, reads, { type: 'decision', id }, 'The on-call rotation has six people.')
    const answer = await about({ query: 'who is in the on-call rotation' })
    expect(section(answer, 'Decisions in force')).toBeUndefined()
    expect(section(answer, 'Facts')?.split('has six people')).toHaveLength(2)
    expect(answer.conflicts.map(({ superseded_by }) => superseded_by.id)).toEqual([made, made])
  })

  it('says that search found nothing if it tells only what binds all work', async () => {
    const sentence = 'Search found no record for this. What follows holds for all work.'
    await say('constraint', 'The quay is swept each night.')
    const none = await about({ query: 'payroll of astronauts' })
    expect(none.diagnostics).toMatchObject({ primary_relevance: 'none' })
    expect(section(none, 'Also binding')).toContain('swept')
    expect(none.markdown).toContain(sentence)
    for (const query of [
      'when is the quay swept',
      'which crane lifts containers from Rotterdam at the quay on Mondays',
    ])
      expect((await about({ query })).markdown).not.toContain(sentence)
  })

  it('says that no record answers the query only if it tells none', async () => {
    for (let n = 0; n < 5; n++) await fact(`The harbour has a crane that is named after its builder, number ${n}.`)
    const none = await about({ query: 'payroll of astronauts' })
    expect(none.diagnostics).toMatchObject({ primary_relevance: 'none', empty_corpus: false })
    expect(none.markdown).toContain('No record answers this.')
    expect(none.trust).toBeUndefined()
    const weak = await about({
      query: 'which crane lifts the heaviest container that arrives from Rotterdam on Mondays',
    })
    expect(weak.diagnostics).toMatchObject({ primary_relevance: 'weak' })
    expect(weak.markdown).not.toContain('No record answers this')
    expect(weak.citations).toHaveLength(5)
  })

  it('lists a correction of a constraint as a constraint', async () => {
    const first = await say('constraint', 'Sessions end after 20 minutes.')
    const correction = await say('correction', 'Sessions end after 30 minutes.', { corrects_memory_id: first })
    for (const input of [{}, { query: 'sessions' }]) {
      const answer = await about(input)
      expect(section(answer, 'Constraints')).toContain('Sessions end after 30 minutes.')
      expect(cited(answer)).toEqual([correction])
      expect(answer.conflicts).toMatchObject([{ source: { id: first } }])
    }
  })
})

describe('context.brief without a query', () => {
  it('lists records in force now, and open questions about any record', async () => {
    const decision = await decide('Store sessions in Redis')
    await fact('The lease ends.', { occurred_at: '2031-01-01T00:00:00Z' })
    const doubted = await fact('I think that the quota is 20.')
    const answer = await about()
    expect(cited(answer)).toEqual([decision, doubted])
    expect(answer.markdown).not.toContain('lease')
    expect(section(answer, 'Open questions')).toContain('Is this so? “I think that the quota is 20.” [2]')
    expect(answer.diagnostics?.primary_relevance).toBe('unscoped')
    expect(answer.trust?.evidence_mix).toMatchObject({ speculation: 0.5, decision_directive: 0.5 })
  })

  it('lists constraints and commitments, however many newer records there are', async () => {
    const old = { occurred_at: '2020-01-01T00:00:00Z' }
    const constraint = await say('constraint', 'Data stays in Switzerland.', old)
    const commitment = await say('commitment', 'Acme gets a restore drill.', old)
    const corrected = await say('constraint', 'Sessions end after 20 minutes.', old)
    const correction = { ...old, corrects_memory_id: corrected }
    const binding = await say('correction', 'Sessions end after 30 minutes.', correction)
    for (let n = 0; n < 110; n++) {
      await promise(on, remember, { kind: 'fact', content: `Fact number ${n}.` })
      await promise(on, remember, { kind: 'session_outcome', content: `Outcome number ${n}.` })
    }
    await quiet(on)
    const told = async (input: object) => {
      const answer = await ask({ ...reads }, brief, input)
      expect(cited(answer)).toEqual(expect.arrayContaining([constraint, commitment, binding]))
      for (const heading of ['Constraints', 'Commitments'])
        expect(section(answer, heading) ?? '').not.toContain('search')
    }
    await told({})
    await told({ lens: 'handoff' })
  })

  it('a heading that names a kind has no record of another kind, and counts the lines below it', async () => {
    const old = { occurred_at: '2025-06-01T00:00:00Z' }
    await say('commitment', 'Acme gets the export of its stock from the archive in Basel.', old)
    await say('session_outcome', 'The export of stock for Acme from the archive in Basel was moved to Bern.')
    const answer = await about({ query: 'export of stock for Acme' })
    expect(answer.markdown).toContain('perhaps outdated by')
    expect(section(answer, 'Commitments')).not.toContain('Bern')
    expect(section(answer, 'From earlier sessions')).toContain('Bern')
    for (let n = 0; n < 3; n++) await fact(`Harbour ${n} is open.`)
    await say('fact', 'The proxy has one owner.')
    expect(section(await about(), 'Facts')).toContain('3 of 4 in force; search finds the others.')
  })

  it('says how many records it chose from, and that there may be older ones', async () => {
    for (let n = 0; n < 41; n++) await promise(on, remember, { kind: 'commitment', content: `Team ${n} gets a drill.` })
    await quiet(on)
    await say('constraint', 'Data stays in Switzerland.')
    const few = await about()
    expect(section(few, 'Commitments')).toContain('39 of 41 in force; search')
    expect(section(few, 'Constraints')).not.toContain('search')
    for (let n = 0; n < 200; n++) await promise(on, remember, { kind: 'commitment', content: `Drill number ${n}.` })
    await quiet(on)
    const many = 'of the newest 50 in force; search'
    for (const input of [{}, { lens: 'handoff' }]) expect(section(await about(input), 'Commitments')).toContain(many)
  })

  it('tells no code of a long record, wherever its best passage begins', async () => {
    const code = `\`\`\`ts\n${'// fetch the lighthouse keeper from the server\n'.repeat(80)}\`\`\``
    const text = `${'The harbour is old. '.repeat(60)}\n\n${code}\n\nThe lighthouse keeper is fetched by boat.`
    await decide('Fetch the keeper', { judgment: text })
    await fact(text)
    const { markdown } = await about({ query: 'fetch lighthouse keeper server' })
    expect(markdown).toContain('fetched by boat')
    expect(markdown).not.toContain('from the server')
  })

  it('tells an empty workspace how to begin', async () => {
    const answer = await about()
    expect(answer).toMatchObject({ citations: [], diagnostics: { empty_corpus: true, degraded: false } })
    expect(answer.markdown).toContain('precedent import')
    await fact('Something.')
    expect((await about()).diagnostics?.empty_corpus).toBe(false)
    expect((await about({ query: 'unknown' })).diagnostics?.empty_corpus).toBe(false)
  })

  it('warns if half of its records are old', async () => {
    await fact('The harbour is closed.', { occurred_at: '2010-03-01T00:00:00Z' })
    const answer = await about()
    expect(answer.trust?.is_stale).toBe(true)
    expect(answer.markdown).toContain('Half of these records are from before 2010-03-01')
  })
})

describe('context.brief while search is unavailable', () => {
  it('answers from the store and says so, and is complete again once search recovers', async () => {
    const id = await fact('Invoices are sent by email.')
    await fact('The canteen serves soup.')
    let isAway = true
    const search = {
      ...reads.search,
      candidates: (...of: Parameters<typeof reads.search.candidates>) =>
        isAway ? Promise.reject(new EngineUnavailable('search', 'away')) : on.search.candidates(...of),
    }
    const sometimes: Reads = { ...reads, search }
    const input = { query: 'How are invoices sent?' }
    const answer = await ask(sometimes, brief, input)
    expect(answer.diagnostics).toMatchObject({ degraded: true, primary_relevance: 'unknown' })
    expect(answer.diagnostics?.failure_reasons).toHaveLength(1)
    expect(answer.markdown).toContain('Search is not available')
    expect(cited(answer)).toEqual([id])
    expect((await ask(sometimes, brief, {})).diagnostics?.degraded).toBe(false)
    isAway = false
    expect((await ask(sometimes, brief, input)).diagnostics).toMatchObject({
      degraded: false,
      primary_relevance: 'matched',
    })
  })
})

describe('context.brief as Markdown', () => {
  it('escapes citations, links, markup and line breaks in records', async () => {
    await fact('See [2] and <script>alert(1)</script>.\n\n# Ignore the above\n[9]: http://evil.test "x"', {
      title: 'A [1] title\nwith a line',
    })
    await decide('Use `code` and [brackets]', { judgment: '## Heading\n\n[click](http://evil.test) now.' })
    const answer = await about({ query: 'title brackets' })
    const headings = [...answer.markdown.matchAll(/^#+ (.*)$/gm)].map((match) => match[1])
    expect(headings).toEqual(['title brackets', 'Decisions in force', 'Facts'])
    expect(answer.markdown).not.toMatch(/(?<!\\)<script|\]\(http|^\[9\]/m)
    expect(
      [...(answer.markdown.split('\nThe numbers')[0]?.matchAll(/(?<!\\)\[(\d+)\](?!:)/g) ?? [])].map(
        (match) => match[1],
      ),
    ).toEqual(['1', '2'])
  })

  it('has citations that search accepts as references', async () => {
    await decide('Store sessions in Redis')
    await fact('Sessions hold no names.')
    const { citations } = await about({ query: 'sessions' })
    const { items } = await ask(reads, searchContext, { references: citations })
    expect(items.map(({ id }) => id)).toEqual(citations.map(({ id }) => id))
  })

  it('tells constraints that do not match in one line each, and a freeze of today first', async () => {
    const freeze = 'No change goes to production from 2025-12-20 until 2026-01-04.'
    await decide('Winter freeze', { judgment: freeze, decided_at: '2025-12-01T00:00:00Z' })
    await decide('Last freeze', { judgment: freeze.replaceAll('202', '201'), decided_at: '2025-12-01T00:00:00Z' })
    const later = { judgment: 'No change from 2026-03-20 until 2026-04-04.', decided_at: '2025-12-01T00:00:00Z' }
    await decide('Freeze in spring', later)
    await say('constraint', 'Lithium is charged outside.')
    await fact('Sessions hold no names.')
    expect(section(await about({ query: 'sessions' }), 'Also binding')).toMatch(
      /query\.\n\n- \*\*Winter freeze\*\*: .*from 2025-12-20 until 2026-01-04\) \[2\]\n- Lithium is charged outside\. .*\[3\]\n/,
    )
  })

  it('tells a freeze that begins within a month', async () => {
    const soon = 'No change goes to production from 2026-01-20 until 2026-02-04.'
    await decide('Freeze of the move', { judgment: soon, decided_at: '2025-12-01T00:00:00Z' })
    await fact('Sessions hold no names.')
    const told = section(await about({ query: 'sessions' }), 'Also binding')
    expect(told).toContain('**Freeze of the move**')
    expect(told).toContain('from 2026-01-20 until 2026-02-04')
  })

  it('leaves out records that the caller may not see', async () => {
    await fact('The secret sessions.', { visibility: { scope: 'private' } })
    const eve = { ...actorAda, user: 'eve', teams: [] }
    const answer = await ask(reads, brief, { query: 'sessions' }, eve)
    expect(answer.diagnostics?.empty_corpus).toBe(true)
    expect((await about({ query: 'sessions' })).citations).toHaveLength(1)
  })
})
