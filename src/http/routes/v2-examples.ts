/** One example for each call of v2. They continue the story of the examples of v1. */
import type { Example } from '../base/example.ts'
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

export const examples = {
  recordDecision: v1.recordDecision,
  recordOutcome,
  supersedeDecision,
  decisionGraph,
  findDecisions,
} as const
