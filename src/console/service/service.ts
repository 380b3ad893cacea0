/** The calls of the API that the console makes. The types are those of the service. */

import type { z } from 'zod'
import type { KeyMade, KeyResponse, keyRequest } from '../../access/keys.ts'
import type { OperatedRepository } from '../../code/operating/operated.ts'
import type {
  FindSymbolsInput,
  FindSymbolsOutput,
  ListRepositoriesOutput,
  SearchCodeInput,
  SearchCodeOutput,
  TreeOutput,
} from '../../code/reading/schema.ts'
import type { BriefInput, BriefOutput } from '../../context/brief/schema.ts'
import type { SearchOutput, SyncOutput } from '../../context/schema.ts'
import type { FindOutput } from '../../decisions/find.ts'
import type { FindInput } from '../../decisions/find-input.ts'
import type { GraphOutput } from '../../decisions/graph.ts'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import type { Readiness } from '../../http/base/api.ts'
import type { RebuildResponse } from '../../indexing/ask-rebuild.ts'
import type { MemoryShown } from '../../memories/get.ts'
import type { ListedQuestion, QuestionList } from '../../questions/list.ts'
import type { ListReceiptsOutput } from '../../receipts/list.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'
import type { OutcomeStatus } from '../../records/body.ts'
import type { ExplainPolicyInput, ExplainPolicyOutput, SubscribeInput, SubscribeOutput } from '../../runs/shown.ts'
import type { GetTaskInput, GetTaskOutput, ListTasksInput, ListTasksOutput } from '../../tasks/schema.ts'
import type { CreateTaskInput, UpdateTaskInput } from '../../tasks/write-schema.ts'
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
export type ListedTask = Tasks['items'][number]
export type Task = GetTaskOutput
export type GetTask = GetTaskInput
export type Run = NonNullable<Task['run']>
export type Policy = ExplainPolicyOutput
export type RunNews = SubscribeOutput
export type Milestone = RunNews['milestones'][number]
export type NewTask = Omit<CreateTaskInput, 'idempotency_key'>
export type TaskChange = Omit<UpdateTaskInput, 'id' | 'if_revision' | 'idempotency_key'>
export type Source = Hit['source']
export type Question = ListedQuestion
export type Questions = QuestionList
export type Receipt = ReceiptResponse
export type ChangesPage = SyncOutput
export type Change = SyncOutput['changes']['knowledge'][number]
export type Repositories = ListRepositoriesOutput
export type Repository = Repositories['items'][number]
export type Tree = TreeOutput
export type Entry = Tree['entries'][number]
export type CodeHits = SearchCodeOutput
export type CodeHit = CodeHits['items'][number]
export type Definitions = FindSymbolsOutput
export type Definition = Definitions['items'][number]
export type { OperatedRepository, Readiness }
export type Rebuild = RebuildResponse
export type Key = KeyResponse
export type NewKey = z.input<typeof keyRequest>
export type { KeyMade }
export type Receipts = ListReceiptsOutput

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

export interface RunStart {
  mode?: Run['mode']
  executor?: string
  instructions?: string
}

export interface Approval {
  /** The revision of the plan that the reader has read; 0 if there is none. */
  plan_revision: number
  note?: string
}

/** The fields may come from an address, so they may have any value: the service refuses wrong ones. */
type FromAddress<Input> = { [Field in keyof Input]?: Input[Field] | string }

/** Reads end when the signal aborts. Writes take an idempotency key (newIdempotencyKey). All throw a Refusal. */
export interface Service {
  brief(input: Partial<BriefInput>, signal: AbortSignal): Promise<Brief>
  search(input: { q?: string; as_of?: string; cursor?: string; limit?: number }, signal: AbortSignal): Promise<Hits>
  findDecisions(input: FromAddress<FindInput>, signal: AbortSignal): Promise<FoundDecisions>
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
  /** Filters may come from an address: the service refuses what they can't be. */
  tasks(
    input: { [Field in keyof ListTasksInput]?: ListTasksInput[Field] | string | string[] },
    signal: AbortSignal,
  ): Promise<Tasks>
  task(input: GetTaskInput, signal: AbortSignal): Promise<Task>
  /** Begins with the oldest change, or after the cursor. */
  changes(input: { cursor?: string | undefined; limit: number }, signal: AbortSignal): Promise<ChangesPage>
  repositories(input: { q?: string; cursor?: string; limit?: number }, signal: AbortSignal): Promise<Repositories>
  tree(
    repository: string,
    input: { path: string; depth: number; limit: number; cursor?: string },
    signal: AbortSignal,
  ): Promise<Tree>
  searchCode(input: FromAddress<SearchCodeInput>, signal: AbortSignal): Promise<CodeHits>
  findSymbols(input: FromAddress<FindSymbolsInput>, signal: AbortSignal): Promise<Definitions>
  readiness(signal: AbortSignal): Promise<Readiness>
  /** The metrics, as text for Prometheus. */
  metrics(signal: AbortSignal): Promise<string>
  rebuilds(signal: AbortSignal): Promise<{ items: Rebuild[] }>
  /** All of them, whoever may see them. */
  operatedRepositories(signal: AbortSignal): Promise<{ items: OperatedRepository[] }>
  keys(signal: AbortSignal): Promise<{ items: Key[] }>
  /** Not a write with a receipt: sent again, it makes another key. */
  createKey(input: NewKey): Promise<KeyMade>
  revokeKey(id: string): Promise<void>
  /** If a rebuild is in progress already, the answer is that one. */
  rebuild(): Promise<{ items: Rebuild[] }>
  reindexRepository(fullName: string): Promise<OperatedRepository>
  /** What a run that is started now would do. */
  policy(input: ExplainPolicyInput, signal: AbortSignal): Promise<Policy>
  /** Waits for news of the newest run. */
  runNews(input: Partial<SubscribeInput> & { id: string }, signal: AbortSignal): Promise<RunNews>
  /** Of the reader, newest first. The filters may come from an address, so they may have any value: the service refuses wrong ones. */
  receipts(
    input: { state?: string; operation?: string; batch_id?: string; limit?: number; cursor?: string },
    signal: AbortSignal,
  ): Promise<Receipts>
  receipt(id: string, signal: AbortSignal): Promise<Receipt>
  createTask(input: NewTask, key: string): Promise<Receipt>
  /** Only if the task still has this revision. */
  changeTask(id: string, input: TaskChange, revision: number, key: string): Promise<Receipt>
  comment(task: string, body: string, key: string): Promise<Receipt>
  startRun(task: string, input: RunStart, key: string): Promise<Receipt>
  approveRun(task: string, input: Approval, key: string): Promise<Receipt>
  cancelRun(task: string, input: { reason?: string }, key: string): Promise<Receipt>
  answer(input: Answer, key: string): Promise<Receipt>
  correct(input: Correction, key: string): Promise<Receipt>
  supersede(input: Supersession, key: string): Promise<Receipt>
  recordOutcome(decision: string, input: OutcomeInput, key: string): Promise<Receipt>
}

export function createService(root: string, key: string, onUnknownKey: () => void): Service {
  const { read, write, call, remove, readText, readiness } = createHttp(root, key, onUnknownKey)
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
    task: ({ id, ...input }, signal) => read('GET', `api/v2/tasks/${at(id)}`, input, signal),
    policy: ({ id, ...input }, signal) => read('GET', `api/v2/tasks/${at(id)}/policy`, input, signal),
    runNews: ({ id, ...input }, signal) => read('GET', `api/v2/tasks/${at(id)}/run/subscribe`, input, signal),
    changes: (input, signal) => read('POST', 'v1/context/sync', input, signal),
    repositories: (input, signal) => read('GET', 'api/v2/repos', input, signal),
    tree: (repository, input, signal) => read('GET', `api/v2/repos/${at(repository)}/tree`, input, signal),
    searchCode: (input, signal) => read('GET', 'api/v2/repos/search', input, signal),
    findSymbols: (input, signal) => read('GET', 'api/v2/repos/symbols', input, signal),
    readiness,
    metrics: (signal) => readText('metrics', signal),
    rebuilds: (signal) => read('GET', 'admin/reindex', {}, signal),
    operatedRepositories: (signal) => read('GET', 'admin/repositories', {}, signal),
    keys: (signal) => read('GET', 'admin/keys', {}, signal),
    createKey: (input) => call('POST', 'admin/keys', { ...input }),
    revokeKey: (id) => remove(`admin/keys/${at(id)}`),
    rebuild: () => call('POST', 'admin/reindex', {}),
    reindexRepository: (repository) => call('POST', 'admin/repositories/reindex', { repository }),
    receipts: (input, signal) => read('GET', 'v1/receipts', input, signal),
    receipt: (id, signal) => read('GET', `v1/receipts/${at(id)}`, {}, signal),
    createTask: (input, key) => write('POST', 'api/v2/tasks', input, key),
    changeTask: (id, input, revision, key) => write('PATCH', `api/v2/tasks/${at(id)}`, input, key, revision),
    comment: (task, body, key) => write('POST', `api/v2/tasks/${at(task)}/comments`, { body }, key),
    startRun: (task, input, key) => write('POST', `api/v2/tasks/${at(task)}/run`, { ...input }, key),
    approveRun: (task, input, key) => write('POST', `api/v2/tasks/${at(task)}/run/approve`, { ...input }, key),
    cancelRun: (task, input, key) => write('POST', `api/v2/tasks/${at(task)}/run/cancel`, input, key),
    answer: (input, key) => write('POST', 'v1/context/resolve', { ...input }, key),
    correct: (input, key) => write('POST', 'v1/context/memories', { kind: 'correction', ...input }, key),
    supersede: (input, key) => write('POST', 'v1/decisions', { ...input }, key),
    recordOutcome: (decision, input, key) =>
      write('PATCH', `api/v2/decisions/${at(decision)}/outcome`, { ...input }, key),
  }
}
