/** The largest valid inputs of each route. No bound of a body may refuse them. */

/** A character of four bytes in UTF-8, and of twelve if it is escaped. */
const widest = '😀'
export const most = (characters: number, begin = '') => begin + widest.repeat(characters - begin.length)
export const many = <T>(make: (at: number) => T, count = 50): T[] => Array.from({ length: count }, (_, at) => make(at))

/** A host of 253 characters, which is stored as 264, and a path in ASCII. */
const url = `https://${widest.repeat(253)}/`.padEnd(253 + 2 * 253 + 1_475, 'x')
const instant = `2026-01-31T09:30:00.${'1'.repeat(29)}Z`

export const source = (at: number) => ({
  type: most(100),
  id: most(300, String(at)),
  title: most(500),
  url,
  occurred_at: instant,
  provenance: { class: 'repo', path: most(1_000) },
})

const uuid = '0190a8f0-7c3a-7cc1-9b3e-6c0f1d2e3a4b'

export const search = {
  q: most(2_000),
  query: most(2_000),
  references: many(source),
  limit: 50,
  as_of: instant,
  cursor: 'A'.repeat(4_096),
}

export const decisionSearch = {
  q: most(2_000),
  ids: many(() => uuid),
  limit: 50,
  threshold: 0.123_456_789_012_345,
  category: 'architecture',
  significance: 'significant',
  surface: 'supervisor_decision',
  entity_type: most(100),
  since: instant,
  cursor: 'A'.repeat(4_096),
}

export const sync = { cursor: 'A'.repeat(4_096), limit: 200 }

export const memory = {
  kind: 'correction',
  content: most(200_000),
  idempotency_key: most(200),
  title: most(300),
  topics: many((at) => most(100, String(at)), 30),
  occurred_at: instant,
  visibility: { scope: 'team', team_id: uuid },
  sources: many(source),
  corrects_memory_id: uuid,
}

export const answer = { question_id: most(200), resolution: 'dismiss', note: most(20_000), idempotency_key: most(200) }

const short = { type: 't', id: 'i', title: 't', url: 'a:b', occurred_at: instant }

/** All lists are full. Texts in them are short, because all texts of a decision together are limited. */
export const decision = (externalId: string, judgment = 'j') => ({
  external_id: externalId,
  title: most(300),
  judgment,
  context: {
    summary: 's',
    constraints: many(() => 'c'),
    alternatives: many(() => ({ title: 't', why_not: 'w' })),
    assumptions: many(() => 'a'),
  },
  rationale: 'r',
  consequences: 'c',
  decided_at: instant,
  decided_by: many(() => 'd'),
  status: 'accepted',
  category: 'architecture',
  significance: 'significant',
  surface: 'supervisor_decision',
  entities: many((at) => ({ type: 't', id: String(at), name: 'n' })),
  sources: many((at) => ({ ...short, id: String(at), provenance: { class: 'repo', path: 'p' } })),
  supersedes: many((at) => `older ${at}`),
  supersession_reason: most(2_000),
  visibility: { scope: 'workspace' },
})

export const key = {
  name: most(150),
  scopes: ['context:read', 'context:write', 'tasks:read', 'tasks:write', 'tasks:run', 'repos:read', 'admin'],
  user: '𝒜'.repeat(200),
  teams: many(() => uuid),
  workspace: most(100),
  expires_at: `2030-01-31T09:30:00.${'1'.repeat(29)}Z`,
}

/** JSON with each character of each text and name escaped: the longest way to write it. */
export function escaped(value: unknown): string {
  return JSON.stringify(value).replace(/"[^"]*"/g, (text) => {
    const units = Array.from({ length: text.length - 2 }, (_, at) => text.charCodeAt(at + 1))
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
  })
}
