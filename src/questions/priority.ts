/** How much a question is worth asking: priority, confidence and score by its rule and its record (docs/questions.md). */
import { isBindingKind, type MemoryBody, type QuestionBody, type Reason } from '../records/body.ts'
import type { Envelope } from '../records/record.ts'

type Scoring = Pick<QuestionBody, 'priority' | 'confidence' | 'score'>

/** Confidence: how likely the claim that is shown holds as it stands. Score: what is asked first. */
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

/** Added where the record binds: a strategic decision, a constraint, a commitment; half of it for a significant one. */
const bindingBonus = 0.08

/** What is weighed of a record: its body tells whether a memory binds. */
type ScoredRecord = Pick<Envelope, 'significance'> &
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
