import { describe, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { resolve } from '../../../src/questions/answer/resolve.ts'
import { answered } from '../../support/answering.ts'
import { apply } from '../../support/apply.ts'
import { ask } from '../../support/ask.ts'
import { about, compared, decide, eachInItsWorld, fact, on, reads, section } from './briefs.ts'

eachInItsWorld()

describe('questions of a brief', () => {
  it('lists a rejected decision as not in force, and a proposal as a question', async () => {
    await decide('Rewrite the harbour in Rust', { status: 'rejected' })
    const proposed = await decide('Rewrite the harbour in Go', { status: 'proposed' })
    const answer = await about({ query: 'rewrite the harbour' })
    expect(section(answer, 'Decisions in force')).toBeUndefined()
    expect(section(answer, 'Not in force')).toContain('**Rewrite the harbour in Rust (rejected)**')
    expect(section(answer, 'Not in force')).not.toContain('Go')
    expect(section(answer, 'Open questions')).toContain(`\`judgment:${proposed}\``)
    expect(answer.open_questions).toMatchObject([{ question_id: `judgment:${proposed}`, reason: 'pending_judgment' }])
    expect(answer.trust).toMatchObject({ quarantined_held_count: 1, confirmation_urgency: 'medium' })
  })

  it('writes “Answered” before the answer to a question that a record asks, not “Corrected”', async () => {
    await fact('The tablet of the pilots locks after 5 minutes. Does the tablet also lock on the bridge?')
    const [question] = (await about({ query: 'tablet' })).open_questions
    await apply(on, resolve, {
      question_id: question?.question_id,
      resolution: 'answer',
      note: 'No, never on the bridge.',
    })
    const { markdown } = await about({ query: 'tablet' })
    expect(markdown).toContain('Answered: “Does the tablet also lock on the bridge?” No, never on the bridge.')
    expect(markdown).not.toContain('no longer holds')
  })

  it('without a query, cuts the names of the superseded record and its successor, keeps both days, and leaves out the reason', async () => {
    const long = (what: string) => `${what} ${'of the harbour of the north '.repeat(5)}is dredged`
    const older = await decide(long('Basin'), { decided_at: '2024-06-01T00:00:00Z' })
    await decide(long('Quay'), {
      supersedes: [older],
      supersession_reason: 'It was too shallow. '.repeat(30),
      decided_at: '2025-06-01T00:00:00Z',
    })
    expect(section(await about(), 'No longer holds')).toMatch(
      /“Basin of [^”]{20,70}…” \(2024-06-01\) was superseded by “Quay of [^”]{5,35}…” \(2025-06-01\)\. \[\d\]/,
    )
  })

  it('says that there may be more questions than it lists', async () => {
    const listed = async (input: object) => section(await about(input), 'Open questions') ?? ''
    for (let n = 1; n <= 10; n++) {
      if (n <= 4) expect(await listed({})).not.toContain('most urgent')
      expect(await listed({ query: 'moor ships' })).not.toContain('most urgent')
      await decide(`Moor ships ${n} at pier ${n}`, { status: 'proposed' })
    }
    expect(await listed({})).toContain('by its id. The 3 most urgent are listed.')
    expect((await about()).open_questions).toHaveLength(10)
  })

  it('about the id of an open question contains that question and its records, even if search is unavailable', async () => {
    const ids: string[] = []
    for (let n = 1; n <= 12; n++) ids.push(await decide(`Moor ship ${n} at pier ${n}`, { status: 'proposed' }))
    const listed = (await about()).open_questions.map(({ question_id }) => question_id)
    const last = ids.find((id) => !listed.includes(`judgment:${id}`)) as string
    const search = { ...reads.search, candidates: () => Promise.reject(new EngineUnavailable('search', 'unreachable')) }
    const answer = await ask({ ...reads, search }, brief, { query: `judgment:${last}` })
    expect(answer.open_questions.map(({ question_id }) => question_id)).toEqual([`judgment:${last}`])
    expect(answer.decisions.map(({ id }) => id)).toEqual([last])
    expect(section(answer, 'Open questions')).toContain(`\`judgment:${last}\``)
    expect(answer.diagnostics).toMatchObject({ primary_relevance: 'matched', degraded: false })
  })

  it('about the id of a question that was answered or never asked says so, and tells no records', async () => {
    const id = await decide('Moor the tug at pier 4', { status: 'proposed' })
    await answered(on, reads, { type: 'decision', id }, 'We moor the tug at pier 5.')
    for (const query of [`judgment:${id}`, 'clarification:0']) {
      const answer = await about({ query })
      expect(answer.open_questions).toEqual([])
      expect(answer.citations).toEqual([])
      expect(answer.markdown).toContain('No question with this id is open.')
    }
  })

  it('lists first, of equally urgent questions, those about the records that match best', async () => {
    const exact = await decide('Lease the northern quay to the ferry of Porto', { status: 'proposed' })
    for (let n = 0; n < 25; n++) await decide(`Boat ${n} moors at the quay`, { status: 'proposed' })
    const { open_questions } = await about({ query: 'lease the northern quay to the ferry of Porto', limit: 20 })
    expect(open_questions).toHaveLength(10)
    expect(open_questions[0]?.question_id).toBe(`judgment:${exact}`)
  })
})

describe('a contradiction in a brief', () => {
  const rest = 'on weekdays and on holidays, at the quay of the northern harbour and in each of the halls behind it'

  it('marks a question about a contradiction as urgent', async () => {
    await fact('The on-call rotation has five people.')
    const newer = await fact('The on-call rotation has seven people.')
    await compared()
    const answer = await about()
    expect(answer.trust).toMatchObject({
      contradiction_count: 1,
      contradictions: [{ fact_id: newer }],
      confirmation_urgency: 'high',
    })
    expect(section(answer, 'Open questions')).toContain('**Answer this first:** Which of the two holds?')
  })

  it('tells both statements of a contradiction if one of them has no date', async () => {
    await decide('Rotation', { judgment: `The on-call rotation has five people ${rest}.`, surface: 'adr' })
    await fact(`The on-call rotation has seven people ${rest}.`)
    await compared()
    expect(section(await about({}), 'Open questions')).toMatch(
      /“The on-call rotation has seven people .*” \(2026-01-01\), or “The on-call rotation has five people .*” \(no date\)\? \[\d\]/,
    )
  })

  it('tells both statements of a contradiction, however long they are', async () => {
    await fact(`The on-call rotation has five people ${rest}.`, { occurred_at: '2025-01-01T00:00:00Z' })
    await fact(`The on-call rotation has seven people ${rest}.`)
    await compared()
    for (const input of [{}, { query: 'on-call rotation' }]) {
      expect(section(await about(input), 'Open questions')).toMatch(
        /Which of the two holds\? “The on-call rotation has seven people .*” \(2026-01-01\), or “The on-call rotation has five people .*” \(2025-01-01\)\? \[\d\]/,
      )
    }
    expect(section(await about(), 'Open questions')?.match(/…”/g)).toHaveLength(2)
  })
})
