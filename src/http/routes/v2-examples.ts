/** One example for each call of v2. They continue the story of the examples of v1. */
import type { Example } from '../base/example.ts'
import { enrichment } from './enrichment-example.ts'
import { decisionId, newerDecisionId, receiptOf, examples as v1 } from './v1-examples.ts'

const recordOutcome: Example = {
  request: {
    id: decisionId,
    outcome_status: 'success',
    outcome_notes: 'No deployment of the last quarter had to be rolled back.',
    observed_at: '2026-06-30T00:00:00Z',
  },
  response: receiptOf('decision.outcome', 'decision', decisionId, 'Deploy on Tuesdays', '/v1/decisions'),
}

const supersedeDecision: Example = {
  request: {
    id: decisionId,
    decision: {
      title: 'Deploy on every working day',
      judgment: 'We deploy on every working day before noon, behind feature flags.',
      decided_by: ['Ann'],
    },
    reason: 'Feature flags made a rollback unnecessary.',
  },
  response: receiptOf(
    'decision.supersede',
    'decision',
    newerDecisionId,
    'Deploy on every working day',
    '/v1/decisions',
  ),
}

const service = 'https://precedent.example.com'
const olderDecisionId = '0191a7c4-10de-7b61-8c2d-3a9f4e5b6c33'
const decided_at = '2026-03-02T09:15:00.000Z'

const node = { type: 'decision', status: 'accepted', category: 'operations', significance: 'significant' }

const decisionGraph: Example = {
  request: { root: decisionId, depth: 2, direction: 'ancestors' },
  response: {
    root: decisionId,
    nodes: [
      {
        ...node,
        id: decisionId,
        title: 'Deploy on Tuesdays',
        decided_at,
        in_force: true,
        depth: 0,
        url: `${service}/v1/decisions/${decisionId}`,
      },
      {
        ...node,
        id: olderDecisionId,
        title: 'Deploy on Fridays',
        decided_at: '2024-09-01T08:00:00.000Z',
        in_force: false,
        outcome_status: 'failure',
        depth: 1,
        url: `${service}/v1/decisions/${olderDecisionId}`,
      },
    ],
    edges: [
      {
        from: decisionId,
        to: olderDecisionId,
        type: 'supersedes',
        reason: 'Three Friday deployments had to be rolled back on a weekend.',
        at: decided_at,
      },
    ],
    truncated: false,
  },
}

const findDecisions: Example = {
  request: { category: ['operations'], in_force: true, since: '2026-01-01T00:00:00Z', limit: 20 },
  response: {
    items: [
      {
        id: decisionId,
        title: 'Deploy on Tuesdays',
        judgment: 'We deploy to production on Tuesdays before noon, and never on Fridays.',
        context: '',
        decided_at,
        category: 'operations',
        significance: 'significant',
        sources: [],
        prior_positions: [{ id: olderDecisionId, title: 'Deploy on Fridays' }],
        url: `${service}/v1/decisions/${decisionId}`,
        status: 'accepted',
        in_force: true,
        revision: 1,
        recorded_at: decided_at,
        updated_at: decided_at,
        external_id: 'adr-0012',
        decided_by: ['Ann'],
        entities: [{ type: 'service', id: 'checkout', name: 'Checkout' }],
        visibility: { scope: 'workspace' },
        supersedes: [olderDecisionId],
        successors: [],
        superseded_by: [],
        superseded_claims: [],
      },
    ],
    has_more: false,
  },
}

const taskId = '0192f0c4-6e32-7b55-8d4f-8f2a3b4c5d77'
const commentId = '0192f0c4-9a10-7c66-9e5a-1a3b4c5d6e88'
const due_at = '2026-03-13T12:00:00.000Z'
const name = 'Move the deployment job to Tuesdays'
const description = 'The job still runs on Fridays. Change its schedule, and tell the team.'

const shownTask = {
  id: taskId,
  url: `${service}/api/v2/tasks/${taskId}`,
  name,
  status: 'in_progress',
  priority: 'high',
  assignees: ['Ann'],
  project: 'delivery',
  labels: ['ci'],
  due_at,
  decision_ids: [decisionId],
  inbox_status: 'unread',
  execution: { mode: 'none' },
  visibility: { scope: 'workspace' },
  external_id: 'OPS-431',
  revision: 2,
  created_at: decided_at,
  created_by: 'ann',
  updated_at: '2026-03-03T10:00:00.000Z',
}
/** Tasks change in place: nothing corrects or supersedes one. */
function taskReceipt(operation: string, type: string, id: string, label: string) {
  const { correction: _, ...receipt } = receiptOf(operation, type, id, label, '/api/v2/tasks')
  return receipt
}

const createTask: Example = {
  request: {
    name,
    description,
    priority: 'high',
    project: 'delivery',
    labels: ['ci'],
    due_at: '2026-03-13T12:00:00Z',
    decision_ids: [decisionId],
    external_id: 'OPS-431',
  },
  response: taskReceipt('task.create', 'task', taskId, name),
}

const updateTask: Example = {
  request: { id: taskId, status: 'in_progress', assignees: ['me'] },
  response: taskReceipt('task.update', 'task', taskId, name),
}

const commentReceipt = taskReceipt('task.comment', 'comment', commentId, 'The new schedule is in review.')

const commentOnTask: Example = {
  request: { id: taskId, body: 'The new schedule is in review.' },
  response: { ...commentReceipt, entity: { type: 'comment', id: commentId, label: commentReceipt.entity.label } },
}

const listTasks: Example = {
  request: { status: ['todo', 'in_progress'], assignee: ['me'], sort: 'due', limit: 20 },
  response: { items: [shownTask], has_more: false },
}

const getTask: Example = {
  request: { id: taskId },
  response: {
    ...shownTask,
    description,
    subtasks: { items: [], count: 0 },
    comments: {
      items: [
        {
          id: commentId,
          body: 'The new schedule is in review.',
          created_at: '2026-03-03T10:00:00.000Z',
          created_by: 'ann',
        },
      ],
    },
    run: null,
    activity: {
      items: [
        {
          id: '0192f0c4-8b20-7d77-8f6b-2b4c5d6e7f99',
          type: 'change',
          at: '2026-03-03T09:00:00.000Z',
          by: 'ann',
          revision: 2,
          changes: [
            { field: 'status', from: 'todo', to: 'in_progress' },
            { field: 'assignees', to: ['Ann'] },
          ],
        },
      ],
    },
    enrichment,
  },
}

export const examples = {
  recordDecision: v1.recordDecision,
  recordOutcome,
  supersedeDecision,
  decisionGraph,
  findDecisions,
  listTasks,
  createTask,
  getTask,
  updateTask,
  commentOnTask,
} as const
