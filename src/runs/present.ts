/** Presents a run as one caller sees it. Every query is limited to the caller's audiences, like that of its task. */
import type { Actor } from '../access/actor.ts'
import type { RecordId } from '../ids.ts'
import type { Documents } from '../ports/documents.ts'
import { bodyOf, type TaskMutable } from '../records/body.ts'
import { pathOfApproval } from '../records/kinds.ts'
import type { Presenting } from '../records/present/present.ts'
import type { RecordOf } from '../records/record.ts'
import type { RunMutable, TaskRun } from '../records/run.ts'
import { fleetOf } from './fleet.ts'
import { mostSessions, mostTail, type RunShown } from './shown.ts'
import { type Session, type SessionState, sessions } from './stored/session.ts'

export interface RunPresenting extends Presenting {
  documents: Documents
  actor: Pick<Actor, 'scopes'>
}

type Row<Kind extends 'run' | 'task'> = Pick<RecordOf<Kind>, 'title' | 'text' | 'body' | 'mutable' | 'created_at'>

const fields = ['kind', 'title', 'text', 'body', 'mutable', 'created_at'] as const

/** The newest run of a task that the actor sees. undefined: it never ran. */
export async function presentRun(
  task: RecordId,
  newest: TaskRun | undefined,
  presenting: RunPresenting,
): Promise<RunShown | undefined> {
  if (newest === undefined) return undefined
  const { reader, publicUrl, documents, actor } = presenting
  const rows = await reader.rows([task, newest.id], fields)
  const [copied, row] = [rows.get(task), rows.get(newest.id)]
  if (copied?.kind !== 'task' || row?.kind !== 'run') return undefined
  const { number, mode, executor } = bodyOf(row, 'run')
  const { state, phase, policy, plan, approval, started_at, ended_at, expires_at, result, error, begun } = row.mutable
  const shown = await sessionsOf(newest.id, row.mutable, presenting)
  return {
    id: newest.id,
    number,
    state,
    phase,
    mode,
    executor,
    stale: isStale(copied as Row<'task'>, row as Row<'run'>),
    policy: { verdict: policy.verdict, rule: policy.rule, because: policy.because },
    ...(plan ? { plan: { revision: plan.revision, text: plan.text, steps: plan.steps, at: plan.at } } : {}),
    ...(approval ? { approval: { by: approval.by, at: approval.at, ...given('note', approval.note) } } : {}),
    ...(state === 'awaiting_approval' ? { approval_url: publicUrl + pathOfApproval(task) } : {}),
    attempts: begun[phase],
    created_at: row.created_at,
    ...given('started_at', started_at),
    ...given('ended_at', ended_at),
    ...given('expires_at', expires_at),
    ...(result ? { result: { summary: result.summary, links: result.links } } : {}),
    ...(error ? { error: { code: error.code, message: error.message, ...given('details', error.details) } } : {}),
    ...shown,
    fleet: await fleetOf(newest.id, row, { reader, documents, isAdmin: actor.scopes.includes('admin') }),
  }
}

function given<Name extends string, Value>(name: Name, value: Value | null): { [N in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [N in Name]: Value })
}

/** Compares what the run has copied. */
function isStale(task: Row<'task'>, run: Row<'run'>): boolean {
  const { project, priority, labels, repo_full_name, decision_ids } = task.mutable
  const now = [task.title, task.text, project, priority, labels, repo_full_name, decision_ids]
  const { body } = run
  const then = [run.title, run.text, body.project, body.priority, body.labels, body.repo_full_name, body.decision_ids]
  return JSON.stringify(now) !== JSON.stringify(then) || hasOtherInstructions(task.mutable, body)
}

/** Instructions that were given when the run was started are not those of the task. */
function hasOtherInstructions({ execution }: TaskMutable, { instructions, has_own_instructions }: Row<'run'>['body']) {
  return !has_own_instructions && (execution?.instructions ?? null) !== instructions
}

const withoutOutput = ['id', 'fence', 'phase', 'state', 'worker', 'started_at', 'ended_at', 'exit_code'] as const

async function sessionsOf(run: RecordId, mutable: RunMutable, { reader, documents }: RunPresenting) {
  const { workspace, audiences } = reader
  const found = await documents.find(sessions, {
    where: { workspace, run },
    sort: [['fence', 'desc']],
    limit: mostSessions,
    fields: withoutOutput,
  })
  const shown = found.map((one) => sessionOf(one, mutable))
  const [newest] = shown
  if (newest === undefined) return { sessions: [] }
  const output = (await documents.get(sessions, newest.id, ['output'], { audience: { in: audiences } }))?.output ?? ''
  return { session: { ...newest, output_tail: tailOf(output) }, sessions: shown }
}

type SeenSession = Pick<Session, (typeof withoutOutput)[number]>

function sessionOf(session: SeenSession, run: Pick<RunMutable, 'state' | 'fence'>) {
  const { id, phase, worker, started_at, ended_at, exit_code } = session
  const state = stateOf(session, run)
  const ended = { ...given('ended_at', ended_at), ...given('exit_code', exit_code) }
  return { id, phase, state, worker, started_at, ...ended }
}

/**
 * A worker that was lost can't store the end of its session, and one that was cancelled stores it later. So the run says
 * what became of a session that seems to be running.
 */
function stateOf(session: Pick<Session, 'state' | 'fence'>, run: Pick<RunMutable, 'state' | 'fence'>): SessionState {
  if (session.state !== 'running') return session.state
  // newer than the run was when it was read
  if (session.fence > run.fence) return 'running'
  if (session.fence < run.fence) return 'lost'
  return ofNewest[run.state]
}

/** The state of a session with the fence of its run, by the state of the run. */
const ofNewest: Record<RunMutable['state'], SessionState> = {
  planning: 'running',
  running: 'running',
  // its plan was taken
  queued: 'succeeded',
  awaiting_approval: 'succeeded',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'lost',
}

/** Without half of a character at its beginning. */
function tailOf(output: string): string {
  return output.slice(-mostTail).replace(/^[\udc00-\udfff]/, '')
}
