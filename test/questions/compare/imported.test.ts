/** An imported decision may be about another company than a memory, so both must name the same subject in one sentence. */
import { expect, it } from 'vitest'
import { findingsOfPair } from '../../../src/questions/compare/pairs.ts'

const base = {
  status: 'accepted',
  audience: 'workspace',
  title: '',
  created_at: '2026-03-01T09:00:00.000Z',
  significance: null,
  entities: [],
  mutable: {},
}
const from = (path: string) => [{ type: 'file', provenance: { class: 'repo', path } }]
const memory = (text: string, path?: string) => {
  const sources = path === undefined ? [] : from(path)
  const body = { memory_kind: 'fact' }
  return {
    ...base,
    record_id: 'm',
    kind: 'memory',
    valid_from: '2025-11-12T09:00:00.000Z',
    text,
    sources,
    body,
  } as never
}
const decision = (judgment: string, surface: string | null, path = 'gov/cloud/adr/1.md') => {
  const more = { text: judgment, surface, sources: from(path), body: { judgment } }
  return { ...base, record_id: 'd', kind: 'decision', valid_from: '2024-11-11T09:00:00.000Z', ...more } as never
}
const reasons = (one: never, other: never) => findingsOfPair(one, other).map(({ reason }) => reason)

const dutyLogs = 'Duty logs of the crew are kept for two years and then deleted.'
const auditLogs =
  'A crew of three is on duty and deletes what is too old. For investigation, all logs need retaining for 13 months.'

it('asks nothing if only the rest of the imported decision has the other words of the subject', () => {
  expect(reasons(memory(dutyLogs), decision(auditLogs, 'adr'))).toEqual([])
  expect(reasons(memory(dutyLogs), decision(auditLogs, null))).toEqual(['contradiction'])
})

it('asks about sentences that name the same subject by two words or more', () => {
  const same = 'All duty logs are kept for five years.'
  expect(reasons(memory(dutyLogs), decision(same, 'adr'))).toEqual(['contradiction'])
})

it('asks nothing if the sentences share one word of the subject only', () => {
  const [two, five] = ['All logs are kept for two years.', 'All logs are kept for five years.']
  expect(reasons(memory(two), decision(five, 'adr'))).toEqual([])
  expect(reasons(memory(two), decision(five, null))).toEqual(['contradiction'])
})

it('treats a memory from the repository of another owner alike, and two records of one owner as usual', () => {
  const [two, five] = ['All logs are kept for two years.', 'All logs are kept for five years.']
  expect(reasons(memory(two, 'acme/web/README.md'), decision(five, null))).toEqual([])
  for (const surface of ['adr', null])
    expect(reasons(memory(two, 'gov/web/README.md'), decision(five, surface))).toEqual(['contradiction'])
})
