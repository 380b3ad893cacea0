import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { operatorJsonSchema, policyPriorities } from '../../config/operator/schema.ts'
import { taskPriorities } from '../../src/records/task-values.ts'
import { repository } from '../support/repository.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const published = JSON.parse(read('config/operator-file.schema.json')) as object

describe('the JSON Schema of the operator’s file', () => {
  it('is the one in config/ (if not: npm run operator-schema)', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(operatorJsonSchema())))
  })

  it('is published with the package, at the path that docs/runs.md shows to editors', () => {
    const manifest = JSON.parse(read('package.json')) as { name: string; files: string[] }
    expect(manifest.files).toContain('config/operator-file.schema.json')
    expect(read('docs/runs.md')).toContain(
      `# yaml-language-server: $schema=./node_modules/${manifest.name}/config/operator-file.schema.json`,
    )
  })

  it('describes every field', () => {
    const silent: string[] = []
    const look = (schema: unknown, path: string) => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties = {}, ...rest } = schema as Record<string, Record<string, object>>
      for (const [name, field] of Object.entries(properties)) {
        if (!('description' in field)) silent.push(`${path}.${name}`)
        look(field, `${path}.${name}`)
      }
      for (const [keyword, inner] of Object.entries(rest)) look(inner, `${path}/${keyword}`)
    }
    look(published, '')
    expect(silent).toEqual([])
    expect(JSON.stringify(published).match(/"description"/g)?.length).toBeGreaterThan(25)
  })

  it('accepts the example of docs/runs.md, and refuses what the service refuses', () => {
    const accepts = new Ajv({ strict: true, strictTypes: false }).compile(published)
    const example = /^```yaml\n(# yaml-language-server.*?)^```/ms.exec(read('docs/runs.md'))?.[1] ?? ''
    expect(accepts(parse(example)), JSON.stringify(accepts.errors)).toBe(true)
    for (const [from, to] of [
      ['time_limit: 2h', 'time_limit: 2 hours'],
      ['time_limit', 'tme_limit'],
      ['coder:\n', 'My Coder:\n'],
      ['command: [node, agents/coder.js]', 'command: []'],
      ['secret_env: AGENT_SECRET', ''],
      ['then: allow', 'then: maybe'],
      ['when: { labels: [docs, typo], executor: [coder] }', 'when: {}'],
      ['tasks:read]', 'admin]'],
    ] as const) {
      expect(example).toContain(from)
      expect(accepts(parse(example.replace(from, to))), to).toBe(false)
    }
  })

  it('knows the priorities of tasks', () => {
    expect(policyPriorities).toEqual(taskPriorities)
  })
})
