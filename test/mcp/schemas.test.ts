/** The schemas of tools work for every client: in both drafts that clients use, and with patterns of any language. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { inputSchema, outputSchema } from '../../src/mcp/base/json-schema.ts'
import { tools } from '../../src/mcp/tools.ts'

const schemas = tools.flatMap(({ name, input, output }): [string, object][] => [
  [`${name}, input`, inputSchema(input)],
  [`${name}, output`, outputSchema(output)],
])

const strict = { strict: true, strictRequired: false, allowUnionTypes: true }

/** Every schema inside, with the path to it. */
function* inside(schema: unknown, path = ''): Generator<[path: string, schema: Record<string, unknown>]> {
  if (schema === null || typeof schema !== 'object') return
  if (!Array.isArray(schema)) yield [path, schema as Record<string, unknown>]
  for (const [name, value] of Object.entries(schema)) yield* inside(value, `${path}/${name}`)
}

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
