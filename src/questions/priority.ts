/** Priority, confidence and score of a question, by its reason and its record (docs/questions.md). */
import { isBindingKind, type MemoryBody, type QuestionBody, type Reason } from '../records/body.ts'
import type { Envelope } from '../records/record.ts'

type Scoring = Pick<QuestionBody, 'priority' | 'confidence' | 'score'>

/** `confidence`: how likely the claim shown is right. `score`: higher is asked first. */
const byReason: { readonly [reason in Reason]: Scoring } = {
  contradiction: { priority: 'blocking', confidence: 0.5, score: 0.9 },
  pending_judgment: { priority: 'tracking', confidence: 0.5, score: 0.8 },
  explicit_question: { priority: 'tracking', confidence: 0.5, score: 0.7 },
  loss_ledger_gap: { priority: 'tracking', confidence: 0.5, score: 0.66 },
  ambiguous_identity: { priority: 'tracking', confidence: 0.5, score: 0.64 },
  high_grade_supersession: { priority: 'tracking', confidence: 0.7, score: 0.6 },
  low_confidence: { priority: 'watching', confidence: 0.4, score: 0.5 },
  single_source: { priority: 'watching', confidence: 0.6, score: 0.3 },
}

/** Asked after every judgment that is younger, and apart from them (old-proposals/find.ts). */
export const oldProposalsScoring: Scoring = { priority: 'watching', confidence: 0.5, score: 0.72 }

/** Added to the score of a strategic decision, a constraint or a commitment; half of it for a significant decision. */
const bindingBonus = 0.08

/** The scores of questions about one proposal each. */
export const judgmentScores = {
  least: byReason.pending_judgment.score,
  most: byReason.pending_judgment.score + bindingBonus,
}

/** The scores that questions of a reason may have: the usual score, more for what binds, less for old proposals. */
export function scoresOf(reason: Reason): { least: number; most: number } {
  const { score } = byReason[reason]
  return { least: score - bindingBonus, most: score + bindingBonus }
}

/** The fields that the score depends on. */
export type ScoredRecord = Pick<Envelope, 'significance'> &
  ({ kind: 'memory'; body: MemoryBody } | { kind: Exclude<Envelope['kind'], 'memory'> })

export function priorityOf(reason: Reason, record: ScoredRecord): Scoring {
  const { priority, confidence, score } = byReason[reason]
  const binds = isBinding(record)
  const more = binds ? bindingBonus : record.significance === 'significant' ? bindingBonus / 2 : 0
  return { priority: binds ? raised(priority) : priority, confidence, score: Math.round((score + more) * 100) / 100 }
}

function isBinding(record: ScoredRecord): boolean {
  if (record.kind === 'memory') return isBindingKind(record.body.memory_kind)
  return record.kind === 'decision' && record.significance === 'strategic'
}

function raised(priority: Scoring['priority']): Scoring['priority'] {
  return priority === 'watching' ? 'tracking' : 'blocking'
}
