/** The schemas of tools work for every client: in both drafts that clients use, and with patterns of any language. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputSchema, outputSchema } from '../../src/mcp/base/json-schema.ts'
import type { Tool } from '../../src/mcp/base/tool.ts'
import { tools } from '../../src/mcp/tools.ts'

const schemas = tools.flatMap(({ name, input, output, describedBy = {} }): [string, object][] => [
  [`${name}, input`, inputSchema(input, { describedBy })],
  [`${name}, output`, outputSchema(output)],
])

const strict = { strict: true, strictRequired: false, allowUnionTypes: true }

/** Every schema inside, with the path to it. */
function* inside(schema: unknown, path = ''): Generator<[path: string, schema: Record<string, unknown>]> {
  if (schema === null || typeof schema !== 'object') return
  if (!Array.isArray(schema)) yield [path, schema as Record<string, unknown>]
  for (const [name, value] of Object.entries(schema)) yield* inside(value, `${path}/${name}`)
}

it('every field of an input has a description', () => {
  for (const { name, input } of tools) {
    for (const [field, schema] of Object.entries(inputSchema(input).properties ?? {})) {
      expect((schema as { description?: string }).description, `${name}, ${field}`).toBeTruthy()
    }
  }
})

it('a tool whose fields another tool describes is listed only beside that tool', () => {
  for (const { name, describedBy = {}, scope, lists, input } of tools) {
    for (const [field, other] of Object.entries(describedBy)) {
      const describing = tools.find((tool) => tool.name === other)
      expect(describing, name).toMatchObject({ scope, lists: expect.arrayContaining([...lists]) })
      const { properties } = inputSchema(input, { describedBy })
      expect(JSON.stringify(properties?.[field]), name).toContain(`described by ${other}.`)
    }
  }
})

it('the schema of an input allows what the service allows', () => {
  const sources = [
    { type: 'document', provenance: { class: 'repo', path: 'docs/a.md' } },
    { type: 'slack', id: 'C1', url: 'https://example.com/', provenance: { class: 'conversation' } },
  ]
  const decision = {
    title: 'Rust',
    judgment: 'We use Rust.',
    context: { summary: 'C++ failed.', alternatives: [{ title: 'Go', why_not: 'Pauses.' }] },
    entities: [{ type: 'service', name: 'Harbour' }],
    sources,
    visibility: { scope: 'team', team_id: '0192d59f-0a11-7c22-8d33-4e445f556a66' },
  }
  const { id, ...inputs } = {
    id: '0192d59f-0a11-7c22-8d33-4e445f556a66',
    record_decision: decision,
    remember: { kind: 'fact', content: 'It rains.', sources, visibility: { scope: 'private' } },
    search_context: { references: [{ type: 'memory', id: 'a', provenance: { class: 'decision' } }] },
  }
  const all = {
    ...inputs,
    supersede_decision: { id, decision, reason: 'It is faster.' },
    update_task: { id, description: '', assignees: null, execution: { mode: 'auto', executor: 'coder' } },
    record_outcome: { id, outcome_status: 'success', outcome_notes: null, sources: null },
  }
  for (const [name, value] of Object.entries(all)) {
    const { input, describedBy = {} } = tools.find((tool) => tool.name === name) as Tool
    expect(() => input.parse(value), name).not.toThrow()
    const ajv = addFormats.default(new Ajv2020(strict))
    expect(ajv.validate(inputSchema(input, { describedBy, showsRevision: true }), value), ajv.errorsText()).toBe(true)
  }
})

describe('an output', () => {
  const whole = z.strictObject({
    items: z.array(z.strictObject({ id: z.string(), inner: z.strictObject({ a: z.string() }) })),
    state: z.enum(['open', 'closed']).describe('A state.'),
    sender: z.strictObject({ name: z.string() }),
    entity: z.looseObject({ name: z.string().max(10).optional() }),
  })

  it('shows the fields of the result and of the items in its lists, and names what is deeper', () => {
    expect(outputSchema(whole)).toEqual({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'object', properties: { id: { type: 'string' }, inner: { type: 'object' } } },
        },
        state: { type: 'string' },
        sender: { type: 'object' },
        entity: { type: 'object', properties: { name: { type: 'string' } } },
      },
      required: ['items', 'state', 'sender', 'entity'],
    })
  })

  it('that a newer version extends passes the schema that a client has kept', () => {
    const newer = { items: [{ id: 'a', inner: { b: 1 }, more: 1 }], state: 'paused', sender: {}, entity: {}, more: 1 }
    const ajv = new Ajv2020(strict)
    expect(ajv.validate(outputSchema(whole), newer), ajv.errorsText()).toBe(true)
  })
})

describe.each(schemas)('the schema of %s', (_, schema) => {
  it('compiles in strict mode, with the meaning of 2020-12 and of draft-07', () => {
    addFormats.default(new Ajv2020(strict)).compile(schema)
    addFormats.default(new Ajv(strict)).compile(schema)
  })

  it('has no keyword that the two drafts read differently', () => {
    const differing = ['prefixItems', 'additionalItems', 'dependencies', 'definitions', '$defs', '$ref', '$schema']
    const of2020 = ['unevaluatedProperties', 'unevaluatedItems', 'dependentRequired', 'dependentSchemas', 'minContains']
    for (const [path, one] of inside(schema)) {
      if (path.endsWith('/properties')) continue
      expect(
        Object.keys(one).filter((keyword) => [...differing, ...of2020].includes(keyword)),
        path,
      ).toEqual([])
      // in draft-07 a list of schemas for items has another meaning
      expect(Array.isArray(one.items), path).toBe(false)
    }
  })

  it('has only patterns that RE2 and other languages know', () => {
    for (const [path, { pattern }] of inside(schema)) {
      if (typeof pattern !== 'string') continue
      // without Unicode classes, looks around, back references and named groups
      expect(pattern, path).not.toMatch(/\\p|\\u\{|\(\?[=!<]|\\[1-9k]/i)
      expect(() => new RegExp(pattern), path).not.toThrow()
    }
  })
})
