/** The calls of the API that the console makes. The types are those of the service. */
import type { BriefInput, BriefOutput } from '../../context/brief/schema.ts'
import type { SearchOutput } from '../../context/schema.ts'
import type { FindOutput } from '../../decisions/find.ts'
import type { FindInput } from '../../decisions/find-input.ts'
import type { GraphOutput } from '../../decisions/graph.ts'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import type { MemoryShown } from '../../memories/get.ts'
import type { ListedQuestion, QuestionList } from '../../questions/list.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'
import type { OutcomeStatus } from '../../records/body.ts'
import type { ListTasksInput, ListTasksOutput } from '../../tasks/schema.ts'
import { createHttp } from './http.ts'

export type Brief = BriefOutput
export type Decision = DecisionGetOutput
export type Memory = MemoryShown
export type Graph = GraphOutput
export type Hits = SearchOutput
export type Hit = SearchOutput['items'][number]
export type FoundDecisions = FindOutput
export type FoundDecision = FindOutput['items'][number]
export type Tasks = ListTasksOutput
export type Source = Hit['source']
export type Question = ListedQuestion
export type Questions = QuestionList
export type Receipt = ReceiptResponse

export interface Answer {
  question_id: string
  resolution: 'confirm' | 'correct' | 'dismiss' | 'answer'
  note?: string
  /** Who sees the note, if these are fewer than usual. */
  visibility?: Question['visibility']
}

export interface Correction {
  corrects_memory_id: string
  content: string
}

export interface Supersession {
  supersedes: string[]
  title: string
  judgment: string
  context?: string
  rationale?: string
  supersession_reason?: string
  /** Everyone who sees the older decision must see the newer one. Left out: the whole workspace may see it. */
  visibility: Decision['visibility']
}

export interface OutcomeInput {
  outcome_status: OutcomeStatus
  outcome_notes?: string
}

/** Reads end when the signal aborts. Writes take an idempotency key (newIdempotencyKey). All throw a Refusal. */
export interface Service {
  brief(input: Partial<BriefInput>, signal: AbortSignal): Promise<Brief>
  search(input: { q?: string; as_of?: string; cursor?: string; limit?: number }, signal: AbortSignal): Promise<Hits>
  /** Filters may come from an address: the service refuses what they can't be. */
  findDecisions(
    input: { [Field in keyof FindInput]?: FindInput[Field] | string },
    signal: AbortSignal,
  ): Promise<FoundDecisions>
  memory(id: string, signal: AbortSignal): Promise<Memory>
  decision(id: string, signal: AbortSignal): Promise<Decision>
  graph(root: string, depth: number, signal: AbortSignal): Promise<Graph>
  /** The open questions about this record, at most 10, best first. */
  questionsAbout(
    record: { type: 'decision' | 'memory'; id: string },
    signal: AbortSignal,
  ): Promise<Hits['open_questions']>
  questions(
    input: { reason?: readonly string[]; question_id?: string; limit?: number; cursor?: string },
    signal: AbortSignal,
  ): Promise<Questions>
  tasks(input: Partial<ListTasksInput>, signal: AbortSignal): Promise<Tasks>
  answer(input: Answer, key: string): Promise<Receipt>
  correct(input: Correction, key: string): Promise<Receipt>
  supersede(input: Supersession, key: string): Promise<Receipt>
  recordOutcome(decision: string, input: OutcomeInput, key: string): Promise<Receipt>
}

export function createService(root: string, key: string, onUnknownKey: () => void): Service {
  const { read, write } = createHttp(root, key, onUnknownKey)
  const at = encodeURIComponent
  return {
    brief: (input, signal) => read('GET', 'v1/context/brief', input, signal),
    search: (input, signal) => read('POST', 'v1/context/search', input, signal),
    findDecisions: (input, signal) => read('GET', 'api/v2/decisions/search', input, signal),
    memory: (id, signal) => read('GET', `v1/context/memories/${at(id)}`, {}, signal),
    decision: (id, signal) => read('GET', `v1/decisions/${at(id)}`, {}, signal),
    graph: (root, depth, signal) => read('GET', 'api/v2/decisions/graph', { root, depth }, signal),
    async questionsAbout(record, signal) {
      const input = { references: [record], limit: 1 }
      const { items, open_questions } = await read<Hits>('POST', 'v1/context/search', input, signal)
      // the record comes first; an invalidated one is left out, and others that name it as their source come instead
      return items[0]?.source.id === record.id ? open_questions : []
    },
    questions: (input, signal) => read('GET', 'v1/context/questions', input, signal),
    tasks: (input, signal) => read('GET', 'api/v2/tasks', input, signal),
    answer: (input, key) => write('POST', 'v1/context/resolve', { ...input }, key),
    correct: (input, key) => write('POST', 'v1/context/memories', { kind: 'correction', ...input }, key),
    supersede: (input, key) => write('POST', 'v1/decisions', { ...input }, key),
    recordOutcome: (decision, input, key) =>
      write('PATCH', `api/v2/decisions/${at(decision)}/outcome`, { ...input }, key),
  }
}
