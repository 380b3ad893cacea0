/** What a caller sees of a run (V2 4.1). */
import { z } from 'zod'
import { verdicts } from '../access/run-policy.ts'
import { runModes, runPhases, runStates } from '../records/run.ts'
import { instant, text, uuid } from '../validation/schema.ts'
import { sessionStates } from './stored/session.ts'

/** Characters of the output of a session. */
export const mostTail = 4_000
/** Sessions that are shown, the newest first. */
export const mostSessions = 20

const count = z.int().min(0)

const session = z.strictObject({
  id: z.string(),
  phase: z.enum(runPhases),
  state: z.enum(sessionStates),
  worker: z.string().describe('Tells workers apart, and means nothing else.'),
  started_at: instant,
  ended_at: instant.exactOptional(),
  exit_code: z.int().exactOptional(),
})

export const runShown = z.strictObject({
  id: uuid,
  number: z.int().min(1).describe('Of the runs of its task, from 1.'),
  state: z.enum(runStates),
  phase: z.enum(runPhases).describe('What its session does, or the next one: plan, or carry out.'),
  mode: z.enum(runModes),
  executor: z.string(),
  stale: z.boolean().describe('The task has changed since the run copied it.'),
  policy: z
    .strictObject({
      verdict: z.enum(verdicts),
      rule: z.string().nullable().describe('The rule that decided; null: the default of the policy.'),
      because: z.array(z.string()),
    })
    .describe('What the policy of the operator said.'),
  plan: z
    .strictObject({ revision: z.int().min(1), text: z.string(), steps: z.array(z.string()), at: instant })
    .exactOptional()
    .describe('The newest plan.'),
  approval: z.strictObject({ by: z.string(), at: instant, note: z.string().exactOptional() }).exactOptional(),
  approval_url: z.string().exactOptional().describe('POST to it approves the run. Only while it awaits approval.'),
  attempts: count.describe('Sessions that have begun this phase.'),
  created_at: instant,
  started_at: instant.exactOptional(),
  ended_at: instant.exactOptional(),
  expires_at: instant.exactOptional().describe('Only while it awaits approval.'),
  result: z.strictObject({ summary: z.string(), links: z.array(z.string()) }).exactOptional(),
  error: z
    .strictObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).exactOptional() })
    .exactOptional(),
  session: session
    .extend({ output_tail: z.string().describe(`The end of what it printed, at most ${mostTail} characters.`) })
    .exactOptional()
    .describe('The newest session.'),
  sessions: z.array(session).describe(`At most ${mostSessions}, the newest first.`),
  fleet: z
    .strictObject({
      workers: count.describe('Workers that have this executor now.'),
      capacity: count.describe('Sessions that they can have at once.'),
      active: count.describe('Runs with a session, of those that you may see.'),
      queued: count.describe('Runs that wait for a session, of those that you may see.'),
      position: z.int().min(1).exactOptional().describe('The place of this run among those that wait.'),
    })
    .describe('What can carry out the run. An admin sees the figures of the whole workspace.'),
})
export type RunShown = z.output<typeof runShown>

export const getRunInput = z.strictObject({ id: uuid.describe('The task.') })
export type GetRunInput = z.output<typeof getRunInput>

/** Seconds of a long poll. */
const longestWait = 30
/** Milestones of one page. */
export const mostMilestones = 200

const subscribeFields = {
  id: uuid.describe('The task.'),
  after: z
    .int()
    .min(0)
    .default(0)
    .describe('next_after of the page before: only milestones with higher numbers follow.'),
  state: z
    .enum(runStates)
    .exactOptional()
    .describe(
      'The state that you saw last: another one is answered at once. Left out: only milestones are waited for.',
    ),
  wait: z
    .int()
    .min(0)
    .max(longestWait)
    .default(0)
    .describe('Seconds to wait if there is nothing new. A stream waits as long as the run.'),
}

export const subscribeInput = z.strictObject(subscribeFields)
export type SubscribeInput = z.output<typeof subscribeInput>

export const streamRunInput = z.strictObject({
  ...subscribeFields,
  last_event_id: text(1, 20)
    .regex(/^\d+$/, 'must be the id of an event')
    .exactOptional()
    .describe('The event after which to begin.'),
})
export type StreamRunInput = z.output<typeof streamRunInput>

const milestone = z.strictObject({
  number: z.int().min(1).describe('From 1, without a gap. It never changes.'),
  at: instant,
  type: z.enum(['milestone', 'session']).describe('session: a session has started or ended.'),
  title: z.string(),
  text: z.string().exactOptional(),
  data: z.record(z.string(), z.unknown()).exactOptional(),
  session_id: z.string(),
})

export const subscribeOutput = z.strictObject({
  run_id: uuid,
  state: z.enum(runStates),
  milestones: z.array(milestone).describe(`At most ${mostMilestones}.`),
  next_after: count.describe('Send it as `after` to get the following ones.'),
  done: z.boolean().describe('The run has ended, and nothing will follow this page.'),
})
export type SubscribeOutput = z.output<typeof subscribeOutput>

export const explainPolicyInput = z.strictObject({
  id: uuid.describe('The task.'),
  mode: z.enum(runModes).exactOptional().describe('As for a run. Left out: that of the task, or auto.'),
  executor: text(1, 300).exactOptional().describe('Left out: that of the task, or the only one.'),
})
export type ExplainPolicyInput = z.output<typeof explainPolicyInput>

export const explainPolicyOutput = z.strictObject({
  mode: z.enum(runModes),
  executor: z.string(),
  verdict: z.enum(verdicts),
  rule: z.string().nullable().describe('The rule that decides; null: the default of the policy.'),
  because: z.array(z.string()),
  self_approval: z.boolean().describe('Whoever starts the run may approve it.'),
  would: z
    .enum(['start', 'plan', 'await_approval', 'be_refused'])
    .describe('What a run that is started now would do. plan: it plans, and then awaits approval.'),
})
export type ExplainPolicyOutput = z.output<typeof explainPolicyOutput>
