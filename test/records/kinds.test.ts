import { describe, expect, it } from 'vitest'
import { allRoutes } from '../../src/http/routes.ts'
import { isKind, kinds, knowledgeKinds, pathOf } from '../../src/records/kinds.ts'

const calls = allRoutes.map(({ method, path }) => `${method} ${path}`)

describe.each(Object.entries(kinds))('records of kind %s', (_, { path, isReplaceable, isKnowledge, isIndexed }) => {
  it('are read at their path, and replaced there if they can be', () => {
    if (path === null) return expect(isReplaceable).toBe(false)
    expect(calls).toContain(`GET ${path}/:id`)
    if (isReplaceable) expect(calls).toContain(`POST ${path}`)
  })

  it('are in the search index if they answer searches', () => {
    if (isKnowledge) expect(isIndexed).toBe(true)
  })
})

describe('kinds', () => {
  it('of knowledge are memory and decision', () => {
    expect(knowledgeKinds).toEqual(['memory', 'decision'])
  })

  it('do not include names that every object has, such as toString', () => {
    expect(['memory', 'toString', 'page'].map(isKind)).toEqual([true, false, false])
  })

  it('have a path only if their records have a url', () => {
    expect([pathOf('decision', 'x'), pathOf('question', 'x')]).toEqual(['/v1/decisions/x', undefined])
  })
})
