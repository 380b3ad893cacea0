/** One example for each call of v1. They tell one story: a team moves its deployments from Friday to Tuesday. */
import type { Example } from '../base/example.ts'

const service = 'https://precedent.example.com'
const memoryId = '0192d5a0-3c4e-7d10-9a51-0f6b2a7c8e11'
export const decisionId = '0192d5a1-77b2-7c3f-8f0a-5d3e9b1c4a22'
const olderDecisionId = '0191a7c4-10de-7b61-8c2d-3a9f4e5b6c33'
export const newerDecisionId = '0192f0b3-5d21-7a44-9c3e-7e1f2a3b4c66'
const receiptId = '0192d5a0-3b10-7e2a-b1c4-9d8e7f6a5b44'
const batchId = '5c3f0c58-7f0e-5a52-9d0c-4b7f2f1f6d55'
const questionId = 'contradiction-3f9a1c'
const cursor = 'AbQ3kz0Jp1mTq8Yw5nXrVg'

const accepted_at = '2026-03-02T09:15:00.000Z'
const updated_at = '2026-03-02T09:15:00.120Z'

const ticket = {
  type: 'ticket',
  id: 'OPS-412',
  title: 'Deployments break on weekends',
  url: 'https://tickets.example.com/OPS-412',
}
const shownTicket = { ...ticket, provenance: { class: 'external' } }
export const decisionSource = {
  type: 'decision',
  id: decisionId,
  title: 'Deploy on Tuesdays',
  url: `${service}/v1/decisions/${decisionId}`,
  provenance: { class: 'decision' },
}
export const openQuestion = {
  question_id: questionId,
  claim: 'Are deployments on Tuesday or on Friday?',
  priority: 'tracking',
  confidence: 0.6,
  reason: 'contradiction',
}

export function receiptOf(operation: string, type: string, id: string, label: string, path: string) {
  return {
    receipt_id: receiptId,
    operation,
    state: 'applied',
    accepted_at,
    updated_at,
    retryable: false,
    entity: { type, id, label, url: `${service}${path}/${id}` },
    correction: { available: true, url: `${service}${path}` },
  }
}

const fact = 'Deployments to production are on Tuesdays, never on Fridays.'
const rememberReceipt = receiptOf('context.remember', 'memory', memoryId, fact, '/v1/context/memories')

const decision = {
  title: 'Deploy on Tuesdays',
  judgment: 'We deploy to production on Tuesdays before noon, and never on Fridays.',
  context: 'Three of the last five Friday deployments had to be rolled back on a weekend.',
  decided_by: ['Ann'],
  category: 'operations',
  significance: 'significant',
}
const shownDecision = {
  id: decisionId,
  title: decision.title,
  judgment: decision.judgment,
  context: decision.context,
  decided_at: accepted_at,
  category: decision.category,
  significance: decision.significance,
  sources: [shownTicket],
  prior_positions: [{ id: olderDecisionId, title: 'Deploy on Fridays', judgment: 'We deploy on Friday afternoons.' }],
  url: `${service}/v1/decisions/${decisionId}`,
  status: 'accepted',
  in_force: true,
  revision: 1,
  recorded_at: updated_at,
  updated_at,
  external_id: 'adr-0012',
  decided_by: decision.decided_by,
  entities: [{ type: 'service', id: 'checkout', name: 'Checkout' }],
  visibility: { scope: 'workspace' },
  supersedes: [olderDecisionId],
  successors: [],
  superseded_by: [],
  superseded_claims: [],
}

const remember: Example = {
  request: { kind: 'fact', content: fact, topics: ['deployment'], sources: [ticket] },
  response: rememberReceipt,
}

const brief: Example = {
  request: { query: 'when do we deploy', limit: 5 },
  response: {
    markdown: '# When do we deploy\n\n- We deploy to production on Tuesdays before noon, and never on Fridays. [1]\n',
    generated_at: updated_at,
    citations: [decisionSource],
    conflicts: [],
    decisions: [
      { id: decisionId, title: decision.title, judgment: decision.judgment, decided_at: accepted_at, citation: 1 },
    ],
    work: [],
    open_questions: [openQuestion],
    diagnostics: { empty_corpus: false, degraded: false, failure_reasons: [], primary_relevance: 'matched' },
  },
}

const search: Example = {
  request: { q: 'when do we deploy', limit: 5 },
  response: {
    items: [{ id: decisionId, snippet: decision.judgment, source: decisionSource, title: decision.title, score: 0.83 }],
    conflicts: [],
    open_questions: [openQuestion],
  },
}

const sync: Example = {
  request: { cursor, limit: 50 },
  response: {
    cursor,
    has_more: false,
    generated_at: updated_at,
    changes: {
      knowledge: [{ id: memoryId, kind: 'fact', title: fact, changed_at: updated_at, change_type: 'upsert' }],
      decisions: [],
      work: [],
    },
  },
}

const getMemory: Example = {
  request: { id: memoryId },
  response: {
    id: memoryId,
    kind: 'fact',
    title: fact,
    content: fact,
    topics: ['deployment'],
    occurred_at: accepted_at,
    url: `${service}/v1/context/memories/${memoryId}`,
    in_force: true,
    visibility: { scope: 'workspace' },
    recorded_at: updated_at,
    updated_at,
    sources: [shownTicket],
    superseded_by: [],
    superseded_claims: [],
    corrected_by: [],
    corrects: [],
    answers: [],
  },
}

const resolve: Example = {
  request: { question_id: questionId, resolution: 'correct', note: 'Deployments are on Tuesdays before noon.' },
  response: receiptOf('context.resolve', 'decision', decisionId, decision.title, '/v1/decisions'),
}

const listQuestions: Example = {
  request: { reason: ['contradiction'], limit: 1 },
  response: {
    items: [
      {
        ...openQuestion,
        visibility: { scope: 'workspace' },
        answer_visibility: { scope: 'workspace' },
        records: [
          { kind: 'memory', id: memoryId, title: fact, occurred_at: accepted_at, claim: fact },
          {
            kind: 'decision',
            id: olderDecisionId,
            title: 'Deploy on Fridays',
            occurred_at: '2024-05-06T00:00:00.000Z',
            claim: 'We deploy on Fridays.',
          },
        ],
      },
    ],
    has_more: true,
    next_cursor: cursor,
  },
}

const searchDecisions: Example = {
  request: { q: 'when do we deploy', category: 'operations', limit: 5 },
  response: { items: [{ ...shownDecision, score: 0.83 }] },
}

const recordDecision: Example = {
  request: { ...decision, external_id: 'adr-0012', supersedes: [olderDecisionId], sources: [ticket] },
  response: receiptOf('decision.record', 'decision', decisionId, decision.title, '/v1/decisions'),
}

const importDecisions: Example = {
  request: {
    decisions: [
      { ...decision, external_id: 'adr-0012' },
      { external_id: 'adr-0013', title: 'Feature flags', judgment: 'New features start behind a flag.' },
    ],
    idempotency_key: 'import-of-2026-03-02',
  },
  response: {
    batch_id: batchId,
    receipts: ['adr-0012', 'adr-0013'].map((external_id, index) => ({
      index,
      external_id,
      receipt: {
        receipt_id: receiptId,
        operation: 'decision.import',
        state: 'accepted',
        accepted_at,
        updated_at: accepted_at,
        retryable: false,
      },
    })),
    refused: [],
  },
}

const getDecision: Example = {
  request: { id: decisionId },
  response: {
    ...shownDecision,
    supersessions: [{ id: olderDecisionId, at: accepted_at }],
    revisions: [
      {
        revision: 1,
        title: decision.title,
        judgment: decision.judgment,
        context: decision.context,
        status: 'accepted',
        decided_at: accepted_at,
        recorded_at: updated_at,
        shown: true,
      },
    ],
    void_links: [],
    outcomes: { items: [], count: 0 },
    answers: [],
  },
}

const listReceipts: Example = {
  request: { state: 'applied', limit: 1 },
  response: { items: [rememberReceipt], next_cursor: cursor },
}

const getReceipt: Example = { request: { id: receiptId, wait: 10 }, response: rememberReceipt }

export const examples = {
  brief,
  search,
  sync,
  remember,
  getMemory,
  resolve,
  listQuestions,
  searchDecisions,
  recordDecision,
  importDecisions,
  getDecision,
  listReceipts,
  getReceipt,
} as const
