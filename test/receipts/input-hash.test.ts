import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { WorkspaceType } from '../../src/access/actor.ts'
import type { Example } from '../../src/http/base/example.ts'
import { v1Routes } from '../../src/http/routes/v1.ts'
import { defineOperation, type Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { inputHash, schemaDefaults } from '../../src/receipts/input-hash.ts'
import { listOf } from '../../src/validation/schema.ts'
import { validated } from '../../src/validation/validated.ts'

/** The operations of v1, each with the input of its example. */
const examples = v1Routes.flatMap((route): [name: string, Operation, Record<string, unknown>][] => {
  if (route.kind === 'write')
    return [[route.operation.name, route.operation, { ...(route.example?.request as object) }]]
  if (route.kind !== 'batch') return []
  const { decisions } = (route.example as Example).request as { decisions: Record<string, unknown>[] }
  return decisions.map((input) => [route.operation.name, route.operation, input])
})

const workspaceTypes = fc.constantFrom<WorkspaceType>('personal', 'company')

function hashOf(operation: Operation, input: unknown, workspaceType: WorkspaceType = 'company'): string {
  return inputHash(operation, validated(operation.input, input), workspaceType).hash
}

function defaultsOf(operation: Operation, input: unknown, workspaceType: WorkspaceType): Record<string, unknown> {
  const ofSchema = [...schemaDefaults(operation.input)].map(([name, json]) => [name, JSON.parse(json)])
  const valid = validated(operation.input, input)
  return { ...Object.fromEntries(ofSchema), ...operation.defaults?.(valid, workspaceType) }
}

describe('the hash of an input', () => {
  it('covers every write of v1', () => {
    expect(new Set(examples.map(([name]) => name))).toEqual(
      new Set(['context.remember', 'context.resolve', 'decision.record', 'decision.import']),
    )
  })

  it.each(examples)('%s: is the same if defaults are given, and for any order of fields', (_, operation, example) => {
    fc.assert(
      fc.property(workspaceTypes, fc.infiniteStream(fc.boolean()), fc.nat(), (workspaceType, coins, rotation) => {
        const defaults = defaultsOf(operation, example, workspaceType)
        const bare = Object.entries(example).filter(([name]) => !Object.hasOwn(defaults, name))
        const kept = Object.entries(example).filter(([name]) => Object.hasOwn(defaults, name))
        const given = Object.entries(defaults).filter(([name]) => !Object.hasOwn(example, name) && coins.next().value)
        const fields = [...bare, ...kept, ...given]
        const at = rotation % fields.length
        const input = Object.fromEntries([...fields.slice(at), ...fields.slice(0, at)])
        expect(hashOf(operation, { ...input, ...keyIn(operation) }, workspaceType)).toBe(
          hashOf(operation, example, workspaceType),
        )
      }),
    )
  })

  it.each(examples)('%s: differs if any field has another value, also an empty list', (_, operation, example) => {
    fc.assert(
      fc.property(workspaceTypes, fc.jsonValue(), fc.nat(), (workspaceType, value, at) => {
        const valid = validated(operation.input, example) as Record<string, unknown>
        const names = [...Object.keys((operation.input as unknown as z.ZodObject).shape)]
        const name = names.filter((one) => one !== 'idempotency_key')[at % (names.length - 1)] as string
        const effective = { ...defaultsOf(operation, example, workspaceType), ...valid }[name]
        fc.pre(effective === undefined || JSON.stringify(sorted(effective)) !== JSON.stringify(sorted(value)))
        const before = inputHash(operation, valid, workspaceType).hash
        expect(inputHash(operation, { ...valid, [name]: value }, workspaceType).hash).not.toBe(before)
      }),
    )
  })

  it('knows the defaults of every operation', () => {
    for (const operation of operations) expect(schemaDefaults(operation.input as z.ZodType)).toBeInstanceOf(Map)
    const recorded = examples.find(([name]) => name === 'decision.record')?.[1] as Operation
    expect(Object.fromEntries(schemaDefaults(recorded.input))).toEqual({
      ...{ decided_by: '[]', entities: '[]', sources: '[]', supersedes: '[]', status: '"accepted"' },
    })
  })

  it('tells an empty list, null and a missing field apart if the operation has no default for it', () => {
    const patch = operationWith(z.strictObject({ labels: z.array(z.string()).nullable().exactOptional() }))
    const hashes = [{}, { labels: [] }, { labels: null }, { labels: ['a'] }].map((input) => hashOf(patch, input))
    expect(new Set(hashes).size).toBe(4)
  })

  it('ignores a value only if it is a default of this operation, not of another one', () => {
    const status = z.enum(['accepted', 'open']).exactOptional()
    const patch = operationWith(z.strictObject({ status }))
    expect(hashOf(patch, { status: 'accepted' })).not.toBe(hashOf(patch, {}))
    const create = operationWith(z.strictObject({ status, labels: listOf(z.string()) }))
    expect(hashOf(create, { labels: [] })).toBe(hashOf(create, {}))
  })

  it('stays the same if a later version adds a field with a default', () => {
    const before = operationWith(z.strictObject({ name: z.string() }))
    const after = operationWith(z.strictObject({ name: z.string(), labels: listOf(z.string()) }))
    expect(hashOf(after, { name: 'a' })).toBe(hashOf(before, { name: 'a' }))
    expect(hashOf(after, { name: 'a', labels: ['b'] })).not.toBe(hashOf(before, { name: 'a' }))
  })

  it('refuses an operation whose defaults are unknown', () => {
    const union = operationWith(z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]))
    expect(() => hashOf(union, { a: 'x' })).toThrow('the input of an operation is an object')
  })
})

function operationWith(input: z.ZodType): Operation {
  return defineOperation<unknown>({
    name: 'test.patch',
    scope: 'context:write',
    summary: '',
    raisesQuestions: false,
    input,
    texts: () => [],
    decide: () => Promise.reject(new Error('never decided')),
  })
}

/** An idempotency_key in the body, if the operation takes one there. */
function keyIn({ input }: Operation): object {
  return 'idempotency_key' in (input as unknown as z.ZodObject).shape ? { idempotency_key: 'a-key-in-the-body' } : {}
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  )
}
