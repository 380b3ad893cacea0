/** One example for each call of runs. They continue the story of the examples of v2. */
import type { Example } from '../base/example.ts'
import { receiptOf } from './v1-examples.ts'

const taskId = '0192f0c4-6e32-7b55-8d4f-8f2a3b4c5d77'
const runId = '0192f0c5-1c40-7e88-9a7c-3c5d6e7f8a11'
const service = 'https://precedent.example.com'

const session = {
  id: `${runId}-1`,
  phase: 'plan',
  state: 'succeeded',
  worker: '0192f0c0-0a00-7f99-8b1d-4d6e7f8a9b22',
  started_at: '2026-03-03T10:00:02.000Z',
  ended_at: '2026-03-03T10:01:40.000Z',
  exit_code: 0,
}

const policy = {
  verdict: 'require_approval',
  rule: null,
  because: ['no rule fits, so the default of the policy decides'],
}

export const shownRun = {
  id: runId,
  number: 1,
  state: 'awaiting_approval',
  phase: 'plan',
  mode: 'auto',
  executor: 'coder',
  stale: false,
  policy,
  plan: {
    revision: 1,
    text: 'Change the schedule of the job, and announce it in the channel of the team.',
    steps: ['Change the cron expression', 'Post a message'],
    at: '2026-03-03T10:01:39.000Z',
  },
  approval_url: `${service}/api/v2/tasks/${taskId}/run/approve`,
  attempts: 1,
  created_at: '2026-03-03T10:00:00.000Z',
  started_at: '2026-03-03T10:00:02.000Z',
  expires_at: '2026-03-10T10:01:39.000Z',
  session: { ...session, output_tail: 'read .github/workflows/deploy.yml\n' },
  sessions: [session],
  fleet: { workers: 2, capacity: 4, active: 1, queued: 0 },
}

const getRun: Example = { request: { id: taskId }, response: shownRun }

const subscribeRun: Example = {
  request: { id: taskId, after: 1, state: 'planning', wait: 20 },
  response: {
    run_id: runId,
    state: 'awaiting_approval',
    milestones: [
      {
        number: 2,
        at: '2026-03-03T10:00:31.000Z',
        type: 'milestone',
        title: 'Found the schedule of the job',
        text: 'It is in .github/workflows/deploy.yml.',
        data: { files: 1 },
        session_id: `${runId}-1`,
      },
    ],
    next_after: 2,
    done: false,
  },
}

/** Nothing replaces a run. */
function runReceipt(operation: string) {
  const { correction: _, ...receipt } = receiptOf(operation, 'run', runId, 'Move the deployment job to Tuesdays', '')
  return { ...receipt, entity: { ...receipt.entity, url: `${service}/api/v2/tasks/${taskId}/run` } }
}

const startRun: Example = {
  request: { id: taskId, mode: 'auto', executor: 'coder', instructions: 'Touch nothing but the schedule.' },
  response: runReceipt('task.run'),
}

const approveRun: Example = {
  request: { id: taskId, plan_revision: 1, note: 'Post the message before noon.' },
  response: runReceipt('task.approve'),
}

const cancelRun: Example = {
  request: { id: taskId, reason: 'The job is deleted next week.' },
  response: runReceipt('task.cancel'),
}

const streamRun: Example = { request: { id: taskId, after: 1 } }

const explainPolicy: Example = {
  request: { id: taskId, mode: 'auto' },
  response: { mode: 'auto', executor: 'coder', ...policy, self_approval: false, would: 'plan' },
}

export const examples = { startRun, getRun, approveRun, cancelRun, subscribeRun, streamRun, explainPolicy } as const
