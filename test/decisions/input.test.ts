import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decisionImportItem, decisionInput } from '../../src/decisions/input.ts'
import type { Issue, Problem } from '../../src/problem.ts'
import { codePoints, instant, text, uri } from '../../src/validation/schema.ts'
import { validated } from '../../src/validation/validated.ts'

const least = { title: 'Use one file', judgment: 'We keep everything in one file.' }

function issuesOf(input: unknown): Issue[] {
  try {
    validated(decisionInput, input)
    return []
  } catch (error) {
    return (error as Problem).details?.issues as Issue[]
  }
}

describe('decision input', () => {
  it('fills in defaults', () => {
    expect(validated(decisionInput, least)).toEqual({
      ...least,
      status: 'accepted',
      decided_by: [],
      entities: [],
      sources: [],
      supersedes: [],
    })
    expect(validated(decisionInput, { ...least, sources: [{ type: 'adr' }] }).sources).toEqual([
      { type: 'adr', provenance: { class: 'external' } },
    ])
  })

  it('names an unknown field at any depth', () => {
    expect(issuesOf({ ...least, decidedAt: 'x' })).toEqual([expect.objectContaining({ path: 'decidedAt' })])
    expect(issuesOf({ ...least, context: { summary: 'a', risks: [] } })).toEqual([
      expect.objectContaining({ path: 'context.risks' }),
    ])
    expect(issuesOf({ ...least, sources: [{ type: 'adr', path: 'x' }] })[0]?.path).toBe('sources[0].path')
  })

  it('counts code points, not UTF-16 units', () => {
    expect(issuesOf({ ...least, title: '🎉'.repeat(300) })).toEqual([])
    expect(issuesOf({ ...least, title: '🎉'.repeat(301) })[0]?.path).toBe('title')
    expect(codePoints('a🎉b')).toBe(3)
    expect(text(2, 3).safeParse('🎉').success).toBe(false)
  })

  it('refuses a lone surrogate', () => {
    expect(issuesOf({ ...least, judgment: 'a\ud800b' })[0]?.path).toBe('judgment')
  })

  it('stores an instant with milliseconds and refuses days that are not in the calendar', () => {
    expect(instant.parse('2024-02-29T10:00:00Z')).toBe('2024-02-29T10:00:00.000Z')
    expect(instant.parse('2024-02-29T10:00:00.123456Z')).toBe('2024-02-29T10:00:00.123Z')
    for (const wrong of [
      '2023-02-29T10:00:00Z',
      '2024-01-01',
      '2024-01-01T10:00:00+01:00',
      '2024-01-01T24:00:00Z',
      '',
    ]) {
      expect(instant.safeParse(wrong).success, wrong).toBe(false)
    }
  })

  it('stores urls in ASCII and refuses a value that is not an absolute URI', () => {
    expect(uri.parse('https://example.org/Käse')).toBe('https://example.org/K%C3%A4se')
    for (const wrong of ['', '/path', 'http://a b', 'https://x.org/<script>', 'x']) {
      expect(uri.safeParse(wrong).success, wrong).toBe(false)
    }
  })

  it('stores the id of a superseded decision in lower case and an external_id unchanged', () => {
    const id = 'ABCDEF00-0000-7000-8000-000000000000'
    expect(validated(decisionInput, { ...least, supersedes: [id, 'Team/A'] }).supersedes).toEqual([
      id.toLowerCase(),
      'Team/A',
    ])
  })

  it('requires an external_id for each decision of a batch', () => {
    expect(decisionImportItem.safeParse(least).success).toBe(false)
    expect(decisionImportItem.safeParse({ ...least, external_id: 'a/b.md' }).success).toBe(true)
  })

  it('is converted to JSON Schema with its bounds', () => {
    const described = z.toJSONSchema(decisionInput, { io: 'input' })
    expect(described.required).toEqual(['title', 'judgment'])
    expect(described.properties?.title).toMatchObject({ minLength: 1, maxLength: 300 })
    expect(described.properties?.decided_at).toMatchObject({ format: 'date-time' })
  })
})
