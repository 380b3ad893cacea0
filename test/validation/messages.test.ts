import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nameOf } from '../../src/http/base/route.ts'
import { adminRoutes } from '../../src/http/routes/admin.ts'
import { v1Routes } from '../../src/http/routes/v1.ts'
import type { Issue, Problem } from '../../src/problem.ts'
import { nearest } from '../../src/validation/nearest.ts'
import { validated } from '../../src/validation/validated.ts'

/** Words of zod's own messages. */
const ofZod =
  /invalid|expected|received|unrecognized|too (?:big|small)|option|nonoptional|\bpattern\b|\bNaN\b|undefined/i

const inputs = [...v1Routes, ...adminRoutes].flatMap((route): [string, z.ZodType][] => {
  const input =
    route.kind === 'write' || route.kind === 'batch'
      ? route.operation.input
      : route.kind === 'read'
        ? route.query.input
        : route.kind === 'call'
          ? route.input
          : undefined
  return input === undefined ? [] : [[nameOf(route) ?? '', input]]
})

function issuesOf(schema: z.ZodType, input: unknown): Issue[] {
  try {
    validated(schema, input)
    return []
  } catch (error) {
    return (error as Problem).details?.issues as Issue[]
  }
}

const messagesOf = (schema: z.ZodType, input: unknown) => issuesOf(schema, input).map(({ message }) => message)

/** Wrong for a field of nearly any kind. */
const wrong: unknown[] = [
  null,
  true,
  1.5,
  -1,
  1e300,
  '',
  'x'.repeat(300_000),
  'no such value',
  [],
  [null],
  [1.5],
  [''],
  [{}],
  Array.from({ length: 300 }, () => 'x'),
  {},
  { class: 'nowhere' },
  { scope: 'nobody' },
  { scope: 'team' },
  { scope: 'team', team_id: 'x' },
  { unknown: 1 },
]

interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
}

/** Each field of an input, also within lists and objects, as a function that makes an input with a value in its place. */
function places(shape: Shape, put: (value: unknown) => unknown, deepest = 4): ((value: unknown) => unknown)[] {
  if (deepest === 0) return []
  const fields = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const here = (value: unknown) => put({ [name]: value })
    return [here, ...places(field, here, deepest - 1)]
  })
  const items = shape.items ? places(shape.items, (value) => put([value]), deepest - 1) : []
  const variants = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap((one) => places(one, put, deepest - 1))
  return [...fields, ...items, ...variants]
}

describe.each(inputs)('a message about %s', (_, input) => {
  const shape = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape

  it('is never a message of zod itself, whatever is missing, of another type or out of range', () => {
    const tried = [undefined, ...wrong, {}].flatMap((value) => messagesOf(input, value))
    for (const put of places(shape, (value) => value)) {
      for (const value of wrong) tried.push(...messagesOf(input, put(value)))
    }
    expect(tried.length).toBeGreaterThan(0)
    for (const message of new Set(tried)) {
      expect(message).not.toMatch(ofZod)
      expect(message).toMatch(/^(?:is |must |has |unknown field: |only |differs |goes with )/)
    }
  })
})

it.each<[string, z.ZodType, unknown, string]>([
  ['a missing string', z.strictObject({ a: z.string() }), {}, 'is required: a string'],
  ['a missing choice', z.strictObject({ a: z.enum(['x', 'y']) }), {}, 'is required: one of x, y'],
  ['null', z.string(), null, 'must not be null: send a string'],
  ['another type', z.boolean(), 'yes', 'must be true or false'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['a number that is too large', z.int().max(50), 51, 'must be at most 50'],
  ['a number that is too small', z.int().min(1), 0, 'must be at least 1'],
  ['a text that is too long', z.string().max(3), 'four', 'must have at most 3 characters'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ['another choice', z.enum(['x', 'y']), 'z', 'must be one of x, y'],
  ['no object', z.strictObject({ a: z.string(), b: z.string() }), 1, 'must be an object with fields among a, b'],
  ['no UUID', z.uuid(), 'x', 'must be a UUID'],
  [
    'no variant',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })]),
    'x',
    'must be an object with the field kind: one of x, y',
  ],
  [
    'neither of two types',
    z.union([z.string(), z.strictObject({ a: z.string() })]),
    1,
    'must be a string or an object with fields among a',
  ],
])('the message about %s says what is allowed', (_, schema, input, message) => {
  expect(messagesOf(schema, input)).toEqual([message])
})

describe('an unknown field', () => {
  const schema = z.strictObject({
    query: z.string().optional(),
    question_id: z.string().optional(),
    q: z.int().optional(),
  })

  it.each([
    ['querry', 'query'],
    ['qeury', 'query'],
    ['Query', 'query'],
    ['questionId', 'question_id'],
  ])('%s suggests %s', (given, known) => {
    expect(issuesOf(schema, { [given]: 1 })).toEqual([
      { path: given, message: `unknown field: did you mean \`${known}\`?` },
    ])
  })

  it.each([
    ['status', 'outcome_status'],
    ['notes', 'outcome_notes'],
  ])('%s suggests %s, which has it as a part', (given, known) => {
    const schema = z.strictObject({ id: z.string(), outcome_status: z.string(), outcome_notes: z.string().optional() })
    const message = `unknown field: did you mean \`${known}\`?`
    expect(issuesOf(schema, { id: 'a', [given]: 'x' })).toContainEqual({ path: given, message })
  })

  it('names the only required field that is missing', () => {
    const schema = z.strictObject({ kind: z.string(), content: z.string(), title: z.string().optional() })
    const message = 'unknown field: leave it out, unless you mean `content`, which is required'
    expect(issuesOf(schema, { kind: 'fact', text: 'x' })).toContainEqual({ path: 'text', message })
    const without = { path: 'text', message: 'unknown field: leave it out' }
    expect(issuesOf(schema, { text: 'x' })).toContainEqual(without)
    expect(issuesOf(schema, { kind: 'fact', content: 'x', text: 'x' })).toEqual([without])
  })

  it('suggests none of several fields that have it as a part', () => {
    const schema = z.strictObject({ parent_id: z.string().optional(), decision_id: z.string().optional() })
    expect(messagesOf(schema, { id: 'x' })).toEqual(['unknown field: leave it out'])
  })

  it.each(['colour', 'x', '__proto__', 'constructor', 'query'.repeat(20_000)])('%.20s suggests nothing', (given) => {
    expect(nearest(given, Object.keys(schema.shape))).toBeUndefined()
  })
})
