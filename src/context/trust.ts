/**
 * How far the records behind a brief can be trusted: pure functions over what the caller sees of them. Each figure is
 * reckoned as docs/trust.md says, which is all that this file does.
 */
import { longestClaim, type OpenQuestion } from '../questions/schema.ts'
import type { MemoryKind } from '../records/body.ts'
import { cut } from '../records/title.ts'
import { answers } from '../text/scorer.ts'
import { mostTold, type Trust } from './trust-schema.ts'

export type EvidenceKind = 'decision' | MemoryKind

/** What counts of a record that was used. */
export interface Evidence {
  id: string
  kind: EvidenceKind
  /** When it was said or decided, or confirmed since then: the latest of them; ISO 8601. */
  said_at: string
  /** Different sources that the caller sees. */
  sources: number
  /** It has sources, and all of them are records of this service. */
  is_derived: boolean
  /** As a person's confirmation left it; null: nobody said. */
  confidence: number | null
  /** How well it answers the query, 0 to 1; null: there was none, or search is away. */
  match: number | null
}

export interface Judged {
  evidence: readonly Evidence[]
  questions: readonly OpenQuestion[]
  /** Proposals that were found. */
  held: number
  /** ISO 8601. */
  now: string
}

/** Days after which what was said counts half as fresh: how long such things tend to stay true. */
export const halfLives: { readonly [kind in EvidenceKind]: number } = {
  session_outcome: 14,
  commitment: 90,
  fact: 180,
  correction: 180,
  constraint: 365,
  decision: 730,
}

/** Below it, which is two half-lives, a brief is stale. */
export const staleBelow = 0.25
/** More sources than these add nothing. */
const mostSources = 4
/** Of a claim that is asked about so much is told, in code points: the question itself has it whole. */
const longestAsked = 500

/** undefined where no record was used: there is nothing to judge. */
export function trustOf({ evidence, questions, held, now }: Judged): Trust | undefined {
  if (evidence.length === 0) return undefined
  const freshness = mean(evidence.map((one) => freshnessOf(one, now)))
  const is_stale = freshness < staleBelow
  const contradictions = contradictionsIn(questions)
  return {
    confidence: rounded(confidenceIn(evidence, questions)),
    freshness: rounded(freshness),
    is_stale,
    contradiction_count: contradictions.length,
    contradictions: contradictions.slice(0, mostTold),
    evidence_mix: mixOf(evidence, questions),
    confirmation_urgency: urgencyOf(questions, is_stale),
    clarification_triggers: triggersIn(questions),
    quarantined_held_count: held,
  }
}

/** Halves with each half-life of its kind since it was said. */
export function freshnessOf({ kind, said_at }: Pick<Evidence, 'kind' | 'said_at'>, now: string): number {
  const days = Math.max(0, Date.parse(now) - Date.parse(said_at)) / 86_400_000
  return 0.5 ** (days / halfLives[kind])
}

/** What a person confirmed, else what its sources bear; no more than the doubt of an open question leaves. */
export function confidenceOf(one: Evidence, questions: readonly OpenQuestion[]): number {
  const borne = one.confidence ?? 1 - 0.5 ** (1 + witnessesOf(one))
  return Math.min(borne, ...questionsOn(one, questions).map(({ confidence }) => confidence))
}

/** Each source, and of a decision those who took it. */
function witnessesOf({ kind, sources }: Evidence): number {
  return Math.min(sources, mostSources) + (kind === 'decision' ? 1 : 0)
}

/** The mean over the records, each by how well it matches, and less where even the best does not answer the query. */
function confidenceIn(evidence: readonly Evidence[], questions: readonly OpenQuestion[]): number {
  const weights = evidence.map(({ match }) => match ?? 1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return 0
  const weighed = evidence.reduce((sum, one, at) => sum + confidenceOf(one, questions) * (weights[at] as number), 0)
  return (weighed / total) * Math.min(1, Math.max(...weights) / answers)
}

function contradictionsIn(questions: readonly OpenQuestion[]): Trust['contradictions'] {
  return questions
    .filter(({ reason }) => reason === 'contradiction')
    .map(({ subject, question_id, claim }) => ({ fact_id: cut(subject?.id ?? question_id, 100), claim }))
}

type Mix = Required<NonNullable<Trust['evidence_mix']>>

function mixOf(evidence: readonly Evidence[], questions: readonly OpenQuestion[]): Mix {
  const counts: Mix = { primary_observation: 0, synthesis: 0, speculation: 0, decision_directive: 0 }
  for (const one of evidence) counts[natureOf(one, questions)] += 1
  const shares = Object.entries(counts).map(([nature, count]) => [nature, rounded(count / evidence.length)])
  return Object.fromEntries(shares) as Mix
}

/** The first that applies. */
export function natureOf(one: Evidence, questions: readonly OpenQuestion[]): keyof Mix {
  if (questionsOn(one, questions).some(({ reason }) => reason === 'low_confidence')) return 'speculation'
  if (one.kind === 'decision' || one.kind === 'constraint') return 'decision_directive'
  return one.kind === 'session_outcome' || one.is_derived ? 'synthesis' : 'primary_observation'
}

function urgencyOf(questions: readonly OpenQuestion[], isStale: boolean): 'low' | 'medium' | 'high' {
  if (questions.some(({ priority }) => priority === 'blocking')) return 'high'
  return isStale || questions.some(({ priority }) => priority === 'tracking') ? 'medium' : 'low'
}

/** What to ask before one acts: watching ones can wait. */
function triggersIn(questions: readonly OpenQuestion[]): Trust['clarification_triggers'] {
  return questions
    .filter(({ priority }) => priority !== 'watching')
    .slice(0, mostTold)
    .map((question) => {
      const claim = cut(question.claim, longestAsked)
      return { question: askedOf({ ...question, claim }), confidence: question.confidence }
    })
}

/** As one would put it to a person. */
export function askedOf({ reason, claim }: Pick<OpenQuestion, 'reason' | 'claim'>): string {
  const quoted = `“${claim}”`
  switch (reason) {
    case 'pending_judgment':
      return cut(`Accept or reject this proposal? ${quoted}`, longestClaim)
    case 'contradiction':
      return cut(`Which of the two holds? ${claim}`, longestClaim)
    case 'low_confidence':
      return cut(`Is this so? ${quoted}`, longestClaim)
    case 'single_source':
      return cut(`Who else can confirm this? ${quoted}`, longestClaim)
    default:
      return claim
  }
}

function questionsOn({ id }: Evidence, questions: readonly OpenQuestion[]): OpenQuestion[] {
  return questions.filter(({ subject }) => subject?.id === id)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** More digits than a thousandth say nothing. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
