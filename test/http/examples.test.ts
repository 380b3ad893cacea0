import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nameOf } from '../../src/http/base/route.ts'
import { type Call, isCall, schemasOf } from '../../src/http/docs/openapi/call.ts'
import { adminRoutes } from '../../src/http/routes/admin.ts'
import { v1Routes } from '../../src/http/routes/v1.ts'
import { v2Routes } from '../../src/http/routes/v2.ts'

const calls = [...v1Routes, ...v2Routes, ...adminRoutes]
  .filter(isCall)
  .map((call): [string, Call] => [nameOf(call) as string, call])

interface Shape {
  description?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
}

/** Paths of the fields without a description, also within lists, objects and choices. */
function undescribed({ properties = {}, items, anyOf = [], oneOf = [] }: Shape, path = ''): string[] {
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`
    return [...(field.description ? [] : [here]), ...undescribed(field, here)]
  })
  const inside = [...(items ? [items] : []), ...anyOf, ...oneOf]
  return [...fields, ...inside.flatMap((one) => undescribed(one, `${path}[]`))]
}

describe.each(calls)('%s', (_, call) => {
  const { input, output } = schemasOf(call)

  it('describes every field of its input', () => {
    if (input === undefined) return
    expect(undescribed(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape)).toEqual([])
  })

  it('has a request that its input accepts, or takes none', () => {
    const request = call.example?.request
    if (input === undefined) {
      const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1])
      expect(Object.keys(request ?? {})).toEqual(inPath)
      return
    }
    expect(request).toBeDefined()
    if (call.kind !== 'batch') input.parse(request)
    else for (const decision of (request as { decisions: unknown[] }).decisions) input.parse(decision)
  })

  it('has an answer that its output accepts, or gives none', () => {
    expect(call.example).toBeDefined()
    if (output === undefined) expect(call.example?.response).toBeUndefined()
    else output.parse(call.example?.response)
  })
})

it('undescribed() finds a field without a description at any depth', () => {
  const described = z.string().describe('It is.')
  const choice = z.union([z.strictObject({ a: described, b: z.string() }), z.string()])
  const schema = z.strictObject({ one: described, two: z.array(choice).describe('Some.') })
  expect(undescribed(z.toJSONSchema(schema) as Shape)).toEqual(['two[][].b'])
})
