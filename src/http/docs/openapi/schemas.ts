/** The components: a schema for each input and output, by name. */
import { z } from 'zod'
import { receiptResponse } from '../../../receipts/present.ts'
import { revisionField } from '../../../validation/schema.ts'
import { problemResponse } from '../../base/problem.ts'
import { nameOf, namesInPath } from '../../base/route.ts'
import { type Call, type Json, schemasOf, takesBody } from './call.ts'

/** The names of the components. Calls that share a schema name it after the first of them. */
export interface SchemaNames {
  inputs: ReadonlyMap<z.ZodType, string>
  outputs: ReadonlyMap<z.ZodType, string>
}

export function namesOf(calls: readonly Call[]): SchemaNames {
  const inputs = new Map<z.ZodType, string>()
  const outputs = new Map<z.ZodType, string>()
  for (const call of calls) {
    const name = schemaName(nameOf(call) as string)
    const { input, output } = schemasOf(call)
    if (input && takesBody(call) && !inputs.has(input)) inputs.set(input, `${name}Input`)
    if (output && !outputs.has(output)) {
      outputs.set(output, output === receiptResponse ? 'WriteReceipt' : `${name}Output`)
    }
  }
  return { inputs, outputs }
}

export function componentsOf(calls: readonly Call[], names: SchemaNames): Record<string, unknown> {
  const inputs = z.registry<{ id: string }>()
  const outputs = z.registry<{ id: string }>()
  for (const [input, id] of names.inputs) inputs.add(input, { id })
  for (const [output, id] of names.outputs) outputs.add(output, { id })
  outputs.add(problemResponse, { id: 'Problem' })
  const uri = (id: string) => `#/components/schemas/${id}`
  const made = {
    ...inputSchemas(inputs, uri),
    ...z.toJSONSchema(outputs, { io: 'output', unrepresentable: 'any', uri }).schemas,
  } as Record<string, Json>
  for (const schema of Object.values(made)) {
    delete schema.$schema
    delete schema.$id
  }
  for (const call of calls) {
    const name = call.kind === 'write' ? names.inputs.get(call.operation.input) : undefined
    if (name !== undefined) dropFields(made[name] as Json, [...namesInPath(call), revisionField])
  }
  return made
}

/**
 * Moves defaults into the descriptions. Generators such as openapi-typescript make a field with `default` required. That
 * is right for answers and wrong for requests.
 */
function inputSchemas(inputs: z.core.$ZodRegistry<{ id: string }>, uri: (id: string) => string) {
  return z.toJSONSchema(inputs, {
    io: 'input',
    unrepresentable: 'any',
    uri,
    override: ({ jsonSchema }) => moveDefault(jsonSchema),
  }).schemas
}

function moveDefault(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.default === undefined) return
  const { description = '' } = schema
  const sentence = `Default: ${JSON.stringify(schema.default)}.`
  schema.description = description.includes(sentence) ? description : `${description} ${sentence}`.trim()
  delete schema.default
}

/** Fields of a write that are not in its body, but in the path or a header. */
function dropFields(schema: Json, names: readonly string[]): void {
  const {
    properties = {},
    required,
    anyOf,
    oneOf,
  } = schema as {
    properties?: Json
    required?: string[]
    anyOf?: Json[]
    oneOf?: Json[]
  }
  for (const name of names) delete properties[name]
  if (required) schema.required = required.filter((name) => !names.includes(name))
  for (const branch of [...(anyOf ?? []), ...(oneOf ?? [])]) dropFields(branch, names)
}

/** `context.remember` → ContextRemember. */
function schemaName(name: string): string {
  return name.replaceAll(/(^|[._-])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
