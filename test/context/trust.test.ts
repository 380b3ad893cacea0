import { describe, expect, it } from 'vitest'
import {
  askedOf,
  confidenceOf,
  type Evidence,
  freshnessOf,
  halfLives,
  type Judged,
  natureOf,
  trustOf,
} from '../../src/context/trust.ts'
import type { OpenQuestion } from '../../src/questions/schema.ts'

const now = '2026-07-01T00:00:00.000Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()

let made = 0
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  id: `record-${++made}`,
  kind: 'fact',
  said_at: now,
  sources: 0,
  is_derived: false,
  confidence: null,
  match: null,
  ...more,
})
const question = (more: Partial<OpenQuestion> = {}): OpenQuestion => ({
  question_id: `clarification:${++made}`,
  claim: 'The office is in Bern.',
  priority: 'watching',
  confidence: 0.4,
  ...more,
})
const trust = (judged: Partial<Judged>) => trustOf({ evidence: [], questions: [], held: 0, now, ...judged })

describe('confidence', () => {
  it('grows with each source that a record has, up to four', () => {
    const of = (sources: number) => confidenceOf(evidence({ sources }), [])
    expect([0, 1, 2, 4, 9].map(of)).toEqual([0.5, 0.75, 0.875, 0.96875, 0.96875])
  })

  it('counts the deciders of a decision as one more source', () => {
    expect(confidenceOf(evidence({ kind: 'decision' }), [])).toBe(0.75)
    expect(confidenceOf(evidence({ kind: 'decision', sources: 1 }), [])).toBe(0.875)
  })

  it('is the value that a person confirmed', () => {
    expect(confidenceOf(evidence({ confidence: 0.7, sources: 4 }), [])).toBe(0.7)
  })

  it('is at most the confidence of an open question on the record', () => {
    const one = evidence({ sources: 2 })
    const on = (id: string, confidence: number) => question({ confidence, subject: { kind: 'memory', id } })
    expect(confidenceOf(one, [on(one.id, 0.4), on(one.id, 0.6)])).toBe(0.4)
    expect(confidenceOf(one, [on('another', 0.1)])).toBe(0.875)
  })

  it('weights records by their match', () => {
    const records = [evidence({ match: 0.9, sources: 1 }), evidence({ match: 0.3 })]
    // (0.9 × 0.75 + 0.3 × 0.5) / 1.2
    expect(trust({ evidence: records })?.confidence).toBe(0.688)
  })

  it('is lower if even the best match does not answer the query', () => {
    expect(trust({ evidence: [evidence({ match: 0.5, sources: 1 })] })?.confidence).toBe(0.75)
    expect(trust({ evidence: [evidence({ match: 0.2, sources: 1 })] })?.confidence).toBe(0.3)
    expect(trust({ evidence: [evidence({ match: 0 })] })?.confidence).toBe(0)
  })
})

describe('freshness', () => {
  it.each(Object.entries(halfLives))('of a %s halves in %i days', (kind, days) => {
    const of = (age: number) => freshnessOf({ kind: kind as Evidence['kind'], said_at: daysAgo(age) }, now)
    expect(of(0)).toBe(1)
    expect(of(days)).toBeCloseTo(0.5)
    expect(of(2 * days)).toBeCloseTo(0.25)
  })

  it('is 1 for a record slightly in the future of this clock', () => {
    expect(freshnessOf({ kind: 'fact', said_at: daysAgo(-1) }, now)).toBe(1)
  })

  it('is the mean over the records, and below 0.25 the brief is stale', () => {
    const fresh = evidence()
    const old = evidence({ said_at: daysAgo(4 * 180) })
    expect(trust({ evidence: [fresh, old] })).toMatchObject({ freshness: 0.531, is_stale: false })
    expect(trust({ evidence: [old] })).toMatchObject({ freshness: 0.063, is_stale: true })
    expect(trust({ evidence: [evidence({ said_at: daysAgo(360) })] })).toMatchObject({
      freshness: 0.25,
      is_stale: false,
    })
  })
})

describe('contradictions', () => {
  it('lists the open questions of that reason, each with the newer record', () => {
    const contradicted = question({
      reason: 'contradiction',
      claim: '“Bern” or “Basel”?',
      subject: { kind: 'memory', id: 'the-newer' },
    })
    const found = trust({ evidence: [evidence()], questions: [contradicted, question({ reason: 'low_confidence' })] })
    expect(found?.contradiction_count).toBe(1)
    expect(found?.contradictions).toEqual([{ fact_id: 'the-newer', claim: '“Bern” or “Basel”?' }])
  })
})

describe('evidence_mix', () => {
  it.each([
    [{ kind: 'fact' }, 'primary_observation'],
    [{ kind: 'correction' }, 'primary_observation'],
    [{ kind: 'commitment' }, 'primary_observation'],
    [{ kind: 'fact', is_derived: true }, 'synthesis'],
    [{ kind: 'session_outcome' }, 'synthesis'],
    [{ kind: 'decision' }, 'decision_directive'],
    [{ kind: 'constraint' }, 'decision_directive'],
  ] as const)('counts %o as %s', (more, nature) => {
    expect(natureOf(evidence(more), [])).toBe(nature)
  })

  it('counts a record that its writer doubts as speculation, whatever its kind', () => {
    const one = evidence({ kind: 'constraint' })
    const doubt = question({ reason: 'low_confidence', subject: { kind: 'memory', id: one.id } })
    expect(natureOf(one, [doubt])).toBe('speculation')
    expect(natureOf(one, [{ ...doubt, reason: 'single_source' }])).toBe('decision_directive')
  })

  it('gives shares of the records', () => {
    const records = [evidence(), evidence({ kind: 'decision' }), evidence({ kind: 'decision' }), evidence()]
    expect(trust({ evidence: records })?.evidence_mix).toEqual({
      primary_observation: 0.5,
      synthesis: 0,
      speculation: 0,
      decision_directive: 0.5,
    })
  })
})

describe('confirmation_urgency', () => {
  const old = evidence({ said_at: daysAgo(3650) })
  it.each([
    ['low', [evidence()], []],
    ['low', [evidence()], [question({ priority: 'watching' })]],
    ['medium', [evidence()], [question({ priority: 'tracking' })]],
    ['medium', [old], []],
    ['high', [old], [question({ priority: 'tracking' }), question({ priority: 'blocking' })]],
  ] as const)('is %s', (urgency, records, questions) => {
    expect(trust({ evidence: records, questions })?.confirmation_urgency).toBe(urgency)
  })
})

describe('clarification_triggers', () => {
  it('lists the questions that cannot wait, worded for a person', () => {
    const questions = [
      question({ reason: 'pending_judgment', claim: 'Use Rust', priority: 'tracking', confidence: 0.5 }),
      question({ reason: 'low_confidence', claim: 'I think it is 20.', priority: 'watching' }),
      question({ reason: 'explicit_question', claim: 'Who signs?', priority: 'blocking', confidence: 0.5 }),
    ]
    expect(trust({ evidence: [evidence()], questions })?.clarification_triggers).toEqual([
      { question: 'Accept or reject this proposal? “Use Rust”', confidence: 0.5 },
      { question: 'Who signs?', confidence: 0.5 },
    ])
  })

  it('asks of old proposals what their question asks, because an answer does not accept them', () => {
    const claim = '8 proposals of docs/adr are older than half a year: still open?'
    const asked = askedOf({ question_id: 'clarification:proposals-5e40-77c2', reason: 'pending_judgment', claim })
    expect(asked).toBe(claim)
  })

  it('stays within the bounds of the specification for a long claim', () => {
    for (const reason of ['pending_judgment', 'contradiction', 'low_confidence', 'single_source'] as const) {
      expect(
        [...askedOf({ question_id: 'clarification:1', reason, claim: 'x'.repeat(2000) })].length,
      ).toBeLessThanOrEqual(2000)
    }
  })
})

it('quarantined_held_count is the number of proposals that wait for a judgment', () => {
  expect(trust({ evidence: [evidence()], held: 3 })?.quarantined_held_count).toBe(3)
})

it('a brief that used no record has no trust', () => {
  expect(trust({ questions: [question({ priority: 'blocking' })], held: 2 })).toBeUndefined()
})
