/** The body of each kind of record: what it holds in addition to its envelope. */
import assert from 'node:assert/strict'
import type { RecordId } from './ids.ts'

export type MemoryKind = 'fact' | 'constraint' | 'commitment' | 'correction' | 'session_outcome'

/** What may be said of any record once it is there. */
export interface AnyBody {
  /** When it was last said again (repeats; resolve: confirm). */
  confirmed_at?: string
  /** Claims of it that were superseded while it stays in force: at most 50, the newest. */
  superseded_claims?: SupersededClaim[]
}

export interface SupersededClaim {
  /** Verbatim, of that row's text. */
  claim: string
  by: RecordId
}

export interface MemoryBody extends AnyBody {
  memory_kind: MemoryKind
  /** The memory that this one corrects. */
  corrects?: RecordId
  /** Records that its writer knows to contradict it and left in force: no question is asked about the contradiction. */
  beside?: RecordId[]
}

export interface DecisionBody extends AnyBody {
  judgment: string
  /** As given: one text, or its parts. */
  context: string | DecisionContext | null
  rationale: string | null
  consequences: string | null
  decided_by: string[]
  supersession_reason: string | null
  /** `supersedes` as it was sent; left out: it names none. */
  names?: string[]
  /** A person rejected the proposal: what it, and those before it, were to supersede is let go. */
  dismissed?: true
  /** Targets named in `supersedes` that have no effect, and why. */
  void_links: { target: string; reason: 'narrower_audience' | 'would_cycle' }[]
}

export interface DecisionContext {
  summary?: string
  constraints?: string[]
  alternatives?: { title: string; why_not?: string }[]
  assumptions?: string[]
}

export interface QuestionBody extends AnyBody {
  question_id: string
  reason: Reason
  /** The first is the one whose claim is shown: of a contradiction the newer. */
  about: About[]
  claim: string
  priority: Priority
  confidence: number
  score: number
  /** The record, or the entity, that it is about, and words by which it is found. */
  subject: { kind: string; query?: string; entity_kind?: string; id?: string }
  /** null: nobody answered it. It may be closed all the same, because its records are no longer in force. */
  answer: Answer | null
  /** Of a judgment: what was answered to proposals before this one, at most 50, the newest. */
  earlier?: { claim: string; answer: Answer }[]
}

/** The rule that found it. */
export type Reason =
  | 'explicit_question'
  | 'low_confidence'
  | 'contradiction'
  | 'ambiguous_identity'
  | 'high_grade_supersession'
  | 'single_source'
  | 'loss_ledger_gap'
  | 'pending_judgment'
export type Priority = 'blocking' | 'tracking' | 'watching'
export type Resolution = 'confirm' | 'correct' | 'dismiss' | 'answer'

/** A record that a question is about, and what is asked about of it. */
export interface About {
  record: RecordId
  /** Verbatim, of the record. */
  claim: string
  /** The claim is all that the record says. */
  whole: boolean
}

export interface Answer {
  resolution: Resolution
  note: string | null
  /** The user, or `key:<id>`. */
  by: string
  at: string
  receipt: string
  /** The record that the note became. */
  made: RecordId | null
}

export interface Bodies {
  memory: MemoryBody
  decision: DecisionBody
  question: QuestionBody
  /** None is kept yet. */
  task: AnyBody
}

export type RecordBody = Bodies[keyof Bodies]

export interface Bodied {
  kind: keyof Bodies
  body: RecordBody
}

/** Of a row whose kind its caller knows. */
export function bodyOf<Kind extends keyof Bodies>(row: Bodied, kind: Kind): Bodies[Kind] {
  assert(row.kind === kind, `a row of kind ${row.kind} has no body of a ${kind}`)
  return row.body as Bodies[Kind]
}

export function memoryKindOf({ memory_kind }: Partial<MemoryBody>): MemoryKind {
  return memory_kind ?? 'fact'
}

/** It obliges whoever reads it; the other kinds tell. */
export function isBindingKind(kind: MemoryKind | undefined): kind is 'constraint' | 'commitment' {
  return kind === 'constraint' || kind === 'commitment'
}
