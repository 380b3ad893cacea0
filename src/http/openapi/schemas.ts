/** The components: a schema for each input and output, by name. */
import { z } from 'zod'
import { receiptResponse } from '../../receipts/present.ts'
import { problemResponse } from '../problem.ts'
import { nameOf } from '../route.ts'
import { type Call, type Json, schemasOf, takesBody } from './call.ts'

/** Calls that take the same input name it after the first of them. */
export function inputNames(calls: readonly Call[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const call of calls) {
    const { input } = schemasOf(call)
    if (input && takesBody(call) && !names.has(input)) names.set(input, `${schemaName(nameOf(call) as string)}Input`)
  }
  return names
}

export function componentsOf(
  calls: readonly Call[],
  inputNamesOf: ReadonlyMap<z.ZodType, string>,
): Record<string, unknown> {
  const inputs = z.registry<{ id: string }>()
  const outputs = z.registry<{ id: string }>()
  for (const [input, id] of inputNamesOf) inputs.add(input, { id })
  outputs.add(problemResponse, { id: 'Problem' })
  outputs.add(receiptResponse, { id: 'WriteReceipt' })
  for (const call of calls) {
    const name = schemaName(nameOf(call) as string)
    const { output } = schemasOf(call)
    if (output && !outputs.has(output)) outputs.add(output, { id: `${name}Output` })
  }
  const uri = (id: string) => `#/components/schemas/${id}`
  const made = {
    ...inputSchemas(inputs, uri),
    ...z.toJSONSchema(outputs, { io: 'output', unrepresentable: 'any', uri }).schemas,
  } as Record<string, Json>
  for (const schema of Object.values(made)) {
    delete schema.$schema
    delete schema.$id
  }
  return made
}

/**
 * Defaults are told in the descriptions. Generators such as openapi-typescript take a field with `default` for one that is
 * always there, which is right for answers and wrong for requests.
 */
function inputSchemas(inputs: z.core.$ZodRegistry<{ id: string }>, uri: (id: string) => string) {
  return z.toJSONSchema(inputs, {
    io: 'input',
    unrepresentable: 'any',
    uri,
    override: ({ jsonSchema }) => tellDefault(jsonSchema),
  }).schemas
}

function tellDefault(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.default === undefined) return
  const { description = '' } = schema
  const told = `Default: ${JSON.stringify(schema.default)}.`
  schema.description = description.includes(told) ? description : `${description} ${told}`.trim()
  delete schema.default
}

/** The name of the component of its answer. */
export function outputName(call: Call): string {
  const { output } = schemasOf(call)
  return output === receiptResponse ? 'WriteReceipt' : `${schemaName(nameOf(call) as string)}Output`
}

/** `context.remember` → ContextRemember. */
function schemaName(name: string): string {
  return name.replaceAll(/(^|[._-])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
