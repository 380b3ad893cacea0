/**
 * The schemas of tools as clients and models read them: one root object without `$ref`, and as short as possible, because
 * a client may give all of them to its model.
 */
import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Property, propertiesOf } from '../../validation/properties.ts'
import { revisionField } from '../../validation/schema.ts'

export type ObjectSchema = Tool['inputSchema']

type Json = Record<string, unknown>

/** Said differently than for HTTP, where it is a header. */
const keyField = 'idempotency_key'
const keyDescription = 'Calls with the same key and input are one write.'

interface Shown {
  /** What leaving the key out means. */
  keyLeftOut?: string
  /** With `if_revision`. Left out: no tool shows a revision that the input could name. */
  showsRevision?: true
}

export function inputSchema(schema: z.ZodType, { keyLeftOut = '', showsRevision }: Shown = {}): ObjectSchema {
  const json = jsonOf(schema, 'input')
  const { [revisionField]: revision, ...others } = (json.properties ?? {}) as Record<string, Json>
  const properties = showsRevision && revision ? { ...others, [revisionField]: revision } : others
  const key = properties[keyField]
  const said = key && { ...key, description: `${keyDescription} ${keyLeftOut}`.trim() }
  return { ...json, properties: { ...properties, ...(said ? { [keyField]: said } : {}) } } as ObjectSchema
}

/**
 * Without descriptions and bounds, and open for further fields: the text of a result says what it means, and a client that
 * has kept the schema must not refuse what a newer version adds.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  return pruned(jsonOf(schema, 'output'), leftOfOutputs) as ObjectSchema
}

const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'format']
const leftOfOutputs = ['description', 'additionalProperties', 'default', ...bounds]

/** The fields of an input that take a list, or a list or null. */
export function listsIn(schema: z.ZodType): ReadonlySet<string> {
  const isList = ({ type, anyOf = [] }: Property): boolean => type === 'array' || anyOf.some(isList)
  return new Set([...propertiesOf(schema)].filter(([, property]) => isList(property)).map(([name]) => name))
}

function jsonOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return pruned(json, []) as Json
}

/** Without the keywords `left` of every schema inside. The names of properties are no keywords. */
function pruned(schema: unknown, left: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((one) => pruned(one, left))
  if (schema === null || typeof schema !== 'object') return schema
  const kept = Object.entries(schema).filter(([keyword]) => !left.includes(keyword) && !isSaidByFormat(keyword, schema))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? mapped(value as Json, left) : valued.has(keyword) ? value : pruned(value, left),
    ]),
  )
}

/** Keywords whose value is data, not a schema. */
const valued = new Set(['const', 'enum', 'default', 'examples', 'required'])

function mapped(properties: Json, left: readonly string[]): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, pruned(schema, left)]))
}

/** The pattern of a UUID has 150 characters and says no more than its format. */
function isSaidByFormat(keyword: string, schema: object): boolean {
  return keyword === 'pattern' && (schema as Json).format !== undefined
}
