/**
 * What each kind of record holds in addition to its envelope: a body, which never changes, and mutable fields. They are
 * apart, so that a change does not write the long texts of the body into the journal again (PROTOCOL 2).
 */
import type { RecordId } from '../ids.ts'
import type { RunBody, RunMode, RunMutable, TaskRun } from './run.ts'
import type { InboxStatus, TaskPriority, TaskStatus } from './task-values.ts'

export type MemoryKind = 'fact' | 'constraint' | 'commitment' | 'correction' | 'session_outcome'

/** Fields that a record of any kind may gain. A change stores all mutable fields of the row. */
export interface AnyMutable {
  /** When it was last reaffirmed: written again, or confirmed by an answer. */
  confirmed_at?: string
  /** Its claims that were superseded while the record stays in force: the newest 50. */
  superseded_claims?: SupersededClaim[]
}

export interface SupersededClaim {
  /** Verbatim from the text of the row. */
  claim: string
  by: RecordId
  /** When it ceased to hold, ISO 8601. Claims that were superseded before this field was added lack it. */
  since?: string
}

export interface MemoryBody {
  memory_kind: MemoryKind
  /** The memory that this one corrects. */
  corrects?: RecordId
  /** Records that its writer knows to contradict it and left in force: no question is asked about the contradiction. */
  beside?: RecordId[]
}

export interface DecisionBody {
  judgment: string
  /** As sent: one text, or its parts. */
  context: string | DecisionContext | null
  rationale: string | null
  consequences: string | null
  decided_by: string[]
  supersession_reason: string | null
  /** `supersedes` as it was sent. Absent if it names none. */
  names?: string[]
}

export const outcomeStatuses = ['success', 'failure', 'mixed'] as const
export type OutcomeStatus = (typeof outcomeStatuses)[number]

export interface DecisionMutable extends AnyMutable {
  /** The leading outcome: the one observed last, of equals the one accepted last. Only the current revision holds it. */
  outcome?: LeadingOutcome
  /** A person rejected the proposal: it and the proposals before it no longer supersede anything. */
  dismissed?: true
  /** Targets named in `supersedes` that have no effect, and why. */
  void_links?: VoidLink[]
}

export interface LeadingOutcome {
  /** The record of the outcome, which holds its notes whole. */
  id: RecordId
  status: OutcomeStatus
  /** Cut. */
  notes: string | null
  observed_at: string
  /** orderOfAcceptance of its receipt. */
  accepted: string
  content_hash: string
  /** Of all outcomes. */
  count: number
}

/**
 * How a decision worked out. Its text holds the notes, and valid_from is when it was observed. Its row copies what filters
 * look at from the current revision of the decision, and follows its changes (deciding/facets.ts).
 */
export interface OutcomeBody {
  /** It is about all revisions. */
  decision: RecordId
  outcome_status: OutcomeStatus
}

export interface OutcomeMutable extends AnyMutable {
  /** Of the current revision of the decision. */
  decided_by: string[]
  /** valid_from of the current revision of the decision. */
  decided_at: string
}

export interface VoidLink {
  target: string
  reason: 'narrower_audience' | 'would_cycle'
}

export interface DecisionContext {
  summary?: string
  constraints?: string[]
  alternatives?: { title: string; why_not?: string }[]
  assumptions?: string[]
}

/** Changes only if the question is asked again, because the records may have another wording then. */
export interface QuestionBody {
  question_id: string
  reason: Reason
  /** The claim of the first is the one shown. For a contradiction that is the newer one. */
  about: About[]
  claim: string
  priority: Priority
  confidence: number
  score: number
  /** The record or the entity that the question is about, and words that find it. */
  subject: { kind: string; query?: string; entity_kind?: string; id?: string }
}

export interface QuestionMutable extends AnyMutable {
  /** The records that it names, and those that it named before its last change: projection changes their links. */
  records: RecordId[]
  /** null: not answered. Even then it may be closed, because its records are no longer in force. */
  answer: Answer | null
  /** The answers before it was asked again, as about a new proposal: the newest 50. */
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

/** A record that a question is about, and the claim in question. */
export interface About {
  record: RecordId
  /** Verbatim from the record. */
  claim: string
  /** The record says nothing but the claim. */
  whole: boolean
}

/** The records that have a link to the question. */
export function recordsNamedBy({ about }: Pick<QuestionBody, 'about'>): RecordId[] {
  return about.map(({ record }) => record)
}

export interface Answer {
  resolution: Resolution
  note: string | null
  /** The user, or `key:<id>`. */
  by: string
  at: string
  receipt: string
  /** The record that was made from the note. */
  made: RecordId | null
  /** The question that it was given to, if it closed this one because both ask the same. */
  given_to?: Pick<QuestionBody, 'question_id' | 'reason' | 'claim'>
}

/** Everything of a task can change. Its title is its name, and its text its description. */
export type TaskBody = Record<string, never>

export interface TaskMutable extends AnyMutable {
  status: TaskStatus
  priority: TaskPriority
  assignees: string[]
  project: string | null
  labels: string[]
  start_at: string | null
  due_at: string | null
  /** Everyone who sees the task sees its parent. */
  parent_id: RecordId | null
  repo_full_name: string | null
  /** Everyone who sees the task sees these decisions. */
  decision_ids: RecordId[]
  inbox_status: InboxStatus
  /** Absent: mode none. */
  execution?: Execution
  /** The newest run. Only runs change it. Absent: it never ran. */
  run?: TaskRun
  /** The run that set the status last, or that has started since it was set. Only that run may change the status. */
  status_by?: RecordId
}

/** How the task is run. */
export interface Execution {
  mode: 'none' | RunMode
  executor?: string
  instructions?: string
}

export interface Bodies {
  memory: MemoryBody
  decision: DecisionBody
  question: QuestionBody
  task: TaskBody
  outcome: OutcomeBody
  run: RunBody
}

export interface Mutables {
  memory: AnyMutable
  decision: DecisionMutable
  question: QuestionMutable
  task: TaskMutable
  outcome: OutcomeMutable
  run: RunMutable & AnyMutable
}

export type RecordBody = Bodies[keyof Bodies]

export interface Bodied {
  kind: keyof Bodies
  body: RecordBody
}

/** The body of a row whose kind the caller knows. */
export function bodyOf<Kind extends keyof Bodies>(row: Bodied, kind: Kind): Bodies[Kind] {
  if (row.kind !== kind) throw new Error(`a row of kind ${row.kind} has no body of a ${kind}`)
  return row.body as Bodies[Kind]
}

export function memoryKindOf({ memory_kind }: Partial<MemoryBody>): MemoryKind {
  return memory_kind ?? 'fact'
}

/** The report of a session. */
export function isReport(row: Bodied): boolean {
  return row.kind === 'memory' && bodyOf(row, 'memory').memory_kind === 'session_outcome'
}

/** Binding kinds oblige their readers; the other kinds only inform. */
export function isBindingKind(kind: MemoryKind | undefined): kind is 'constraint' | 'commitment' {
  return kind === 'constraint' || kind === 'commitment'
}
