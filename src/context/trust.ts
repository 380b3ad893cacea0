/**
 * Computes how far the records behind a brief can be trusted, by the formulas of docs/trust.md. Pure functions over
 * what the caller sees.
 */
import { isAboutOldProposals, longestClaim, type OpenQuestion } from '../questions/schema.ts'
import type { MemoryKind } from '../records/body.ts'
import { cut } from '../records/title.ts'
import { answers } from '../text/scorer.ts'
import { mostTold, type Trust } from './trust-schema.ts'

export type EvidenceKind = 'decision' | MemoryKind

/** The properties of a used record that its trust depends on. */
export interface Evidence {
  id: string
  kind: EvidenceKind
  /** When it was said, decided or last confirmed, whichever is latest; ISO 8601. */
  said_at: string
  /** Number of different sources that the caller sees. */
  sources: number
  /** Whether it has sources and all of them are records of this service. */
  is_derived: boolean
  /** Set by a person's confirmation; null: never confirmed. */
  confidence: number | null
  /** How well it answers the query, 0 to 1; null: no query, or search is unavailable. */
  match: number | null
}

export interface Judged {
  evidence: readonly Evidence[]
  questions: readonly OpenQuestion[]
  /** Number of proposals that were found. */
  held: number
  /** ISO 8601. */
  now: string
}

/** Days after which freshness halves, by how long such records tend to stay true. */
export const halfLives: { readonly [kind in EvidenceKind]: number } = {
  session_outcome: 14,
  commitment: 90,
  fact: 180,
  correction: 180,
  constraint: 365,
  decision: 730,
}

/** A brief whose freshness is lower is stale; 0.25 is two half-lives. */
export const staleBelow = 0.25
/** Further sources add no confidence. */
const mostSources = 4
/** Code points of a claim in a clarification trigger. The question itself has the whole claim. */
const longestAsked = 500

/** undefined if no record was used. */
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

/** Halves with each half-life of its kind. */
export function freshnessOf({ kind, said_at }: Pick<Evidence, 'kind' | 'said_at'>, now: string): number {
  return halving(said_at, now, halfLives[kind])
}

/** 1 at `from`, and half as much after each `halfLife`, in days. Both instants are ISO 8601. */
export function halving(from: string, now: string, halfLife: number): number {
  const days = Math.max(0, Date.parse(now) - Date.parse(from)) / 86_400_000
  return 0.5 ** (days / halfLife)
}

/** The confirmed confidence, else one computed from its sources; at most the confidence of each open question on it. */
export function confidenceOf(one: Evidence, questions: readonly OpenQuestion[]): number {
  const borne = one.confidence ?? 1 - 0.5 ** (1 + witnessesOf(one))
  return Math.min(borne, ...questionsOn(one, questions).map(({ confidence }) => confidence))
}

/** Its sources; the deciders of a decision count as one more. */
function witnessesOf({ kind, sources }: Evidence): number {
  return Math.min(sources, mostSources) + (kind === 'decision' ? 1 : 0)
}

/** The mean over the records, weighted by match, and reduced if even the best match does not answer the query. */
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

/** The first category that applies. */
export function natureOf(one: Evidence, questions: readonly OpenQuestion[]): keyof Mix {
  if (questionsOn(one, questions).some(({ reason }) => reason === 'low_confidence')) return 'speculation'
  if (one.kind === 'decision' || one.kind === 'constraint') return 'decision_directive'
  return one.kind === 'session_outcome' || one.is_derived ? 'synthesis' : 'primary_observation'
}

function urgencyOf(questions: readonly OpenQuestion[], isStale: boolean): 'low' | 'medium' | 'high' {
  if (questions.some(({ priority }) => priority === 'blocking')) return 'high'
  return isStale || questions.some(({ priority }) => priority === 'tracking') ? 'medium' : 'low'
}

/** Questions to ask before acting. Questions with the priority watching can wait. */
function triggersIn(questions: readonly OpenQuestion[]): Trust['clarification_triggers'] {
  return questions
    .filter(({ priority }) => priority !== 'watching')
    .slice(0, mostTold)
    .map((question) => {
      const claim = cut(question.claim, longestAsked)
      return { question: askedOf({ ...question, claim }), confidence: question.confidence }
    })
}

/** The wording of a question for a person. */
export function askedOf({
  question_id,
  reason,
  claim,
}: Pick<OpenQuestion, 'question_id' | 'reason' | 'claim'>): string {
  // its claim is the question
  if (isAboutOldProposals({ question_id })) return claim
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

/** Rounds to thousandths: further digits are not significant. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
